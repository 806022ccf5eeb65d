import Core

/// A day, a month, or a day without a year.
struct PrintedDay: Sendable, Hashable, Comparable {
    var year: Int?
    var month: Int
    var day: Int?

    /// ISO 8601: `2021-11-03`, `2021-11`, `--11-03`.
    var iso: String {
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

    static func < (one: PrintedDay, other: PrintedDay) -> Bool {
        (one.year ?? 0, one.month, one.day ?? 31) < (other.year ?? 0, other.month, other.day ?? 31)
    }
}

/// A date in a text, with every order in which it can be read.
struct DateReading: Sendable {
    enum Order: String, Sendable, Hashable, Codable { case dayMonth, monthDay, yearMonth }

    struct Choice: Sendable, Hashable {
        var day: PrintedDay
        var order: Order
    }

    /// Range of scalars in the text.
    var range: Range<Int>
    /// Without duplicates, in the order dayMonth, monthDay, yearMonth.
    var choices: [Choice]
    /// True if the year has four digits or the month is a word.
    var isExplicit: Bool
    /// True for digits without separators.
    var isCompact = false
    /// True for a month word.
    var hasMonthName = false
    /// True if a part had to be corrected or blanks separate the parts.
    var isWeak = false
    /// True if the month is a word that OCR misread in one letter.
    var isMisread = false
    /// True for digits that a blank splits or a year that lost its first digits: a date only beside its words.
    var needsWords = false
}
