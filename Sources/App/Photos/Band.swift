import Core

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
