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
        guard text.utf8.count <= Self.mostLetters,
            let (number, rest) = WrittenNumber.prefix(of: text.trimmingCharacters(in: .whitespaces))
        else { return nil }
        let word = rest.trimmingCharacters(in: .whitespaces).lowercased()
        // Nobody writes thousands in a list.
        let count = number.decimal
        guard let unit = AmountUnit(word: word), !unit.isHousehold else {
            guard Self.pieces.contains(word) else { return nil }
            self.init(count, .piece)
            return
        }
        // "1,500 g" may be 1,500 grams.
        let isSmall = unit.baseUnits < 1000
        guard number.alternative == nil || !isSmall else { return nil }
        self.init(count * unit.baseUnits / 1000, unit.dimension == .mass ? .kilogram : .litre)
    }

    private init?(_ count: Decimal, _ unit: PriceUnit) {
        guard let thousandths = Self.thousandths(count) else { return nil }
        (self.thousandths, self.unit) = (thousandths, unit)
    }

    /// A number that a person typed, without a unit, in thousandths; nil for other text.
    package static func thousandths(of text: String) -> Int64? {
        guard text.utf8.count <= mostLetters else { return nil }
        return WrittenNumber(text).flatMap { thousandths($0.decimal) }
    }

    private static func thousandths(_ count: Decimal) -> Int64? {
        let parts = (count * 1000).rounded
        return (1...1_000_000).contains(parts) ? NSDecimalNumber(decimal: parts).int64Value : nil
    }
}
