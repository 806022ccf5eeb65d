import Core

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

    /// The most serious first.
    static var bySeverity: [Self] { allCases.sorted { $0.severity > $1.severity } }
}

/// Allergens of a person with the same verdict; they share a chip.
struct VerdictGroup {
    var kind: AllergenVerdict.Kind
    var allergens: [String]
    /// Lowest and highest probability, 0…1.
    var range: ClosedRange<Double>
    var isChecked: Bool

    /// The groups of one person's verdicts, most serious first.
    static func all(
        _ verdicts: [Allergen: AllergenVerdict], words: [String], _ language: PageLanguage
    ) -> [VerdictGroup] {
        let groups = Dictionary(grouping: verdicts) { Key(kind: $0.value.verdict, isChecked: $0.value.isConfirmed) }
        return groups.map { key, members in
            let sorted = members.sorted {
                ($0.value.probability, $1.key.rawValue) > ($1.value.probability, $0.key.rawValue)
            }
            let values = sorted.map(\.value.probability)
            return VerdictGroup(
                kind: key.kind, allergens: sorted.map { language.name(of: $0.key, words: words) },
                range: (values.min() ?? 0)...(values.max() ?? 0), isChecked: key.isChecked)
        }.sorted { ($0.kind.severity, $0.isChecked ? 1 : 0) > ($1.kind.severity, $1.isChecked ? 1 : 0) }
    }

    private struct Key: Hashable {
        var kind: AllergenVerdict.Kind
        var isChecked: Bool
    }
}

/// A verdict as a mark of colour, icon and words.
struct Chip {
    let style, word: String
    let names, percent: String?
    var hint: String?
    let isWarning, isChecked: Bool
    /// Without a colour.
    var isQuiet: Bool

    init(
        _ kind: AllergenVerdict.Kind, names: String?, percent: String? = nil, hint: String? = nil,
        isChecked: Bool = false, _ texts: PageTexts
    ) {
        style = kind.style
        word = texts.text("v.\(kind.rawValue)")
        self.names = names
        self.percent = percent
        self.hint = hint
        isWarning = kind.isWarning
        self.isChecked = isChecked
        isQuiet = !kind.isWarning
    }

    init(_ group: VerdictGroup, isDish: Bool, _ texts: PageTexts) {
        self.init(
            group.kind, names: texts.list(group.allergens),
            // Where the text says nothing there is no probability worth reading.
            percent: group.kind.isWarning ? Self.percent(of: group.kind, group.range) : nil,
            hint: group.kind == .notFoundInText ? texts.text(isDish ? "v.ask" : "v.check") : nil,
            isChecked: group.isChecked, texts)
    }

    /// The probability of a verdict; nil for a printed "may contain", which is not in doubt: its probability is that of
    /// traces.
    static func percent(of kind: AllergenVerdict.Kind, _ range: ClosedRange<Double>) -> String? {
        kind == .mayContain ? nil : percent(range)
    }

    /// `95 %`, or `81–95 %`.
    static func percent(_ range: ClosedRange<Double>) -> String {
        let (low, high) = (Int(nearest: range.lowerBound * 100), Int(nearest: range.upperBound * 100))
        return low == high ? "\(low) %" : "\(low)–\(high) %"
    }
}

extension AllergenVerdict {
    /// True if a person said so; a denial does not confirm the print that it lies beside.
    fileprivate var isConfirmed: Bool { by != nil && !(said == .absent && verdict.isWarning) }
}

extension [Allergen: AllergenVerdict] {
    /// Order of a dish: its most serious verdict, then its risk and probability.
    var gravity: Double {
        values.map(\.gravity).max() ?? 0
    }
}

/// The band of a dish on a result: by its most serious verdict for the people who are shown.
enum Band: Int, CaseIterable {
    case contains, likely, ask, denied, notMentioned

    init(_ verdict: AllergenVerdict) {
        switch verdict.verdict {
        case .contains: self = .contains
        case .likely: self = .likely
        case .mayContain, .cannotTell, .notFoundInText:
            self = verdict.said == .absent ? .denied : verdict.isUnlikely ? .notMentioned : .ask
        }
    }

    /// The part of its texts' keys, and the address of its head on the page.
    var key: String {
        switch self {
        case .contains: "contains"
        case .likely: "likely"
        case .ask: "ask"
        case .denied: "denied"
        case .notMentioned: "none"
        }
    }

    /// Ending of the style classes and icons.
    var style: String {
        switch self {
        case .ask: "cannot"
        case .denied: "staff"
        case .contains, .likely, .notMentioned: key
        }
    }
}
