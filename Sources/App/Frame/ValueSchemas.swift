import Core
import Foods
import HTTP

// Values whose decoding does not show their JSON.

extension Confidence: SelfDescribed {
    package static var sample: Confidence { Confidence(0) }
    package static var schema: Schema {
        Schema(
            type: "object",
            properties: [
                "score": Schema(type: "number", minimum: 0, maximum: 1),
                "level": Schema(type: "string", choices: Level.allCases.map(\.rawValue)),
            ], required: ["level", "score"])
    }
}

extension Currency: SelfDescribed {
    package static var schema: Schema { Schema(type: "string", "a code such as EUR", pattern: "^[A-Z]{3}$") }
    package static var sample: Currency { .euro }
}

extension Day: SelfDescribed {
    package static var schema: Schema { Schema(type: "string", "a day such as 2026-11-22", format: "date") }
    package static var sample: Day { Day(number: 0) }
}

extension Ink: SelfDescribed {
    package static var sample: Ink { Ink(color: 0, ground: 0xFF_FFFF, stroke: 0.1) }
    package static var schema: Schema {
        Schema(
            type: "string",
            "How a word is printed: colours of letters and ground, and the strokes' width by the word's height, "
                + "as `#1a1a1a #ffffff 0.12`.")
    }
}

extension Money: SelfDescribed {
    package static var schema: Schema {
        Schema(
            type: "object", "A decimal amount of one currency; amounts of different currencies are never added.",
            properties: ["amount": Schema(type: "string", "Digits with a point."), "currency": Currency.schema],
            required: ["amount", "currency"])
    }

    package static var sample: Money { Money(parts: 12_500, currency: .sample) }
}

extension Point: SelfDescribed {
    package static var sample: Point { Point(0, 0) }
    package static var schema: Schema { Schema(type: "array", "[x,y].", items: Schema(type: "number")) }
}

extension Quad: SelfDescribed {
    package static var sample: Quad { Quad(x: 0, y: 0, width: 0, height: 0) }
    package static var schema: Schema {
        Schema(type: "array", "Four corners [x,y] in pixels of the upright image.", items: Point.schema)
    }
}
