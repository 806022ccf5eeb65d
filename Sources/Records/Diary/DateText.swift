import Core
import Foundation

/// A date as a table writes it, perhaps with a time, before the order of day and month is known.
struct DateText {
    enum Order {
        case known(Day)
        /// Two numbers from 1 to 31 between slashes or hyphens.
        case open(first: Int, second: Int)
    }

    let order: Order
    private let year: String
    /// After the date; empty if there is no time.
    private let rest: String

    /// Nil for a text that begins with no date. With dots the day is first.
    init?(_ text: String) {
        let date = text.prefix { $0.isASCII && ($0.isNumber || "-/.".contains($0)) }
        let parts = date.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
        let marks = Set(date.filter { !$0.isNumber })
        guard parts.count == 3, marks.count == 1 else { return nil }
        let rest = text.dropFirst(date.count)
        guard rest.isEmpty || " T,".contains(rest.first ?? "x") else { return nil }
        self.rest = rest.dropFirst().trimmingCharacters(in: .whitespaces)
        if parts[0].count == 4 {
            guard let day = Self.day(parts[0], ClockText.number(parts[1], 1...12), ClockText.number(parts[2], 1...31))
            else { return nil }
            (order, year) = (.known(day), String(parts[0]))
            return
        }
        // Spreadsheets save dates as they show them, often with two digits of the year.
        guard parts[2].count == 4 || parts[2].count == 2 && marks != ["-"],
            let first = ClockText.number(parts[0], 1...31), let second = ClockText.number(parts[1], 1...31)
        else { return nil }
        year = (parts[2].count == 2 ? "20" : "") + parts[2]
        if marks == ["."] {
            guard let day = Self.day(year, second, first) else { return nil }
            order = .known(day)
        } else {
            order = .open(first: first, second: second)
        }
    }

    /// Nil for a day that no month has, and for a time that cannot be read.
    ///
    /// - Parameters:
    ///   - clock: the time of another column, if the date has none.
    ///   - zone: of a time that ends with Z. A time with another offset keeps its day.
    func time(isDayFirst: Bool, clock: String, in zone: TimeZone) -> MeasuredTime? {
        let day: Day?
        switch order {
        case .known(let known): day = known
        case .open(let first, let second):
            day = isDayFirst ? Self.day(year, second, first) : Self.day(year, first, second)
        }
        guard let day else { return nil }
        let text = rest.isEmpty ? clock : rest
        guard !text.isEmpty else { return MeasuredTime(day: day, seconds: 0, offset: 0) }
        let sign = text.lastIndex { "+-Z".contains($0) } ?? text.endIndex
        let clock = text[..<sign].trimmingCharacters(in: .whitespaces)
        guard let seconds = ClockText.seconds(clock) else { return nil }
        guard sign < text.endIndex else { return MeasuredTime(day: day, seconds: seconds, offset: 0) }
        guard let offset = ClockText.offset(String(text[sign...])) else { return nil }
        var time = MeasuredTime(day: day, seconds: seconds, offset: offset)
        if text[sign] == "Z" { time.day = Day(of: Date(timeIntervalSince1970: Double(time.instant)), in: zone) }
        return time
    }

    private static func day(_ year: some StringProtocol, _ month: Int?, _ day: Int?) -> Day? {
        guard let month, let day else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return Day("\(year)-\(two(month))-\(two(day))")
    }
}

/// The order of day and month in the dates of a table.
struct DateOrder {
    let isDayFirst: Bool

    /// - Parameters:
    ///   - dates: nil for rows without a date.
    ///   - firstRow: the number of the first of `dates` in the file.
    /// - Throws: ``DiaryProblem`` if the dates fit both orders with different days, or neither.
    init(_ dates: some Sequence<DateText?>, in name: String, firstRow: Int) throws(DiaryProblem) {
        /// The first row that is no date in the other order.
        var (dayFirst, monthFirst, open): (Int?, Int?, Int?)
        for (number, date) in dates.enumerated() {
            guard case .open(let first, let second)? = date?.order else { continue }
            if first > 12 { dayFirst = dayFirst ?? number + firstRow }
            if second > 12 { monthFirst = monthFirst ?? number + firstRow }
            if first != second { open = open ?? number + firstRow }
        }
        let column = "the dates of the column “\(name.prefix(40))”"
        switch (dayFirst, monthFirst, open) {
        case (let day?, let month?, _):
            throw .badFile(
                "\(column) have the day first in some rows (row \(day)) and the month first in others "
                    + "(row \(month)): write them as 2026-11-22")
        case (nil, nil, let open?):
            throw .badFile(
                "\(column) can be read with the day first or with the month first (row \(open)): "
                    + "write them as 2026-11-22")
        default: isDayFirst = monthFirst == nil
        }
    }
}

struct MeasuredTime: Equatable {
    /// The day where it was measured.
    var day: Day
    /// Seconds since 1970 in UTC.
    var instant: Int

    /// `2024-03-05 07:12:33 +0100`; nil for anything else. The day is that of the offset.
    init?(health text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let day = Day(parts[0]), let seconds = ClockText.seconds(parts[1]),
            let offset = ClockText.offset(parts[2])
        else { return nil }
        self.init(day: day, seconds: seconds, offset: offset)
    }

    /// - Parameters:
    ///   - seconds: since the day began.
    ///   - offset: seconds ahead of UTC.
    init(day: Day, seconds: Int, offset: Int) {
        self.day = day
        instant = day.number * 86_400 + seconds - offset
    }
}

/// Times of day and offsets from UTC.
enum ClockText {
    /// Seconds of `07:12`, `7:12:33`, `07:12:33.123` and `7:12 PM`; nil for anything else.
    static func seconds(_ text: String) -> Int? {
        var text = text.uppercased()
        var half: Int?
        for (mark, hours) in [("AM", 0), ("PM", 12)] where text.hasSuffix(mark) {
            text = text.dropLast(2).trimmingCharacters(in: .whitespaces)
            half = hours
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = number(parts[0], 0...23),
            let minute = number(parts[1], 0...59)
        else { return nil }
        var second = 0
        if parts.count == 3 {
            guard let whole = parts[2].split(separator: ".").first, let value = number(whole, 0...60) else {
                return nil
            }
            second = value
        }
        guard let half else { return hour * 3600 + minute * 60 + second }
        guard (1...12).contains(hour) else { return nil }
        return (hour % 12 + half) * 3600 + minute * 60 + second
    }

    /// Seconds of `Z`, `+0100`, `-05:30`; nil for anything else.
    static func offset(_ text: String) -> Int? {
        if text == "Z" { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard let sign = text.first, "+-".contains(sign), digits.count == 4,
            let hours = number(digits.prefix(2), 0...14),
            let minutes = number(digits.suffix(2), 0...59)
        else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    static func number(_ digits: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int(digits), range.contains(value)
        else { return nil }
        return value
    }
}
