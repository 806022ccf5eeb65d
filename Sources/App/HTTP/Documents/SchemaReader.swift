import Foundation

/// Finds the schemas of types. A `Decodable` type shows its properties by decoding itself from a decoder that only notes
/// what is asked of it, so that its declaration is the one place that says what its JSON is.
final class SchemaReader {
    /// Schemas by names, for `#/components/schemas/…`.
    private(set) var components: [String: Schema] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    /// A type that shows no schema: it is not `Decodable`, or its decoding refuses a sample.
    struct Unknown: Error, CustomStringConvertible {
        var type: Any.Type
        var reason: String
        var description: String { "\(type) shows no schema (\(reason)): make it SelfDescribed" }
    }

    /// The schema of a type; of a type with properties a reference to its component.
    func schema(of type: Any.Type) throws -> Schema {
        if let own = type as? any SelfDescribed.Type {
            guard own.schema.properties != nil else { return own.schema }
            let name = names[ObjectIdentifier(type)] ?? name(of: type)
            names[ObjectIdentifier(type)] = name
            components[name] = own.schema
            return Self.reference(name)
        }
        if let plain = Self.plain[ObjectIdentifier(type)] { return plain }
        if let optional = type as? any OptionalType.Type { return try schema(of: optional.wrapped) }
        if let list = type as? any ListType.Type { return Schema(type: "array", items: try schema(of: list.element)) }
        if let table = type as? any TableType.Type {
            guard table.hasTextKeys else { throw Unknown(type: type, reason: "its keys are no text") }
            return Schema(type: "object", values: try schema(of: table.value))
        }
        if let choices = Self.choices(of: type) { return Schema(type: "string", choices: choices) }
        if let name = names[ObjectIdentifier(type)] { return Self.reference(name) }
        guard let decodable = type as? any Decodable.Type else { throw Unknown(type: type, reason: "not Decodable") }
        let notes = Notes(self)
        let name = name(of: type)
        names[ObjectIdentifier(type)] = name
        do { _ = try notes.sample(decodable) } catch let error as Unknown { throw error } catch {
            throw Unknown(type: type, reason: "\(error)")
        }
        if let single = notes.single {
            names[ObjectIdentifier(type)] = nil
            return described(single, type)
        }
        for (key, type) in (type as? any Documented.Type)?.added ?? [:] {
            notes.properties[key] = try schema(of: type)
        }
        components[name] = described(
            Schema(type: "object", properties: notes.properties, required: notes.required.sorted()), type)
        return Self.reference(name)
    }

    /// The properties of a type without a component, such as the parameters of a query, and what their types say of their
    /// texts: "a date such as 2026-11-08".
    func properties(
        of type: any Decodable.Type
    ) throws -> (all: [String: Schema], required: Set<String>, forms: [String: String]) {
        let notes = Notes(self)
        _ = try notes.sample(type)
        let object = described(Schema(properties: notes.properties), type)
        return (object.properties ?? [:], Set(notes.required), notes.properties.compactMapValues(\.description))
    }

    private func described(_ schema: Schema, _ type: Any.Type) -> Schema {
        guard let documented = type as? any Documented.Type else { return schema }
        var schema = schema
        schema.description = documented.about ?? schema.description
        for (key, field) in documented.fields {
            if var property = schema.properties?[key] {
                field.describe(&property)
                schema.properties?[key] = property
            }
        }
        return schema
    }

    private static func reference(_ name: String) -> Schema {
        var schema = Schema()
        schema.reference = name
        return schema
    }

    /// The type's name; where another type has the same, its documented name or that with the names of the types around it.
    private func name(of type: Any.Type) -> String {
        let parts = String(reflecting: type).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
            .split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let taken = Set(names.values)
        if let last = parts.last, taken.contains(String(last)),
            let name = (type as? any Documented.Type)?.documentedName
        {
            return name
        }
        // The last candidate has the module's name.
        return (1...max(1, parts.count)).lazy.map { parts.suffix($0).joined() }.first { !taken.contains($0) }
            ?? parts.joined()
    }

    /// The texts of an enumeration; nil for another type.
    private static func choices(of type: Any.Type) -> [String]? {
        func texts<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> [String]? {
            let texts = type.allCases.compactMap { $0.rawValue as? String }
            return texts.isEmpty ? nil : texts
        }
        return (type as? any (CaseIterable & RawRepresentable).Type).flatMap { texts($0) }
    }

