import Foods
import HTTP

extension Currency: SelfDescribed {
    package static var schema: Schema { Schema(type: "string", "a code such as EUR", pattern: "^[A-Z]{3}$") }
    package static var sample: Currency { .euro }
}
