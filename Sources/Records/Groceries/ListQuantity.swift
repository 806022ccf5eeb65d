import Baskets
import Core
import Foundation
import Meals

/// A quantity that a person typed for an entry of a list: `3`, `1/2 l`, `500g`, `0,75 kg`.
package struct ListQuantity: Sendable, Hashable {
    /// Thousandths of the unit, 1…1,000,000.
    package let thousandths: Int64
    /// `piece`, `kg` or `l`.
    package let unit: PriceUnit

    private static let pieces: Set = ["", "x", "×", "pc", "pcs", "piece", "pieces", "st", "stk", "stück", "stücke"]
    private static let mostLetters = 40

    /// Nil if the text is more or less than one number and a unit, and if the quantity is out of range.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.mostLetters else { return nil }
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let (number, rest) = WrittenNumber.prefix(of: text) else { return nil }
        let word = rest.trimmingCharacters(in: .whitespaces).lowercased()
        guard let unit = AmountUnit(word: word), !unit.isHousehold else {
            guard Self.pieces.contains(word), let thousandths = Self.thousandths(of: String(text.dropLast(rest.count)))
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
