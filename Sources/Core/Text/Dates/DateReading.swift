/// A day, a month, or a day without a year.
package struct PrintedDay: Sendable, Hashable, Comparable {
    package var year: Int?
    package var month: Int
    package var day: Int?

    /// Years in which the date of a package may lie; older numbers are other codes.
    package static let packageYears = 2010...2036

    /// ISO 8601: `2021-11-03`, `2021-11`, `--11-03`.
    package var iso: String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let head = year.map { "\($0)-\(two(month))" } ?? "--\(two(month))"
        return day.map { "\(head)-\(two($0))" } ?? head
    }

    var isValid: Bool {
        guard (1...12).contains(month) else { return false }
        guard let day else { return year != nil }
        let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    package static func < (one: PrintedDay, other: PrintedDay) -> Bool {
        (one.year ?? 0, one.month, one.day ?? 31) < (other.year ?? 0, other.month, other.day ?? 31)
    }
}

/// A date in a text, with every order in which it can be read.
package struct DateReading: Sendable {
    package enum Order: String, Sendable, Hashable, Codable { case dayMonth, monthDay, yearMonth }

    package struct Choice: Sendable, Hashable {
        package var day: PrintedDay
        package var order: Order
    }

    /// Range of scalars in the text.
    package var range: Range<Int>
    /// Without duplicates, in the order dayMonth, monthDay, yearMonth.
    package var choices: [Choice]
    /// True if the year has four digits or the month is a word.
    package var isExplicit: Bool
    /// True for digits without separators.
    package var isCompact = false
    /// True for a month word.
    package var hasMonthName = false
    /// True if a part had to be corrected or blanks separate the parts.
    package var isWeak = false
    /// True if the month is a word that OCR misread in one letter.
    package var isMisread = false
    /// True for digits that a blank splits or a year that lost its first digits: a date only beside its words.
    package var needsWords = false
    /// True for a month with two digits of a year, "05/25": a date only beside its words or beside another one.
    package var isShortMonth = false
    /// March 2025 for "MAR 25", which may be a day too; nil for other forms.
    package var month: Choice?

    /// True for six digits without separators, such as a lot may have too.
    package var isBare: Bool { isCompact && !isExplicit }
}
