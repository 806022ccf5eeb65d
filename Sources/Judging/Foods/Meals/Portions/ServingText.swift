import Core
import Foundation

/// Reads amounts in the texts of packages: serving sizes such as `1 cup (240 mL)`, and contents such as `4 x 25 g`.
package enum ServingText {
    /// An amount at its place in a text.
    package struct Found: Sendable, Hashable {
        package var amount: Amount
        package var unit: AmountUnit
        /// The number of units as written.
        package var count: Decimal
        /// Index of the first character of the number, and the index after the unit.
        var start, end: Int
    }

    /// Longer texts are cut; a serving is a short phrase.
    private static let mostLetters = 200
    /// An amount above it, in grams or millilitres, is read in the other way where a number is ambiguous.
    private static let mostPlausible: Decimal = 20_000
    /// Grams or millilitres; above it the digits are no amount.
    private static let most: Decimal = 1_000_000_000

    /// The amount of one serving: the first amount in a unit of packages, else the first cup or spoon. A count before it
    /// does not multiply it (`2 buns = 20 g`). Nil if the text has no amount.
    package static func serving(_ text: String) -> Amount? {
        let all = amounts(text)
        return (all.first { !$0.unit.isHousehold } ?? all.first)?.amount
    }

    /// The amount of a whole package. A count before the amount multiplies it: `4 x 25 g`, `2 barquettes de 40 g`.
    package static func quantity(_ text: String) -> Amount? {
        let all = amounts(text)
        guard var found = all.first(where: { !$0.unit.isHousehold }) ?? all.first else { return nil }
        let letters = self.letters(text)
        if let times = multiplier(before: found.start, in: letters) { found.amount.value *= times }
        return found.amount
    }

    /// All amounts in the order of the text. Pounds and ounces side by side are one amount: `1 lb 4 oz`.
    package static func amounts(_ text: String) -> [Found] {
        let letters = letters(text)
        return scanned(letters).reduce(into: []) { amounts, found in
            guard let last = amounts.last, last.unit == .pound, found.unit == .ounce, found.count < 16,
                letters[last.end..<found.start].allSatisfy({ Folding.isSpace($0) || $0 == "." })
            else { return amounts.append(found) }
            amounts[amounts.count - 1].amount.value += found.amount.value
            amounts[amounts.count - 1].end = found.end
        }
    }

    private static func scanned(_ letters: [Unicode.Scalar]) -> [Found] {
        var found: [Found] = []
        var index = 0
        while index < letters.count {
            guard PrintedNumber.begins(letters[index]), let (number, end) = WrittenNumber.scan(letters, from: index)
            else {
                index += 1
                continue
            }
            if let (unit, last) = unit(letters, from: end), number.value > 0,
                case let count = plausible(number, unit), count * unit.baseUnits < most
            {
                found.append(
                    Found(
                        amount: Amount(value: count * unit.baseUnits, dimension: unit.dimension), unit: unit,
                        count: count, start: index, end: last))
                index = last
            } else {
                index = end
            }
        }
        return found
    }

    static func letters(_ text: String) -> [Unicode.Scalar] {
        Array(text.precomposedStringWithCanonicalMapping.unicodeScalars.prefix(mostLetters))
    }

    private static func plausible(_ number: WrittenNumber, _ unit: AmountUnit) -> Decimal {
        guard let other = number.alternative, number.value * unit.baseUnits > mostPlausible else { return number.value }
        return other
    }

    /// The unit after a number, and the index after it.
    static func unit(_ letters: [Unicode.Scalar], from start: Int) -> (AmountUnit, end: Int)? {
        guard let (word, after) = word(letters, from: start, skipping: "-") else { return nil }
        if word.lowercased() == "fl" {
            let ounce = self.word(letters, from: after, skipping: ".")
            return ounce.flatMap { AmountUnit(word: $0.text) == .ounce ? (.fluidOunce, $0.end) : nil }
        }
        if let unit = AmountUnit(word: word) { return (unit, after) }
        // Chinese and Japanese have no blank after the unit.
        guard word.unicodeScalars.first?.properties.isIdeographic == true else { return nil }
        for length in [2, 1] where word.count > length {
            if let unit = AmountUnit(word: word.prefix(length)) { return (unit, after - word.count + length) }
        }
        return nil
    }

    /// The letters behind blanks and a sign, and the index after them; nil if there are none.
    private static func word(
        _ letters: [Unicode.Scalar], from start: Int, skipping sign: Unicode.Scalar
    ) -> (text: String, end: Int)? {
        let word = letters[start...].drop { Folding.isSpace($0) || $0 == sign }.prefix { $0.properties.isAlphabetic }
        return word.isEmpty ? nil : (String(scalars: word), word.endIndex)
    }

    private static let of: Set = ["de", "of", "à", "a", "von", "di", "je", "zu", "da", "x"]

    /// The count of `4 x 25 g` and `10 unités de 170 g`.
    private static func multiplier(before end: Int, in letters: [Unicode.Scalar]) -> Decimal? {
        guard let start = letters[..<end].firstIndex(where: PrintedNumber.begins),
            let (number, last) = WrittenNumber.scan(letters, from: start), last <= end,
            number.value == number.value.rounded, (1...1000).contains(number.value)
        else { return nil }
        let between = String(scalars: letters[last..<end]).trimmingCharacters(in: .whitespaces).lowercased()
        if ["x", "×", "*"].contains(between) { return number.value }
        let words = between.split(whereSeparator: \.isWhitespace)
        let isCounted = (2...3).contains(words.count) && words.allSatisfy { $0.allSatisfy(\.isLetter) }
        return isCounted && of.contains(words.last.map(String.init) ?? "") ? number.value : nil
    }
}
