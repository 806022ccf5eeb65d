import Core
import Foundation

/// An ISO 4217 currency code.
package struct Currency: Sendable, Hashable, Comparable, TextCodable {
    /// Three capital letters.
    package let code: String

    package static let form = "a currency such as EUR"
    package static let euro = Currency(known: "EUR")

    private init(known code: String) { self.code = code }

    /// Codes that are in use, by the data of ICU.
    private static let known = Set(Locale.commonISOCurrencyCodes)

    /// Nil unless the text is a code that is in use; small letters are allowed.
    package init?(_ text: String) {
        guard text.utf8.count == 3 else { return nil }
        let code = text.uppercased()
        guard Self.known.contains(code) else { return nil }
        self.code = code
    }

    package var description: String { code }

    package static func < (one: Currency, other: Currency) -> Bool { one.code < other.code }
}

/// A decimal amount of one currency, exact to a ten-thousandth. Amounts of different currencies are never added.
package struct Money: Sendable, Hashable, Codable {
    /// Ten-thousandths of the currency's unit.
    package let parts: Int64
    package let currency: Currency

    static let one: Int64 = 10_000
    /// The largest price, in units of the currency.
    package static let largest: Decimal = 10_000_000

    package init(parts: Int64, currency: Currency) {
        self.parts = parts
        self.currency = currency
    }

    /// A price. Nil if the amount is not above 0, is above ``largest``, or has more than four decimals.
    package init?(price amount: Decimal, currency: Currency) {
        guard amount.isFinite, amount > 0, amount <= Self.largest else { return nil }
        let scaled = amount * Decimal(Self.one)
        let parts = NSDecimalNumber(decimal: scaled).int64Value
        guard Decimal(parts) == scaled else { return nil }
        self.init(parts: parts, currency: currency)
    }

    /// A price from digits with a point, `12.50`. Nil for other text and for the reasons of the other initialiser.
    package init?(price text: String, currency: Currency) {
        guard text.utf8.count <= 20, let amount = Decimal(digits: text) else { return nil }
        self.init(price: amount, currency: currency)
    }

    package var amount: Decimal { Decimal(parts) / Decimal(Self.one) }

    /// Rounded half up to hundredths, as people pay.
    package var rounded: Money { Money(parts: (parts + 50) / 100 * 100, currency: currency) }

    /// Digits with a point and at least two decimals, `12.50`.
    package var digits: String {
        let (whole, rest) = abs(parts).quotientAndRemainder(dividingBy: Self.one)
        var decimals = String(Self.one + rest).dropFirst()
        while decimals.count > 2, decimals.last == "0" { decimals.removeLast() }
        return "\(parts < 0 ? "-" : "")\(whole).\(decimals)"
    }

    private enum CodingKeys: String, CodingKey { case amount, currency }

    /// The amount is text, so that no reader turns it into a floating-point number.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(digits, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let currency = try container.decode(Currency.self, forKey: .currency)
        let text = try container.decode(String.self, forKey: .amount)
        guard text.utf8.count <= 20, text.wholeMatch(of: /-?[0-9]+(\.[0-9]{1,4})?/) != nil,
            let amount = Decimal(digits: text), abs(amount) <= Self.largest * 1000
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .amount, in: container, debugDescription: "\(text.prefix(30)) is not an amount such as 12.50")
        }
        self.init(parts: NSDecimalNumber(decimal: amount * Decimal(Self.one)).int64Value, currency: currency)
    }
}

/// The unit that a price is for.
package enum PriceUnit: String, Sendable, Hashable, Codable, CaseIterable {
    case piece, kilogram = "kg", litre = "l", hundredGrams = "100g"
}

/// The content of a package.
package struct PackSize: Sendable, Hashable, Codable {
    package enum Dimension: String, Sendable, Hashable, Codable, CaseIterable { case mass, volume }

    /// Thousandths of a gram or millilitre, above 0.
    package let thousandths: Int64
    package let dimension: Dimension

    /// Nil unless the content is above 0 and at most a tonne or a cubic metre.
    package init?(thousandths: Int64, _ dimension: Dimension) {
        guard (1...1_000_000_000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
        self.dimension = dimension
    }
}

/// A price for a kilogram, a litre or a piece.
package struct UnitPrice: Sendable, Hashable, Codable {
    package var price: Money
    /// `kg`, `l` or `piece`.
    package var per: PriceUnit
}
