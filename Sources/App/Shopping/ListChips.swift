import Core
import Groceries

/// One chip of an entry: a verdict and the people whom it is for.
struct ListChip {
    let style, word, names: String
    let isWarning, isQuiet: Bool
    var isChecked = false
    var percent, hint: String?
}

/// The verdict chips of an entry for the people of the household, most serious first.
///
/// A list has many entries, so people share a chip: one for each kind of warning, and one for the rest. Nobody is left
/// out: who has no warning is named in the chip of what is not known or not mentioned.
struct ListChips {
    /// The verdicts of the entries, by their numbers.
    let verdicts: [Int64: Verdicts]
    let shared: SharedVerdicts

    private var household: [AllergenProfile] { shared.household }
    private var language: PageLanguage { shared.language }
    private var texts: PageTexts { language.texts }

    func all(_ item: GroceryItem) -> [ListChip] { all(verdicts[item.id], hasNumber: item.gtin != nil) }

    func all(_ verdicts: Verdicts?, hasNumber: Bool) -> [ListChip] {
        guard !household.isEmpty else { return [] }
        guard let verdicts, !verdicts.isEmpty else {
            let reason =
                !hasNumber ? texts.text("list.verdict.nonumber") : language.wording.reason("notInCatalogue")
            return [cannotTell(reason ?? "")]
        }
        var chips = shared.warnings(verdicts)
        let unsure = household.filter { person in
            verdicts[person.name].map { $0.values.contains { $0.verdict == .cannotTell } } ?? true
        }
        let unmentioned = household.filter { person in
            verdicts[person.name].map { $0.values.allSatisfy { $0.verdict == .notFoundInText } } ?? false
        }
        if !unsure.isEmpty {
            let reasons = Set(
                unsure.flatMap { (verdicts[$0.name] ?? [:]).values.filter { $0.verdict == .cannotTell } }
                    .compactMap(\.reason))
            let own = !hasNumber ? texts.text("list.verdict.nonumber") : nil
            let reason =
                chips.isEmpty ? own ?? reasons.sorted().compactMap { language.wording.reason($0) }.first : nil
            // Where nothing is known for anybody, nobody is named.
            let isEverybody = chips.isEmpty && unsure.count == household.count
            var chip = cannotTell(reason ?? texts.text("list.verdict.others"), isEverybody ? [] : unsure)
            if !unmentioned.isEmpty {
                chip.hint = texts.text("list.verdict.none", ["names": texts.list(unmentioned.map(\.name))])
            }
            chips.append(chip)
        } else if !unmentioned.isEmpty {
            let names = shared.names(unmentioned)
            var chip = shared.chip(.notFoundInText, names.isEmpty ? texts.text("person.everyone") : names)
            chip.hint = texts.text("v.check")
            chips.append(chip)
        }
        return chips
    }

    /// What an entry contains by its name or its text for people of the household: `milk and nuts · Ada`. Nil for nothing;
    /// the page of the entry says what is not known.
    func flag(_ item: GroceryItem) -> String? {
        let parts = verdicts[item.id].map { shared.findings(.contains, $0) } ?? []
        return parts.isEmpty
            ? nil
            : parts.map { part in
                [part.allergens, shared.names(part.names)].filter { !$0.isEmpty }.joined(separator: " · ")
            }.joined(separator: "; ")
    }

    private func cannotTell(_ reason: String, _ people: [AllergenProfile] = []) -> ListChip {
        let names = shared.names(people)
        return shared.chip(
            .cannotTell, names.isEmpty ? reason : texts.text("list.verdict.for", ["allergens": reason, "names": names]))
    }
}

/// The verdicts of one thing as people share them: one chip for each kind of warning.
struct SharedVerdicts {
    let household: [AllergenProfile]
    let language: PageLanguage

    private var texts: PageTexts { language.texts }

    /// The warnings, most serious first.
    func warnings(_ verdicts: Verdicts) -> [ListChip] {
        [AllergenVerdict.Kind.contains, .likely, .mayContain].compactMap { warning($0, verdicts) }
    }

    /// The allergens of one kind: `milk and nuts for Ada; gluten for Ben`.
    private func warning(_ kind: AllergenVerdict.Kind, _ verdicts: Verdicts) -> ListChip? {
        let people = findings(kind, verdicts)
        guard !people.isEmpty else { return nil }
        let parts = people.map { part in
            let names = names(part.names)
            return names.isEmpty
                ? part.allergens : texts.text("list.verdict.for", ["allergens": part.allergens, "names": names])
        }
        return chip(kind, parts.joined(separator: "; "))
    }

    /// The allergens with one verdict, and the people whom they are for.
    func findings(
        _ kind: AllergenVerdict.Kind, _ verdicts: Verdicts
    ) -> [(allergens: String, names: [AllergenProfile])] {
        var people: [(allergens: String, names: [AllergenProfile])] = []
        for person in household {
            let own = (verdicts[person.name] ?? [:]).filter { $0.value.verdict == kind }.keys
            guard !own.isEmpty else { continue }
            let allergens = texts.list(
                own.sorted { $0.rawValue < $1.rawValue }.map { language.name(of: $0, words: person.words ?? []) })
            if let index = people.firstIndex(where: { $0.allergens == allergens }) {
                people[index].names.append(person)
            } else {
                people.append((allergens, [person]))
            }
        }
        return people
    }

    func chip(_ kind: AllergenVerdict.Kind, _ names: String) -> ListChip {
        ListChip(
            style: kind.style, word: texts.text("v.\(kind.rawValue)"), names: names, isWarning: kind.isWarning,
            isQuiet: !kind.isWarning)
    }

    /// Empty where the household is one nameless profile.
    func names(_ people: [AllergenProfile]) -> String {
        household.map(\.name) == ["everyone"] ? "" : texts.list(people.map { texts.person($0.name) })
    }
}
