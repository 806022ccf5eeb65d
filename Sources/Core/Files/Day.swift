import Foundation

/// A calendar day without a time zone, `yyyy-MM-dd`.
package struct Day: Sendable, Hashable, Comparable, TextCodable {
    package static let form = "a day such as 2026-11-22"

    /// Days since 1970-01-01.
    package var number: Int

    package init(number: Int) { self.number = number }

    /// The first day that no entry, weight or goal may have: 2100-01-01.
    package static let end = Day(number: 47_482)

    /// The day of an instant in a zone.
    package init(of instant: Date, in zone: TimeZone) {
        let seconds = instant.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: instant))
        number = Int((seconds / 86_400).rounded(.down))
    }

    /// Nil for another form, for a day that no month has, and for years outside 1970 to 9999.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), (1970...9999).contains(year), (1...12).contains(month)
        else { return nil }
        self = Day(year: year, month: month, day: day)
        guard components == (year, month, day) else { return nil }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Days from the civil calendar (Hinnant, "chrono-compatible low-level date algorithms").
    private init(year: Int, month: Int, day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Year, month 1…12 and day 1…31.
    package var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    package var description: String {
        let (year, month, day) = components
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int { ((number + 3) % 7 + 7) % 7 + 1 }

    package func adding(_ days: Int) -> Day { Day(number: number + days) }

    package static func < (one: Day, other: Day) -> Bool { one.number < other.number }

    /// The first instant of the day in a zone. Where the clock skips midnight, it is the first one after it.
    package func start(in zone: TimeZone) -> Date {
        let midnight = Date(timeIntervalSince1970: Double(number) * 86_400)
        var instant = midnight - Double(zone.secondsFromGMT(for: midnight))
        instant = midnight - Double(zone.secondsFromGMT(for: instant))
        return Day(of: instant, in: zone) < self ? instant + 3600 : instant
    }
}
