import Core
import HTTP

extension Point: SelfDescribed {
    package static var sample: Point { Point(0, 0) }
    package static var schema: Schema { Schema(type: "array", "[x,y].", items: Schema(type: "number")) }
}
