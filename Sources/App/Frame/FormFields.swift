import Foundation
import HTTP
import Meals

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
}
