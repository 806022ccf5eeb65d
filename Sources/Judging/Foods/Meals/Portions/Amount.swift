import Core
import Foundation

/// A mass in grams or a volume in millilitres.
package struct Amount: Sendable, Hashable {
    /// Grams or millilitres, above 0.
    package var value: Decimal
    package var dimension: AmountUnit.Dimension

    package init(value: Decimal, dimension: AmountUnit.Dimension) {
        self.value = value
        self.dimension = dimension
    }
}
