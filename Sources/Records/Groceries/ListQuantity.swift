import Foods
import Core
import Foundation

/// A quantity that a person typed for an entry of a list: `3`, `1/2 l`, `500g`, `0,75 kg`.
package struct ListQuantity: Sendable, Hashable {
    /// Thousandths of the unit, 1…1,000,000.
    package let thousandths: Int64
    /// `piece`, `kg` or `l`.
    package let unit: PriceUnit

    private static let mostLetters = 40

    /// Nil if the text is more or less than one number and a unit, and if the quantity is out of range.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.mostLetters else { return nil }
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let (number, rest) = WrittenNumber.prefix(of: text) else { return nil }
        let word = rest.trimmingCharacters(in: .whitespaces).lowercased()
        guard let unit = AmountUnit(printed: word) else {
            guard word.isEmpty || AmountUnit.pieces.contains(word),
                let thousandths = Self.thousandths(of: String(text.dropLast(rest.count)))
            else { return nil }
            (self.thousandths, self.unit) = (thousandths, .piece)
            return
        }
        // "1,500 g" may be 1,500 grams. Nobody writes thousands of the larger units in a list.
        guard number.alternative == nil || unit.baseUnits >= 1000,
            let thousandths = Self.thousandths((number.decimal * unit.baseUnits).rounded)
        else { return nil }
        (self.thousandths, self.unit) = (thousandths, unit.dimension == .mass ? .kilogram : .litre)
    }

    /// A number that a person typed, without a unit, in thousandths; nil for other text and for more than three decimals.
    /// Fractions such as `1/3` are rounded.
    package static func thousandths(of text: String) -> Int64? {
        guard text.utf8.count <= mostLetters, let number = WrittenNumber(text) else { return nil }
        let (exact, isFraction) = (number.decimal * 1000, text.contains { !$0.isASCII || $0 == "/" })
        return isFraction || exact == exact.rounded ? thousandths(exact.rounded) : nil
    }

    private static func thousandths(_ number: Decimal) -> Int64? {
        (1...1_000_000).contains(number) ? NSDecimalNumber(decimal: number).int64Value : nil
    }
}

/// What a person typed for a list: a name, with a quantity before it (`2 Milch`, `500 g Mehl`, `1/2 l milk`) or a number of
/// pieces after it (`Milk x2`, `Milk 2x`).
///
/// A content behind a name (`Butter 250 g`) is part of the name, as printed on packages.
package struct TypedEntry: Sendable, Hashable {
    /// The name without the quantity; the whole text where no quantity is typed.
    package let name: String
    package let quantity: ListQuantity?

    /// The words of the longest quantity: `1 1/2 l`, `2 500 ml`.
    private static let mostWords = 3
    /// A larger number without a unit belongs to the name: flour 405, a vintage.
    private static let mostPieces: Int64 = 100

    package init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let parts = ListQuantity(text) == nil ? Self.parts(words) : nil
        name = parts?.name.joined(separator: " ") ?? text
        quantity = parts?.quantity
    }

    private static func parts(_ words: [String]) -> (quantity: ListQuantity, name: [String])? {
        for count in stride(from: min(mostWords, words.count - 1), to: 0, by: -1) {
            let name = Array(words[count...])
            if beginsName(name), let quantity = before(words[..<count]) { return (quantity, name) }
        }
        for count in [2, 1] where words.count > count {
            let name = Array(words.dropLast(count))
            if let quantity = behind(words.suffix(count).joined()) { return (quantity, name) }
        }
        return nil
    }

    /// True if a name can begin so: with a letter, but not with a unit, or with the number under a barcode.
    private static func beginsName(_ words: [String]) -> Bool {
        guard let first = words.first, let letter = first.first else { return false }
        return letter.isLetter && !AmountUnit.counts(first)
            || words.count == 1 && GTIN(typed: first) != nil
    }

    private static func before(_ words: ArraySlice<String>) -> ListQuantity? {
        let text = words.joined(separator: " ")
        // `007` and `00` are no quantities.
        guard text.firstMatch(of: /^0[0-9]/) == nil, let quantity = ListQuantity(text) else { return nil }
        let isPlain = !text.contains { $0.isLetter || $0 == "×" }
        return isPlain && quantity.thousandths > mostPieces * 1000 ? nil : quantity
    }

    /// `x2`, `2x` and their signs.
    private static func behind(_ text: String) -> ListQuantity? {
        let signs: Set<Character> = ["x", "X", "×"]
        if let first = text.first, signs.contains(first) {
            let number = String(text.dropFirst())
            return number.last.map(signs.contains) == true ? nil : ListQuantity(number).flatMap(pieces)
        }
        return text.last.map(signs.contains) == true ? ListQuantity(text).flatMap(pieces) : nil
    }

    private static func pieces(_ quantity: ListQuantity) -> ListQuantity? { quantity.unit == .piece ? quantity : nil }
}
