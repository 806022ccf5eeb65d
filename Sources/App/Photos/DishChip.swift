import Core

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

extension [AllergenFinding] {
    /// The personal words that were found, sorted.
    var personalWords: [String] { Set(filter { $0.allergen == .personal }.compactMap(\.leaf)).sorted() }
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

    /// Allergens that a chip names; of what is possible, the most probable.
    private static let mostNames = 3

    /// The verdicts of a dish, most serious first; then what staff said.
    static func all(_ item: Menu.Item, _ shown: ShownOutcome) -> [DishChip] {
        let texts = shown.texts
        var people: [Key: [PersonMark]] = [:]
        var (possible, unclear): ([Allergen: [PersonMark]], [Allergen: [PersonMark]]) = ([:], [:])
        var chances: [Allergen: Double] = [:]
        for (person, mark) in shown.marked {
            for (allergen, verdict) in item.verdicts[person] ?? [:] {
                if verdict.isPossible {
                    possible[allergen, default: []].append(mark)
                    chances[allergen] = max(chances[allergen] ?? 0, verdict.probability)
                } else if verdict.verdict.isWarning {
                    let key = Key(
                        allergen: allergen, kind: verdict.verdict, percent: Int(nearest: verdict.probability * 100))
                    people[key, default: []].append(mark)
                } else if verdict.verdict == .cannotTell, !verdict.isUnlikely, verdict.by == nil {
                    unclear[allergen, default: []].append(mark)
                }
            }
        }
        func name(_ allergen: Allergen) -> String {
            let own = allergen == .personal ? item.findings.personalWords : []
            return own.isEmpty ? shown.language.wording.name(of: allergen) : texts.list(own)
        }
        let sorted = people.sorted {
            ($0.key.kind.severity, $0.key.percent, $1.key.allergen.rawValue)
                > ($1.key.kind.severity, $1.key.percent, $0.key.allergen.rawValue)
        }
        var chips = sorted.map { key, people in
            return DishChip(
                style: key.kind.style, icon: key.kind.style, word: texts.text("v.\(key.kind.rawValue)"),
                names: " " + name(key.allergen), percent: key.kind == .likely ? "\(key.percent) %" : nil,
                isWarning: true, people: people)
        }
        func ask(_ names: [String], style: String, of people: [Allergen: [PersonMark]]) {
            guard !names.isEmpty else { return }
            let marks = shown.marked.map(\.mark).filter { mark in people.values.contains { $0.contains(mark) } }
            chips.append(
                DishChip(
                    style: "cannot chip--" + style, icon: "cannot", word: texts.text("band.ask"),
                    names: ": " + texts.list(names), people: marks))
        }
        let probable = chances.sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
        let named = probable.prefix(mostNames).map { name($0.key) + " " + Chip.percent($0.value...$0.value) }
        let more = probable.count - named.count
        let rest = more > 0 ? [texts.text("dish.unclear.more", ["n": "\(more)"])] : []
        ask(named + rest, style: "possible", of: possible)
        let silent = unclear.keys.map(name).sorted()
        let isShort = silent.count <= mostNames
        ask(
            isShort ? silent : [texts.text("dish.unclear", ["n": "\(silent.count)"])], style: "quiet", of: unclear)
        let told = (item.statements ?? []).compactMap { statement in
            switch statement.said {
            case .absent: shown.language.denied(statement.allergen)
            case .canOmit: shown.language.said(.canOmit, statement.allergen)
            case .contains, .mayContain, .unknown: nil
            }
        }
        let before = shown.contained(before: item)
        if !before.isEmpty {
            chips.append(
                DishChip(
                    style: "staff", icon: "staff", word: texts.text("staff.before"),
                    names: " " + before.map(shown.said).joined(separator: "; ")))
        }
        if !told.isEmpty {
            chips.append(
                DishChip(
                    style: "staff", icon: "staff", word: texts.text("dish.staff"), names: ": " + texts.list(told)))
        }
        return chips
    }
}
