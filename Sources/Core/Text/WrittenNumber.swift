import Foundation

/// A number as people and packages write it: `2,5`, `100 000`, `33,000,000`, `1/2`, `1 ½`.
package struct WrittenNumber: Sendable, Hashable {
    package var value: Decimal
    /// The other reading of `1,500`: a comma or point before three digits may separate thousands or decimals.
    package var alternative: Decimal?

    /// The number that is the whole text; nil for other text, and for numbers of more digits.
    package init?(_ text: String, mostDigits: Int = Self.mostDigits) {
        let letters = Array(text.trimmingCharacters(in: .whitespacesAndNewlines))
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
    private static let vulgar: [Character: (Int, Int)] = [
        "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
        "⅞": (7, 8), "⅕": (1, 5), "⅙": (1, 6),
    ]

    package static func begins(_ letter: Character) -> Bool { isDigit(letter) || vulgar[letter] != nil }

    private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }

    private static func isSpace(_ letter: Character) -> Bool {
        [" ", "\u{A0}", "\u{202F}", "\u{2009}"].contains(letter)
    }

    private static func fraction(_ parts: (Int, Int)) -> Decimal { Decimal(parts.0) / Decimal(parts.1) }

    /// The number that begins at `start`, and the index after it.
    package static func scan(
        _ letters: [Character], from start: Int, mostDigits: Int = Self.mostDigits
    ) -> (WrittenNumber, end: Int)? {
        guard start < letters.count else { return nil }
        if let parts = vulgar[letters[start]] { return (WrittenNumber(value: fraction(parts)), start + 1) }
        guard let (plain, end) = digits(letters, from: start, mostDigits: mostDigits) else { return nil }
        let whole = plain.value == plain.value.rounded
        if whole, let (below, last) = divisor(letters, from: end) {
            return (WrittenNumber(value: plain.value / below), last)
        }
        // `1½`, `1 ½`, `1 1/2`
        var next = end
        while next < letters.count, isSpace(letters[next]) { next += 1 }
        if whole, next < letters.count {
            if let parts = vulgar[letters[next]] {
                return (WrittenNumber(value: plain.value + fraction(parts)), next + 1)
            }
            if next > end, let (above, middle) = digits(letters, from: next), above.value == above.value.rounded,
                let (below, last) = divisor(letters, from: middle), above.value < below
            {
                return (WrittenNumber(value: plain.value + above.value / below), last)
            }
        }
        return (plain, end)
    }

    /// The `2` of `/2`.
    private static func divisor(_ letters: [Character], from start: Int) -> (Decimal, end: Int)? {
        guard start < letters.count, ["/", "⁄"].contains(letters[start]),
            let (number, end) = digits(letters, from: start + 1), number.value > 0,
            number.value == number.value.rounded
        else { return nil }
        return (number.value, end)
    }

    /// Digits in groups, without fractions.
    private static func digits(
        _ letters: [Character], from start: Int, mostDigits: Int = Self.mostDigits
    ) -> (WrittenNumber, end: Int)? {
        func run(_ from: Int) -> String {
            String(letters[min(from, letters.count)...].prefix { isDigit($0) })
        }
        let first = run(start)
        guard !first.isEmpty else { return nil }
        var groups: [(separator: Character, digits: String)] = []
        var end = start + first.count
        while end + 1 < letters.count {
            let separator: Character = isSpace(letters[end]) ? " " : letters[end] == "’" ? "'" : letters[end]
            guard [" ", "'", ",", "."].contains(separator) else { break }
            let more = run(end + 1)
            guard !more.isEmpty else { break }
            // A blank or an apostrophe separates thousands only.
            if [" ", "'"].contains(separator), more.count != 3 || (groups.last?.digits ?? first).count > 3 { break }
            groups.append((separator, more))
            end += 1 + more.count
        }
        guard first.count + groups.reduce(0, { $0 + $1.digits.count }) <= mostDigits,
            let number = combined(first, groups)
        else { return nil }
        return (number, end)
    }

    private static func combined(_ first: String, _ groups: [(separator: Character, digits: String)]) -> WrittenNumber?
    {
        func number(_ whole: String, _ decimals: String) -> Decimal? {
            Decimal(digits: decimals.isEmpty ? whole : "\(whole).\(decimals)")
        }
        let all = groups.map(\.digits)
        guard let last = groups.last else { return number(first, "").map { WrittenNumber(value: $0) } }
        let joined = first + all.joined()
        let areThousands = all.allSatisfy { $0.count == 3 } && first.count <= 3
        if [" ", "'"].contains(last.separator) || groups.count > 1 && Set(groups.map(\.separator)).count == 1 {
            return areThousands ? number(joined, "").map { WrittenNumber(value: $0) } : nil
        }
        let decimal = number(first + all.dropLast().joined(), last.digits)
        guard groups.count == 1, areThousands, first != "0", let decimal, let thousands = number(joined, "") else {
            return decimal.map { WrittenNumber(value: $0) }
        }
        return last.separator == ","
            ? WrittenNumber(value: thousands, alternative: decimal)
            : WrittenNumber(value: decimal, alternative: thousands)
    }
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

extension WrittenNumber {
    /// The number at the beginning of a text, and the text after it; nil if the text begins otherwise.
    package static func prefix(of text: String) -> (WrittenNumber, rest: String)? {
        let letters = Array(text)
        return scan(letters, from: 0).map { ($0.0, String(letters[$0.end...])) }
    }
}
