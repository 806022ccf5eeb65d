import Foundation

/// Converts figures of a serving to 100 g or 100 ml.
package enum PerHundred {
    /// A serving of this amount or less is not extrapolated: its printed figures are rounded too coarsely.
    package static let smallestServing: Decimal = 5

    /// - Parameters:
    ///   - value: the figure of one serving.
    ///   - serving: grams or millilitres of the serving.
    /// - Returns: the figure of 100 units; nil for a serving of 5 or less.
    package static func value(_ value: Decimal, serving: Decimal) -> Decimal? {
        guard serving > smallestServing else { return nil }
        return value * 100 / serving
    }
}
