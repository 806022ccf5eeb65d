import Core
import HTTP

extension Quad: SelfDescribed {
    package static var sample: Quad { Quad(x: 0, y: 0, width: 0, height: 0) }
    package static var schema: Schema {
        Schema(type: "array", "Four corners [x,y] in pixels of the upright image.", items: Point.schema)
    }
}
