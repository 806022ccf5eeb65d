import Core
import Foundation
import Hummingbird

/// Decodes the part of an address after the question mark. An empty parameter is one that is left out; limits that the
/// type declares as ``Documented`` are checked.
struct QueryDecoder: Decoder {
    private let values: [String: String]
    private let fields: [String: Field]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Throws: ``Problem`` (400) that names the wrong parameter and its valid values.
    static func decode<Query: Decodable>(_ type: Query.Type, from request: Request) throws -> Query {
        var values: [String: String] = [:]
        for (key, value) in request.uri.queryParameters where values[String(key)] == nil && !value.isEmpty {
            values[String(key)] = String(value)
        }
        return try Query(
            from: QueryDecoder(values: values, fields: (type as? any Documented.Type)?.fields ?? [:]))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Parameters<Key>(values: values, fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.wrong("the query", "a list") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw Self.wrong("the query", "one value")
    }

    static func wrong(_ name: String, _ form: String) -> Problem {
        Problem(400, "badRequest", "\(name) must be \(form)")
    }

    private struct Parameters<Key: CodingKey>: IntegerDecoding {
        let values: [String: String]
        let fields: [String: Field]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { !contains(key) }

        private func text(_ key: Key) throws -> String {
            let name = key.stringValue
            guard let text = values[name] else {
                throw Problem(400, "badRequest", "the parameter \(name) is missing: add ?\(name)=…")
            }
            if let lengths = fields[name]?.lengths, !lengths.contains(text.count) {
                throw QueryDecoder.wrong(name, "at most \(lengths.upperBound) characters")
            }
            return text
        }

        func number<Number: FixedWidthInteger>(_ type: Number.Type, _ key: Key) throws -> Number {
            let (text, range) = (try text(key), fields[key.stringValue]?.range)
            guard let number = Number(text), range.map({ $0.contains(Double(number)) }) ?? true else {
                throw QueryDecoder.wrong(key.stringValue, Self.form(of: range))
            }
            return number
        }

        private static func form(of range: ClosedRange<Double>?) -> String {
            guard let range else { return "a whole number" }
            return range.upperBound.isFinite
                ? "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
                : "a number of at least \(Int(range.lowerBound))"
        }

        func decode(_ type: String.Type, forKey key: Key) throws -> String { try text(key) }

        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
            guard let value = Bool(try text(key)) else { throw QueryDecoder.wrong(key.stringValue, "true or false") }
            return value
        }

        func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
            guard let value = Double(try text(key)) else { throw QueryDecoder.wrong(key.stringValue, "a number") }
            return value
        }

        func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
            Float(try decode(Double.self, forKey: key))
        }

        /// A type that is a text in JSON, such as an enumeration or a day.
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let json = try JSONCoding.encode(try text(key))
            do { return try JSONCoding.decode(type, from: json) } catch let problem as any AppError {
                throw problem
            } catch {
                let schema = try SchemaReader().schema(of: type)
                let form = schema.choices.map { "one of " + $0.joined(separator: ", ") } ?? schema.description
                throw QueryDecoder.wrong(key.stringValue, form ?? "of another form")
            }
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            throw QueryDecoder.wrong(key.stringValue, "one value")
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw QueryDecoder.wrong(key.stringValue, "one value")
        }

        func superDecoder() -> any Decoder { QueryDecoder(values: values, fields: fields) }
        func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
    }
}
