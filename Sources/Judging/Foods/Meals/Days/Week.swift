import Core

/// A week of ISO 8601, `yyyy-Www`.
package struct Week: Sendable, Hashable, LosslessStringConvertible {
    /// Its Monday.
    package var monday: Day

    package init(of day: Day) { monday = day.adding(1 - day.weekday) }

    /// Nil for another form and for a week that the year does not have.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.count == 8, parts.count == 2, parts[1].hasPrefix("W"), let year = Int(parts[0]),
            let number = Int(parts[1].dropFirst()), let fourth = Day("\(parts[0])-01-04"), (1970...9998).contains(year)
        else { return nil }
        // 4 January is always in week 1.
        monday = Week(of: fourth).monday.adding((number - 1) * 7)
        guard (1...53).contains(number), description == text else { return nil }
    }

    /// The year that the week belongs to, and its number 1…53.
    package var number: (year: Int, week: Int) {
        let year = monday.adding(3).components.year
        guard let fourth = Day("\(year)-01-04") else { return (year, 1) }
        return (year, (monday.number - Week(of: fourth).monday.number) / 7 + 1)
    }

    package var description: String {
        let (year, week) = number
        return "\(year)-W\(week < 10 ? "0" : "")\(week)"
    }

    package var days: [Day] { (0..<7).map { monday.adding($0) } }

    package var before: Week { Week(of: monday.adding(-7)) }
    package var after: Week { Week(of: monday.adding(7)) }
}
