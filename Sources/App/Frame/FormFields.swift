import Foods
import Core
import Foundation
import Groceries
import HTTP

// Fields of forms and of addresses, as several pages have them. Numbers: ``FormBody/decimal(_:)``.
extension FormBody {
    /// A day; nil for an empty field.
    ///
    /// - Throws: `Problem` (400) for other text.
    func day(_ name: String) throws -> Day? { try value(name, "a day such as 2026-11-22") }

    /// A week; nil for an empty field.
    ///
    /// - Throws: `Problem` (400) for other text.
    func week(_ name: String) throws -> Week? { try value(name, "a week such as 2026-W47") }

    private func value<Value: LosslessStringConvertible>(_ name: String, _ form: String) throws -> Value? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        guard let value = Value(text) else {
            throw Problem(400, "badRequest", "“\(text.prefix(20))” is not \(form)")
        }
        return value
    }

    /// One of an enumeration's values; nil for an empty field and for other text.
    func choice<Choice: RawRepresentable>(_ name: String) -> Choice? where Choice.RawValue == String {
        Choice(rawValue: self[name])
    }

    /// Nil for an empty field.
    func text(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }

    /// The number of something stored, of a form or an address; nil for an empty field.
    ///
    /// - Throws: `Problem` (404) for other text.
    func number(_ name: String) throws -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw Problem(404, "notFound", "there is no number \(text.prefix(20))")
        }
        return number
    }

    /// The number of something that a person has to choose.
    ///
    /// - Throws: `Problem` (400) for an empty field.
    func number(_ name: String, orSay what: String) throws -> Int64 {
        guard let number = try number(name) else { throw Problem(400, "badRequest", what) }
        return number
    }

    /// A number in thousandths, above 0.
    ///
    /// - Throws: `Problem` (400) for other text.
    func thousandths(_ name: String) throws -> Int64 { try Self.thousandths(self[name]) }

    static func thousandths(_ text: String) throws -> Int64 {
        guard let value = ListQuantity.thousandths(of: text) else {
            throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a number above 0 such as 1.5")
        }
        return value
    }

    /// The amount and the currency of a price.
    var money: Money {
        get throws {
            guard let currency = try currency else {
                throw Problem(400, "badRequest", "a currency is a code such as EUR")
            }
            guard let money = try decimal("amount").flatMap({ Money(price: $0, currency: currency) }) else {
                throw Problem(400, "badRequest", "type a price above 0 with at most four decimals, such as 2.49")
            }
            return money
        }
    }

    var currency: Currency? {
        get throws {
            guard let text = text("currency") else { return nil }
            guard let currency = Currency(text) else {
                throw Problem(400, "badRequest", "a currency is a code such as EUR")
            }
            return currency
        }
    }
}

struct Choice {
    let value, text: String
    var isChosen = false

    static func all<Value: RawRepresentable<String> & Equatable>(
        _ values: [Value], chosen: Value?, _ text: (String) -> String
    ) -> [Choice] {
        values.map { Choice(value: $0.rawValue, text: text($0.rawValue), isChosen: $0 == chosen) }
    }

    static func all(_ values: [String], chosen: String?, _ text: (String) -> String) -> [Choice] {
        values.map { Choice(value: $0, text: text($0), isChosen: $0 == chosen) }
    }
}
