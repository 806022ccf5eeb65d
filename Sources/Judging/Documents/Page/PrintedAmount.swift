/// A number in a text that may be an amount of money.
public struct PrintedAmount: Sendable, Hashable {
    /// The printed form of the number.
    public enum Form: UInt8, Sendable, Hashable, CaseIterable {
        /// `12`
        case whole
        /// `7.5`
        case oneDecimal
        /// `12.50`, `12,50`
        case twoDecimals
        /// `9½`
        case fraction
        /// `4.000`, `1 200`
        case thousands
        /// `55K`
        case kilo
        /// `12,-`, `5.-`
        case dash
    }

    /// Range of Unicode scalars in the text.
    public var range: Range<Int>
    /// A decimal number with a point and without thousands separators: `12.50`, `4000`.
    public var value: String
    public var form: Form
    /// True if a currency sign or name is next to the number.
    public var isMarked: Bool
    /// ISO 4217; nil if there is no mark or several countries share it.
    public var currency: String?

    /// True if the form alone identifies an amount of money.
    public var isStrong: Bool {
        if isMarked { return true }
        switch form {
        case .kilo, .dash, .twoDecimals, .fraction, .thousands: return true
        case .whole, .oneDecimal: return false
        }
    }

    public var number: Double { Double(value) ?? 0 }
}

/// A price with the size printed before it. `small £4 large £6.50` gives two.
public struct LabelledAmount: Sendable, Hashable {
    public var amount: PrintedAmount
    /// As printed, `0,3 l`, or nil.
    public var label: String?
}
