import Foundation

/// How long ago a record was made, in words for people: outcomes hold its day, and what is shown counts from it.
public enum RecordAge {
    /// `2 years old`, `5 months old`, `12 days old`, `from today`.
    ///
    /// - Parameters:
    ///   - day: `yyyy-MM-dd`.
    ///   - date: now.
    /// - Returns: nil for what is no day.
    public static func words(since day: String, asOf date: Date) -> String? {
        guard let began = try? Date(day, strategy: .iso8601.year().month().day()) else { return nil }
        let days = Int((date.timeIntervalSince(began) / 86_400).rounded(.down))
        func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s") old" }
        return switch days {
        case ...0: "from today"
        case 1..<61: count(days, "day")
        case 61..<730: count(days / 30, "month")
        default: count(days / 365, "year")
        }
    }
}

extension Product.Trust {
    /// Whose word the record is, for people.
    public var words: String {
        switch self {
        case .producer: "from the producer"
        case .retailer: "from a retailer"
        case .crowd: "crowd-sourced"
        }
    }
}
