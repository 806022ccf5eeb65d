import Foundation

/// The time of an answer as RFC 9110 writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate: CustomStringConvertible {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let description: String

    init(_ time: Date) {
        var seconds = time_t(time.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits).joined(separator: ":")
        let day = Self.twoDigits(parts.tm_mday), month = Self.months[Int(parts.tm_mon)]
        description = "\(Self.days[Int(parts.tm_wday)]), \(day) \(month) \(parts.tm_year + 1900) \(clock) GMT"
    }

    private static func twoDigits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
