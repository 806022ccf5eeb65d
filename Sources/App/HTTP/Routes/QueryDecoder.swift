import Core
import Foundation
import Hummingbird

/// Decodes the part of an address after the question mark, as the JSON that the type's schema describes. An empty parameter
/// is one that is left out.
enum QueryDecoder {
    /// - Throws: ``Problem`` (400) that names the wrong parameter and its valid values.
    static func decode<Query: Decodable>(_ type: Query.Type, from request: Request) throws -> Query {
        let (schemas, required, forms) = try SchemaReader().properties(of: type)
        var values: [String: String] = [:]
        for (key, value) in request.uri.queryParameters where values[String(key)] == nil && !value.isEmpty {
            guard let schema = schemas[String(key)] else { continue }
            values[String(key)] = try schema.json(of: String(value), named: String(key))
        }
        if let name = required.subtracting(values.keys).min() {
            throw Problem(400, "badRequest", "the parameter \(name) is missing: add ?\(name)=…")
        }
        let json = "{" + values.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        do { return try JSONCoding.decode(type, from: Data(json.utf8)) } catch DecodingError.dataCorrupted(let context)
        {
            // A text that its type refuses, such as a day.
            let name = context.codingPath.first?.stringValue ?? "the query"
            throw Schema.wrong(name, forms[name])
        }
    }
}

extension Schema {
    fileprivate static func wrong(_ name: String, _ form: String?) -> Problem {
        Problem(400, "badRequest", "\(name) must be \(form ?? "of another form")")
    }

    fileprivate func json(of text: String, named name: String) throws -> String {
        if let choices, !choices.contains(text) {
            throw Self.wrong(name, "one of " + choices.joined(separator: ", "))
        }
        switch type {
        case "integer":
            let range = (minimum ?? -.infinity)...(maximum ?? .infinity)
            guard let number = Int(text), range.contains(Double(number)) else {
                let (low, high) = (minimum.map { Int($0) }, maximum.map { Int($0) })
                throw Self.wrong(
                    name,
                    low.map { low in high.map { "a number from \(low) to \($0)" } ?? "a number of at least \(low)" }
                        ?? "a whole number")
            }
            return "\(number)"
        case "number":
            guard let number = Double(text), number.isFinite else { throw Self.wrong(name, "a number") }
            return "\(number)"
        case "boolean":
            guard let value = Bool(text) else { throw Self.wrong(name, "true or false") }
            return "\(value)"
        default:
            if let maxLength, text.count > maxLength { throw Self.wrong(name, "at most \(maxLength) characters") }
            return String(decoding: try JSONCoding.encode(text), as: UTF8.self)
        }
    }
}
