import Foundation

/// Numbers for people, in English and German form.
package struct FigureText: Sendable {
    private let group, point: String

    /// - Parameter language: BCP 47; languages other than German have the English form.
    package init(language: String) { (group, point) = language.hasPrefix("de") ? (".", ",") : (",", ".") }

    /// `1,320`; a negative number has a minus sign.
    package func whole(_ value: Decimal) -> String { text(value, places: 0) }
    package func whole(_ value: Double) -> String { text(Decimal(value), places: 0) }

    /// At most one decimal, `71.3` or `71`.
    package func one(_ value: Decimal) -> String { text(value, places: 1) }
    package func one(_ value: Double) -> String { text(Decimal(value), places: 1) }

    /// At most two decimals, `0.35`.
    package func two(_ value: Double) -> String { text(Decimal(value), places: 2) }

    /// What is left of a goal, between the figures that ``whole(_:)`` shows of both.
    package static func rest(of goal: Decimal, after value: Decimal) -> Decimal { goal.rounded - value.rounded }

    private func text(_ value: Decimal, places: Int) -> String {
        guard value.isFinite else { return "–" }
        let digits = "\(abs(value.rounded(places: places)))"
        let parts = digits.split(separator: ".")
        var whole = ""
        for (place, digit) in (parts.first ?? "0").reversed().enumerated() {
            if place > 0, place % 3 == 0 { whole = group + whole }
            whole = String(digit) + whole
        }
        let sign = value < 0 && digits != "0" ? "−" : ""
        return sign + whole + (parts.count > 1 ? point + parts[1] : "")
    }
}
