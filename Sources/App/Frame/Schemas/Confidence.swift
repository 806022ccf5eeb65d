import Core
import HTTP

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
