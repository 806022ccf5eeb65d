import Foundation

/// A number as people and packages write it: `2,5`, `100 000`, `33,000,000`, `1/2`, `1 ½`.
package struct WrittenNumber: Sendable, Hashable {
    package var value: Decimal
    /// The other reading of `1,500`: a comma or point before three digits may separate thousands or decimals.
    package var alternative: Decimal?

    /// The number that is the whole text; nil for other text, and for numbers of more digits.
    package init?(_ text: String, mostDigits: Int = Self.mostDigits) {
        let letters = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars)
        guard let (number, end) = Self.scan(letters, from: 0, mostDigits: mostDigits), end == letters.count
        else { return nil }
        self = number
    }

    package init(value: Decimal, alternative: Decimal? = nil) {
        self.value = value
        self.alternative = alternative
    }

    /// The value if a sign before three digits is a decimal sign.
    package var decimal: Decimal { min(value, alternative ?? value) }

    package static let mostDigits = 15

    /// The number at the beginning of a text, and the text after it; nil if the text begins otherwise.
    package static func prefix(of text: String) -> (WrittenNumber, rest: String)? {
        let letters = Array(text.unicodeScalars)
        return scan(letters, from: 0).map { ($0.0, String(scalars: letters[$0.end...])) }
    }

    /// The number that begins at `start`, and the index after it.
    package static func scan(
        _ text: [Unicode.Scalar], from start: Int, mostDigits: Int = Self.mostDigits
    ) -> (WrittenNumber, end: Int)? {
        guard let print = PrintedNumber(at: start, in: text, blanks: .betweenThousands),
            print.groups.reduce(0, { $0 + $1.count }) <= mostDigits
        else { return nil }
        let fraction = print.fraction.map { ($0.value, $0.range.upperBound) }
        if let fraction, !print.hasWhole { return (WrittenNumber(value: fraction.0), fraction.1) }
        guard let plain = WrittenNumber(print, in: text) else { return nil }
        guard let fraction, plain.value == plain.value.rounded else { return (plain, print.end) }
        return (WrittenNumber(value: plain.value + fraction.0), fraction.1)
    }

    /// The number of digits in groups, without a fraction.
    private init?(_ print: PrintedNumber, in text: [Unicode.Scalar]) {
        let digits = print.groups.map { String(scalars: text[$0]) }
        guard let last = digits.last else { return nil }
        let whole = Decimal(digits: digits.joined())
        let decimal = print.hasDecimals ? Decimal(digits: digits.dropLast().joined() + "." + last) : nil
        switch print.signs.last {
        case nil: self.init(whole)
        case " ", "'": self.init(print.isGrouped ? whole : nil)
        case _ where print.signs.count > 1: self.init(print.isGrouped ? whole : decimal)
        case _ where !print.isGrouped || digits[0] == "0": self.init(decimal)
        case ",": self.init(whole, alternative: decimal)
        default: self.init(decimal, alternative: whole)
        }
    }

    private init?(_ value: Decimal?, alternative: Decimal? = nil) {
        guard let value else { return nil }
        self.init(value: value, alternative: alternative)
    }
}

extension PrintedNumber.Fraction {
    package var value: Decimal { Decimal(numerator) / Decimal(denominator) }
}

extension Decimal {
    /// The value of ASCII digits, with at most one point between them and at most one minus sign before; nil for any other
    /// text. `Decimal(string:)` takes a number at the beginning of a text.
    package init?(digits text: some StringProtocol) {
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 100, parts.count <= 2, !text.hasPrefix("--"),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let value = Decimal(string: String(text), locale: nil)
        else { return nil }
        self = value
    }

    /// The nearest whole number.
    package var rounded: Decimal { rounded(places: 0) }

    /// Rounded to this number of decimals, halves away from zero.
    package func rounded(places: Int) -> Decimal {
        var (result, value) = (Decimal(), self)
        NSDecimalRound(&result, &value, places, .plain)
        return result
    }
}
