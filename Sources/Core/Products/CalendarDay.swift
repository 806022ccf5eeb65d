/// A day of the Gregorian calendar, in UTC.
package struct CalendarDay: Sendable, Decodable {
    /// Days since 1 January 1970.
    package let number: Int

    package init(number: Int) { self.number = number }

    /// `yyyy-MM-dd`.
    package var text: String {
        // Days of a calendar whose years start in March (Howard Hinnant, "chrono-compatible low-level date
        // algorithms").
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let (day, month) = (dayOfYear - (153 * part + 2) / 5 + 1, part < 10 ? part + 3 : part - 9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ value: Int, _ length: Int) -> String {
            String(repeating: "0", count: max(0, length - "\(value)".count)) + "\(value)"
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Parses `yyyy-MM-dd`; nil for another format or a date that does not exist.
    package init?(_ text: String) {
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

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let day = CalendarDay(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is no day yyyy-MM-dd"))
        }
        self = day
    }
}