    private static let plain: [ObjectIdentifier: Schema] = {
        var plain: [ObjectIdentifier: Schema] = [
            ObjectIdentifier(String.self): Schema(type: "string"),
            ObjectIdentifier(Bool.self): Schema(type: "boolean"),
            ObjectIdentifier(Date.self): Schema(type: "string", format: "date-time"),
            ObjectIdentifier(UUID.self): Schema(type: "string"), ObjectIdentifier(URL.self): Schema(type: "string"),
        ]
        for type in [Double.self, Float.self, Decimal.self] as [Any.Type] {
            plain[ObjectIdentifier(type)] = Schema(type: "number")
        }
        for type in [Int.self, Int64.self, Int32.self, Int16.self, Int8.self] as [Any.Type] {
            plain[ObjectIdentifier(type)] = Schema(type: "integer")
        }
        for type in [UInt.self, UInt64.self, UInt32.self, UInt16.self, UInt8.self] as [Any.Type] {
            plain[ObjectIdentifier(type)] = Schema(type: "integer", minimum: 0)
        }
        return plain
    }()
}

private protocol OptionalType { static var wrapped: Any.Type { get } }
extension Optional: OptionalType { static var wrapped: Any.Type { Wrapped.self } }

private protocol ListType {
    static var element: Any.Type { get }
    static var none: Any { get }
}
extension Array: ListType {
    static var element: Any.Type { Element.self }
    static var none: Any { Self() }
}
extension Set: ListType {
    static var element: Any.Type { Element.self }
    static var none: Any { Self() }
}

private protocol TableType {
    static var hasTextKeys: Bool { get }
    static var value: Any.Type { get }
    static var none: Any { get }
}
extension Dictionary: TableType {
    static var hasTextKeys: Bool { Key.self == String.self || Key.self is any CodingKeyRepresentable.Type }
    static var value: Any.Type { Value.self }
    static var none: Any { Self() }
}

private final class Notes {
    let reader: SchemaReader
    var properties: [String: Schema] = [:]
    var required: [String] = []
    var optional: Set<String> = []
    /// For a type that is one value.
    var single: Schema?

    init(_ reader: SchemaReader) { self.reader = reader }

    /// A value of the type, with empty lists and texts, and the first case of an enumeration.
    func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
        func first<Choice: CaseIterable>(_ type: Choice.Type) -> Any? { type.allCases.first }
        let simple: Any? =
            switch type {
            case let own as any SelfDescribed.Type: own.sample
            case let list as any ListType.Type: list.none
            case let table as any TableType.Type: table.none
            case is String.Type: ""
            case is Bool.Type: false
            case is Decimal.Type: Decimal(0)
            case is Date.Type: Date(timeIntervalSince1970: 0)
            case is UUID.Type: UUID()
            case is URL.Type: URL(filePath: "/")
            case let choices as any (CaseIterable & RawRepresentable).Type: first(choices)
            default: nil
            }
        if let value = simple as? Value { return value }
        return try Value(from: NotingDecoder(notes: self))
    }

    func note(_ type: Any.Type, as key: any CodingKey) throws {
        properties[key.stringValue] = try reader.schema(of: type)
        if !optional.contains(key.stringValue) { required.append(key.stringValue) }
    }
}

private struct NotingDecoder: Decoder {
    let notes: Notes
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(notes: notes))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a list of its own form"))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(notes: notes) }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let notes: Notes
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    /// The usual `decodeIfPresent` asks this before it decodes.
    func contains(_ key: Key) -> Bool {
        notes.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try notes.note(type, as: key)
        return try Notes(notes.reader).sample(type)
    }

    /// Nil, because a type may hold another of its own.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        _ = contains(key)
        try notes.note(type, as: key)
        return nil
    }

    private func scalar<Value>(_ value: Value, _ key: Key) throws -> Value {
        try notes.note(Value.self, as: key)
        return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(false, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar("", key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(0, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(0, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(0, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(0, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(0, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(0, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(0, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(0, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(0, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(0, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(0, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(0, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "nested keys of its own form"))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a nested list of its own form"))
    }

    func superDecoder() -> any Decoder { NotingDecoder(notes: notes) }
    func superDecoder(forKey key: Key) -> any Decoder { NotingDecoder(notes: notes) }
}

private struct Single: SingleValueDecodingContainer {
    let notes: Notes
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        notes.single = try notes.reader.schema(of: type)
        return try Notes(notes.reader).sample(type)
    }

    private func number<Value: ExpressibleByIntegerLiteral>(_ type: Value.Type) throws -> Value {
        notes.single = try notes.reader.schema(of: type)
        return 0
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        notes.single = Schema(type: "boolean")
        return false
    }
    func decode(_ type: String.Type) throws -> String {
        notes.single = Schema(type: "string")
        return ""
    }
    func decode(_ type: Double.Type) throws -> Double { try number(type) }
    func decode(_ type: Float.Type) throws -> Float { try number(type) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
}
