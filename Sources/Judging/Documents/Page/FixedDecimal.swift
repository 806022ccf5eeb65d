import Core
import Foundation

/// A decimal number with at most four decimals, as whole ten-thousandths. Money never becomes a floating-point number.
package struct FixedDecimal: Sendable, Hashable, Comparable {
    /// Ten-thousandths.
    package var parts: Int64

    package init(parts: Int64) { self.parts = parts }
    package init(_ whole: Int) { parts = Int64(whole) * Self.one }

    /// The number to ten-thousandths; for units and their parts.
    init(_ value: Decimal) { parts = NSDecimalNumber(decimal: (value * Decimal(Self.one)).rounded).int64Value }

    /// The fraction to ten-thousandths; the rest is dropped.
    init(_ fraction: PrintedNumber.Fraction) {
        parts = Self.one * Int64(fraction.numerator) / Int64(fraction.denominator)
    }

    static let one: Int64 = 10_000
    static let zero = FixedDecimal(parts: 0)
    /// One cent.
    static let cent = FixedDecimal(parts: 100)

    /// - Parameters:
    ///   - whole: the digits before the decimal sign, at most nine.
    ///   - decimals: the digits after it; from the fifth on they are dropped.
    init?(whole: ArraySlice<UInt8>, decimals: ArraySlice<UInt8>) {
        guard whole.count <= 9 else { return nil }
        var value: Int64 = 0
        for digit in whole { value = value * 10 + Int64(digit) }
        var scale = Self.one
        value *= Self.one
        for digit in decimals.prefix(4) {
            scale /= 10
            value += Int64(digit) * scale
        }
        parts = value
    }

    package static func < (one: FixedDecimal, other: FixedDecimal) -> Bool { one.parts < other.parts }
    static func + (one: FixedDecimal, other: FixedDecimal) -> FixedDecimal { .init(parts: one.parts &+ other.parts) }
    static func - (one: FixedDecimal, other: FixedDecimal) -> FixedDecimal { .init(parts: one.parts &- other.parts) }
    static prefix func - (one: FixedDecimal) -> FixedDecimal { .init(parts: 0 &- one.parts) }

    /// The product, rounded to ten-thousandths; nil if it overflows.
    func times(_ other: FixedDecimal) -> FixedDecimal? {
        let (high, low) = parts.multipliedFullWidth(by: other.parts)
        // Nine digits before the point are enough for every print.
        guard high == 0 && low < UInt64(Int64.max) || high == -1 && Int64(bitPattern: low) < 0 else { return nil }
        return FixedDecimal(parts: Int64(bitPattern: low) / Self.one)
    }

    var magnitude: FixedDecimal { .init(parts: abs(parts)) }

    /// For ratios and tolerances only; never printed.
    var approximate: Double { Double(parts) / Double(Self.one) }

    /// The number with a point and at least `decimals` decimals: `12.50`, `0.158`, `-3`.
    func text(decimals: Int = 0) -> String {
        let sign = parts < 0 ? "-" : ""
        let whole = parts.magnitude / UInt64(Self.one)
        var rest = String(parts.magnitude % UInt64(Self.one))
        rest = String(repeating: "0", count: 4 - rest.count) + rest
        while rest.count > max(0, min(4, decimals)), rest.hasSuffix("0") { rest.removeLast() }
        return rest.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }
}
