/// A number in a text that may be an amount of money.
public struct Amount: Sendable, Hashable {
    /// How the number is printed.
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

    /// Scalars of the text.
    public var range: Range<Int>
    /// A decimal with a point and no separators of thousands: `12.50`, `4000`.
    public var value: String
    public var form: Form
    /// True where a sign or a name of a currency stands beside it.
    public var isMarked: Bool
    /// ISO 4217 where the mark tells it; nil where none stands there or several countries share it.
    public var currency: String?

    /// True where the form alone says that it is money.
    public var isStrong: Bool {
        if isMarked { return true }
        switch form {
        case .kilo, .dash, .twoDecimals, .fraction, .thousands: return true
        case .whole, .oneDecimal: return false
        }
    }

    public var number: Double { Double(value) ?? 0 }
}

/// A price with the size that is printed before it: `small £4 large £6.50` has two.
public struct LabelledAmount: Sendable, Hashable {
    public var amount: Amount
    /// As printed, `0,3 l`; nil where none stands there.
    public var label: String?
}
