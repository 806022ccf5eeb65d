import Core

/// The picture of a person beside a verdict.
struct PersonMark: Hashable {
    let letter, name: String
    /// Number of the picture's colour, 1 to 4.
    let colour: Int

    /// The people of a household, in its order.
    static func all(_ names: [String], _ texts: PageTexts) -> [PersonMark] {
        names.enumerated().map { index, name in
            let shown = texts.person(name)
            return PersonMark(letter: PageTexts.letter(of: shown), name: shown, colour: index % 4 + 1)
        }
    }
}

/// A verdict of a dish, with the people whom it concerns.
struct DishChip {
    let style, icon, word, names: String
    let percent: String?
    let isWarning: Bool
    let people: [PersonMark]

    private init(
        style: String, icon: String, word: String, names: String, percent: String? = nil, isWarning: Bool = false,
        people: [PersonMark] = []
    ) {
        (self.style, self.icon, self.word, self.names) = (style, icon, word, names)
        (self.percent, self.isWarning, self.people) = (percent, isWarning, people)
    }

    private struct Key: Hashable {
        var allergen: Allergen
        var kind: AllergenVerdict.Kind
        var percent: Int
    }

    private static let mostUnclear = 3

    /// The verdicts of a dish, most serious first; then what staff said.
    static func all(_ item: Menu.Item, _ shown: ShownOutcome) -> [DishChip] {
        let texts = shown.texts
        var people: [Key: [PersonMark]] = [:]
        var unclear: [Allergen: [PersonMark]] = [:]
        for (person, mark) in shown.marked {
            for (allergen, verdict) in item.verdicts[person] ?? [:] {
                if verdict.verdict.isWarning || verdict.isPossible {
                    let key = Key(
                        allergen: allergen, kind: verdict.verdict, percent: Int(nearest: verdict.probability * 100))
                    people[key, default: []].append(mark)
                } else if verdict.verdict == .cannotTell, verdict.by == nil {
                    unclear[allergen, default: []].append(mark)
                }
            }
        }
        func name(_ allergen: Allergen) -> String {
            let own = allergen == .personal ? item.findings.filter { $0.allergen == .personal }.compactMap(\.leaf) : []
            return own.isEmpty ? shown.language.wording.name(of: allergen) : texts.list(Set(own).sorted())
        }
        let sorted = people.sorted {
            ($0.key.kind.severity, $0.key.percent, $1.key.allergen.rawValue)
                > ($1.key.kind.severity, $1.key.percent, $0.key.allergen.rawValue)
        }
        var chips = sorted.map { key, people in
            let isPossible = key.kind == .cannotTell
            return DishChip(
                style: isPossible ? "cannot chip--possible" : key.kind.style, icon: key.kind.style,
                word: texts.text(isPossible ? "band.ask" : "v.\(key.kind.rawValue)"),
                names: (isPossible ? ": " : " ") + name(key.allergen),
                percent: key.kind == .likely || isPossible ? "\(key.percent) %" : nil,
                isWarning: key.kind.isWarning, people: people)
        }
        if !unclear.isEmpty {
            let names = unclear.keys.map(name).sorted()
            let more = names.count - mostUnclear
            let shownNames = more > 0 ? [texts.text("dish.unclear", ["n": "\(names.count)"])] : names
            let marks = shown.marked.map(\.mark).filter { mark in unclear.values.contains { $0.contains(mark) } }
            chips.append(
                DishChip(
                    style: "cannot chip--quiet", icon: "cannot", word: texts.text("band.ask"),
                    names: ": " + texts.list(shownNames), people: marks))
        }
        let denied = (item.statements ?? []).filter { $0.said == .absent }
        if !denied.isEmpty {
            chips.append(
                DishChip(
                    style: "staff", icon: "staff", word: texts.text("dish.staff"),
                    names: ": " + texts.list(denied.map { shown.language.denied($0.allergen) })))
        }
        return chips
    }
}
