import Foundation

/// A day of the Gregorian calendar, in UTC.
struct CalendarDay: Decodable {
    /// Days since 1 January 1970.
    let number: Int

    /// The day a moment lies in.
    init(_ date: Date) { number = Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// `yyyy-MM-dd`; nil for another spelling or a day that the calendar lacks.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let figures = parts.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
        guard parts.map(\.count) == [4, 2, 2], figures.count == 3, figures[0] >= 1, (1...12).contains(figures[1])
        else { return nil }
        let (year, month, day) = (figures[0], figures[1], figures[2])
        let leap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        let before = year - 1
        let sinceYearOne =
            before * 365 + before / 4 - before / 100 + before / 400
            + lengths.prefix(month - 1).reduce(0, +) + day - 1
        number = sinceYearOne - 719_162  // 1 January 1970, counted from 1 January of the year 1
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let day = CalendarDay(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is no day yyyy-MM-dd"))
        }
        self = day
    }
}
