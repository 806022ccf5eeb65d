import Allergens
import Core
import Foundation

/// An outcome in a few lines for people, with each person's verdicts in their own language. No text may imply that
/// food can be eaten without asking.
package struct OutcomeText {
    let wordings: Wordings
    let people: [AllergenProfile]
    let style: TextStyle
    let date: Date
    /// The wording of texts for everybody.
    let common: Wording

    /// - Parameters:
    ///   - people: the profiles of the outcomes, which determine the languages.
    ///   - date: the current date, for ages of records.
    package init(
        for people: [AllergenProfile], _ wordings: Wordings, style: TextStyle = .plain, asOf date: Date = Date()
    ) {
        self.wordings = wordings
        self.people = people
        self.style = style
        self.date = date
        common = wordings.common(people)
    }

    /// The lines of one outcome. Control characters in file names and recognised words are escaped.
    package func lines(of outcome: Outcome) -> [String] {
        var lines = [headline(outcome)]
        if let reason = outcome.reason, reason.code != ItemFailure.Code.unreadScript.rawValue {
            lines.append("  " + self.reason(reason))
        }
        lines += (outcome.readings.text?.unreadScripts ?? []).map { script in
            "  " + common.phrase(.unreadScript, ["script": common.name(of: script)])
        }
        for kind in kinds { lines += kind.lines(of: outcome, in: self) }
        if people.count > 1, let household = outcome.household { lines += table(household, of: outcome) }
        if outcome.household != nil { lines.append("  " + common.phrase(.askStaff)) }
        return lines
    }

    // MARK: The photo

    private func headline(_ outcome: Outcome) -> String {
        let what = outcome.domains.isEmpty ? "" : " " + outcome.domains.map(common.domain).joined(separator: " + ")
        let confidence = common.phrase(.confidence, ["level": common.level(outcome.confidence.level)])
        let level = outcome.status == .failed ? "" : ", " + confidence
        return style.heading(outcome.source.path.printable) + ": \(common.status(outcome.status))\(what)\(level)"
    }

    /// English shows the detail with its values. Other languages show a text for each kind of failure.
    private func reason(_ reason: Outcome.Reason) -> String {
        let own = common.language == "en" ? nil : common.failure(reason.code)
        return (own ?? "\(reason.detail); \(reason.hint)").printable
    }

    // MARK: Verdicts

    /// Each person's verdicts, most serious first, with the names of the allergens.
    func verdicts(_ verdicts: Verdicts) -> [String] {
        verdicts.sorted { $0.key < $1.key }.flatMap { name, verdicts in
            let profile = people.first { $0.name == name }
            let wording = wordings.wording(for: profile)
            let order: [AllergenVerdict.Kind] = [.contains, .likely, .mayContain, .cannotTell, .notFoundInText]
            let parts = order.flatMap { word in groups(of: word, verdicts, wording, words: profile?.words ?? []) }
            let person = name.printable
            return parts.enumerated().map { index, part in
                "      " + (index == 0 ? "\(person): " : String(repeating: " ", count: person.count + 2)) + part
            }
        }
    }

    /// The allergens with one verdict. CANNOT_TELL is grouped by reason.
    private func groups(
        of word: AllergenVerdict.Kind, _ verdicts: [Allergen: AllergenVerdict], _ wording: Wording, words: [String]
    ) -> [String] {
        let meant = verdicts.filter { $0.value.verdict == word }.sorted { $0.key.rawValue < $1.key.rawValue }
        let groups = Dictionary(grouping: meant) { word == .cannotTell ? $0.value.reason ?? "" : "" }
        return groups.sorted { $0.key < $1.key }.map { reason, group in
            let names = group.map { allergen, verdict -> String in
                let isOwn = allergen == .personal && !words.isEmpty
                var name = isOwn ? words.joined(separator: ", ").printable : wording.name(of: allergen)
                // The frequency of traces is unknown, so a percentage would mislead.
                let isPossible = word == .cannotTell && verdict.risk != .unknown
                if word == .contains || word == .likely || isPossible { name += " " + percent(verdict.probability) }
                if verdict.reason == "exempt", let why = wording.reason("exempt") { name += " (\(why))" }
                if let reviewer = verdict.by {
                    let phrase: Wording.Phrase =
                        switch verdict.said {
                        case .absent: .deniedBy
                        case .unknown: .askedBy
                        case .contains, .mayContain, nil: .correctedBy
                        }
                    name += " (" + wording.phrase(phrase, ["name": reviewer.printable]) + ")"
                }
                return name
            }.joined(separator: ", ")
            let isQuiet = word == .cannotTell || word == .notFoundInText
            let why = wording.reason(reason).map { " (\($0))" } ?? ""
            return style.styled(wording.label(word) + (isQuiet ? ": " : " ") + names + why, as: word)
        }
    }

    /// What each person must avoid or ask about, over the whole photo.
    private func table(_ household: [String: Outcome.PersonalSummary], of outcome: Outcome) -> [String] {
        let shown = people.filter { household[$0.name] != nil }
        let titles: [Wording.Phrase] = [.avoid, .ask, .notMentioned]
        let nameWidth = shown.map(\.name.printable.count).max() ?? 0
        let titleWidth =
            shown.map { wordings.wording(for: $0) }.flatMap { wording in titles.map { wording.phrase($0).count } }.max()
            ?? 0
        let rows = shown.flatMap { person in
            let wording = wordings.wording(for: person)
            let summary = household[person.name] ?? .init()
            let things = [
                (summary.avoid, AllergenVerdict.Kind.contains), (summary.ask, .cannotTell),
                (summary.notMentioned, .notFoundInText),
            ]
            let rows = zip(titles, things).filter { !$0.1.0.isEmpty }
            return rows.enumerated().flatMap { index, row in
                let (title, (names, word)) = row
                let name = (index == 0 ? person.name.printable : "").padding(nameWidth)
                let start = "    \(name)  " + (wording.phrase(title) + ":").padding(titleWidth + 1)
                let words = names.map { name in
                    let shown = name == Outcome.labelName ? wording.phrase(.wholeLabel) : name.printable
                    guard word == .contains else { return shown }
                    return shown + reason(to: name, of: outcome, for: person, wording)
                }
                return style.wrapped(words, after: start).map { style.coloured($0, as: word) }
            }
        }
        return ["", "  " + style.heading(common.phrase(.household))] + rows + [""]
    }

    /// Why somebody must avoid a dish, label or product: its allergens that are contained or likely.
    private func reason(
        to avoid: String, of outcome: Outcome, for person: AllergenProfile, _ wording: Wording
    ) -> String {
        let own = outcome.things.filter { $0.name == avoid }.compactMap { $0.verdicts[person.name] }.flatMap(\.self)
        let parts = [AllergenVerdict.Kind.contains, .likely].compactMap { kind -> String? in
            let names = Set(own.filter { $0.value.verdict == kind }.map(\.key)).sorted { $0.rawValue < $1.rawValue }
                .map { allergen in
                    let isOwn = allergen == .personal && person.words?.isEmpty == false
                    return isOwn ? (person.words ?? []).joined(separator: ", ").printable : wording.name(of: allergen)
                }
            return names.isEmpty ? nil : wording.label(kind) + " " + names.joined(separator: ", ")
        }
        return parts.isEmpty ? "" : " (" + parts.joined(separator: "; ") + ")"
    }

    func percent(_ value: Double) -> String { "\(Int(nearest: value * 100)) %" }
}

extension String {
    /// The text padded with spaces to at least `width` characters.
    func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// A camel-case key as words: `correctPlacement` becomes `correct placement`.
    var words: String {
        reduce(into: "") { text, letter in
            if letter.isUppercase, let last = text.last, last.isLowercase {
                text += " " + letter.lowercased()
            } else {
                text.append(letter)
            }
        }
    }
}
