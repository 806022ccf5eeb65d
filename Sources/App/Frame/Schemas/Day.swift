import Core
import HTTP

extension Day: SelfDescribed {
    package static var schema: Schema { Schema(type: "string", "a day such as 2026-11-22", format: "date") }
    package static var sample: Day { Day(number: 0) }
}
