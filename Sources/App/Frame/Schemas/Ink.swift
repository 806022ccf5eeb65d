import Core
import HTTP

extension Ink: SelfDescribed {
    package static var sample: Ink { Ink(color: 0, ground: 0xFF_FFFF, stroke: 0.1) }
    package static var schema: Schema {
        Schema(
            type: "string",
            "How a word is printed: colours of letters and ground, and the strokes' width by the word's height, "
                + "as `#1a1a1a #ffffff 0.12`."
        )
    }
}
