import Foods
import HTTP

extension Money: SelfDescribed {
    package static var schema: Schema {
        Schema(
            type: "object", "A decimal amount of one currency; amounts of different currencies are never added.",
            properties: ["amount": Schema(type: "string", "Digits with a point."), "currency": Currency.schema],
            required: ["amount", "currency"])
    }

    package static var sample: Money { Money(parts: 12_500, currency: .sample) }
}
