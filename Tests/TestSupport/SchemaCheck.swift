import Foundation

/// What a JSON value has that its JSON Schema does not allow, as far as the program's schemas go. Unknown properties count:
/// a schema that the program prints must know all that the program writes.
public struct SchemaCheck {
    private let root: [String: Any]
    public private(set) var problems: Set<String> = []

    public init(_ schema: Data) throws {
        root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
    }

    public mutating func check(_ json: Data) throws {
        check(try JSONSerialization.jsonObject(with: json), root, "")
    }

    private mutating func check(_ value: Any, _ schema: [String: Any], _ path: String) {
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
            let definitions = root["$defs"] as? [String: [String: Any]]
            guard let definition = definitions?[String(name)] else {
                problems.insert("\(path): no definition of \(name)")
                return
            }
            return check(value, definition, path)
        }
        if let type = schema["type"] as? String, !Self.is(value, type) {
            problems.insert("\(path): no \(type)")
            return
        }
        if let choices = schema["enum"] as? [String], let text = value as? String, !choices.contains(text) {
            problems.insert("\(path): \(text) is not among the values")
        }
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            for item in list { check(item, items, path + "[]") }
        }
        guard let object = value as? [String: Any] else { return }
        for key in schema["required"] as? [String] ?? [] where object[key] == nil {
            problems.insert("\(path): \(key) is missing")
        }
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        for (key, value) in object {
            if let own = properties[key] ?? schema["additionalProperties"] as? [String: Any] {
                check(value, own, "\(path).\(key)")
            } else {
                problems.insert("\(path): \(key) is unknown")
            }
        }
    }

    private static func `is`(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        case "boolean": value is Bool
        case "integer": (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
        default: value is NSNumber
        }
    }
}
