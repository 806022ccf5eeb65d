import HTTP
import Core

/// The words of one verdict for style sheet and screen reader.
extension AllergenVerdict.Kind {
    /// Ending of the style classes and icons.
    var style: String {
        switch self {
        case .contains: "contains"
        case .likely: "likely"
        case .mayContain: "may"
        case .cannotTell: "cannot"
        case .notFoundInText: "none"
        }
    }
}

typealias Values = [String: Any]

/// One chip: allergens of a person with the same verdict.
struct Chip {
    var kind: AllergenVerdict.Kind
    var allergens: [String]
    /// Lowest and highest probability, 0…1.
    var range: ClosedRange<Double>
    var isChecked: Bool

    /// The chips of one person's verdicts, most serious first.
    static func all(_ verdicts: [Allergen: AllergenVerdict], words: [String], _ language: PageLanguage) -> [Chip] {
        let groups = Dictionary(grouping: verdicts) { Key(kind: $0.value.verdict, isChecked: $0.value.by != nil) }
        return groups.map { key, members in
            let sorted = members.sorted {
                ($0.value.probability, $1.key.rawValue) > ($1.value.probability, $0.key.rawValue)
            }
            let values = sorted.map(\.value.probability)
            return Chip(
                kind: key.kind, allergens: sorted.map { language.name(of: $0.key, words: words) },
                range: (values.min() ?? 0)...(values.max() ?? 0), isChecked: key.isChecked)
        }.sorted { ($0.kind.severity, $0.isChecked ? 1 : 0) > ($1.kind.severity, $1.isChecked ? 1 : 0) }
    }

    private struct Key: Hashable {
        var kind: AllergenVerdict.Kind
        var isChecked: Bool
    }

    func values(_ texts: PageTexts, isDish: Bool) -> Values {
        var values: Values = [
            "style": kind.style, "word": texts.text("v.\(kind.rawValue)"), "names": texts.list(allergens),
            "isWarning": kind.isWarning, "isChecked": isChecked, "isQuiet": !kind.isWarning,
        ]
        // Where the text says nothing there is no probability worth reading.
        if kind.isWarning { values["percent"] = Self.percent(range) }
        if kind == .notFoundInText { values["hint"] = texts.text(isDish ? "v.ask" : "v.check") }
        return values
    }

    /// `95 %`, or `81–95 %`.
    static func percent(_ range: ClosedRange<Double>) -> String {
        let (low, high) = (Int(nearest: range.lowerBound * 100), Int(nearest: range.upperBound * 100))
        return low == high ? "\(low) %" : "\(low)–\(high) %"
    }
}

extension PageTexts {
    func person(_ name: String) -> String { name == "everyone" ? text("person.everyone") : name }

    /// Name and first letter of a person.
    func who(_ name: String) -> Values {
        let shown = person(name)
        return ["name": shown, "letter": String(shown.prefix(1)).uppercased()]
    }

    func level(_ probability: Double) -> Values {
        let level = Confidence(probability).level
        return ["level": level.rawValue, "levelWord": text("level.\(level.rawValue)")]
    }
}

extension [Allergen: AllergenVerdict] {
    /// Order of a dish: its most serious verdict, then its probability.
    var gravity: Double {
        values.map { Double($0.verdict.severity) * 10 + $0.probability }.max() ?? 0
    }
}
