import Foundation

/// A JSON schema, as far as the API's description uses them (OpenAPI 3.1).
package struct Schema: Sendable, Hashable, Encodable {
    package var type: String?
    package var description: String?
    package var format: String?
    package var choices: [String]?
    package var constant: String?
    package var properties: [String: Schema]?
    package var required: [String]?
    /// At most one: what a list holds.
    package var items: [Schema] = []
    /// At most one: the values of an object with any keys.
    package var values: [Schema] = []
    package var reference: String?
    package var minimum, maximum: Double?
    /// A number that all values are above.
    package var exclusiveMinimum: Double?
    package var minLength, maxLength: Int?
    package var pattern: String?
    /// What a parameter is where it is left out.
    package var usual: String?
    package var contentMediaType: String?

    package init(
        type: String? = nil, _ description: String? = nil, format: String? = nil, choices: [String]? = nil,
        items: Schema? = nil, values: Schema? = nil, properties: [String: Schema]? = nil, required: [String]? = nil,
        minimum: Double? = nil, maximum: Double? = nil, minLength: Int? = nil, maxLength: Int? = nil,
        pattern: String? = nil, contentMediaType: String? = nil, constant: String? = nil
    ) {
        self.type = type
        self.description = description
        self.format = format
        self.choices = choices
        self.items = [items].compactMap(\.self)
        self.values = [values].compactMap(\.self)
        self.properties = properties
        self.required = required
        self.minimum = minimum
        self.maximum = maximum
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.contentMediaType = contentMediaType
        self.constant = constant
    }

    private enum CodingKeys: String, CodingKey {
        case type, description, format, choices = "enum", constant = "const", properties, required, items
        case values = "additionalProperties", reference = "$ref", minimum, maximum, exclusiveMinimum, minLength,
            maxLength, pattern
        case usual = "default", contentMediaType
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(type, forKey: .type)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(format, forKey: .format)
        if type == "integer", let numbers = choices?.compactMap({ Int($0) }) {
            try container.encode(numbers, forKey: .choices)
        } else {
            try container.encodeIfPresent(choices, forKey: .choices)
        }
        try container.encodeIfPresent(constant, forKey: .constant)
        try container.encodeIfPresent(properties, forKey: .properties)
        if let required, !required.isEmpty { try container.encode(required, forKey: .required) }
        try container.encodeIfPresent(items.first, forKey: .items)
        try container.encodeIfPresent(values.first, forKey: .values)
        try container.encodeIfPresent(reference.map { "#/components/schemas/\($0)" }, forKey: .reference)
        try encode(minimum, .minimum, in: &container)
        try encode(maximum, .maximum, in: &container)
        try encode(exclusiveMinimum, .exclusiveMinimum, in: &container)
        try container.encodeIfPresent(minLength, forKey: .minLength)
        try container.encodeIfPresent(maxLength, forKey: .maxLength)
        try container.encodeIfPresent(pattern, forKey: .pattern)
        try container.encodeIfPresent(contentMediaType, forKey: .contentMediaType)
        if let usual {
            if type == "integer", let number = Int(usual) {
                try container.encode(number, forKey: .usual)
            } else {
                try container.encode(usual, forKey: .usual)
            }
        }
    }

    private func encode(
        _ number: Double?, _ key: CodingKeys, in container: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        guard let number else { return }
        if let whole = Int(exactly: number) {
            try container.encode(whole, forKey: key)
        } else {
            try container.encode(number, forKey: key)
        }
    }
}

/// A property in the API's description: what it is and which values it may have. Of queries the limits are checked.
package struct Field: Sendable {
    let describe: @Sendable (inout Schema) -> Void

    /// - Parameters:
    ///   - above: a number that the value is above.
    ///   - lengths: fewest and most characters.
    ///   - usual: what stands for a parameter that is left out.
    ///   - choices: the values of a text that is no enumeration in Swift.
    package init(
        _ about: String? = nil, range: ClosedRange<Double>? = nil, above: Double? = nil,
        lengths: ClosedRange<Int>? = nil, pattern: String? = nil, usual: String? = nil, choices: [String]? = nil,
        constant: String? = nil
    ) {
        describe = { schema in
            schema.description = about ?? schema.description
            schema.minimum = above == nil ? range?.lowerBound ?? schema.minimum : nil
            schema.exclusiveMinimum = above
            if let range, range.upperBound.isFinite { schema.maximum = range.upperBound }
            if let lengths {
                schema.minLength = lengths.lowerBound == 0 ? nil : lengths.lowerBound
                if lengths.upperBound < .max { schema.maxLength = lengths.upperBound }
            }
            schema.pattern = pattern ?? schema.pattern
            schema.choices = choices ?? schema.choices
            schema.constant = constant ?? schema.constant
            schema.usual = usual
        }
    }
}

/// A type whose properties the API's description explains.
package protocol Documented {
    /// The name of its schema where another type has its name too; clients are generated from it.
    static var documentedName: String? { get }
    /// What it is; nil if its name says it.
    static var about: String? { get }
    /// A body that is right, for the problem of a wrong one.
    static var example: String? { get }
    /// By the names that JSON has.
    static var fields: [String: Field] { get }
    /// Properties that encoding adds and decoding does not read.
    static var added: [String: any Decodable.Type] { get }
}

extension Documented {
    package static var documentedName: String? { nil }
    package static var about: String? { nil }
    package static var example: String? { nil }
    package static var fields: [String: Field] { [:] }
    package static var added: [String: any Decodable.Type] { [:] }
}

/// A type that says itself what its JSON is, because its decoding does not show it.
package protocol SelfDescribed {
    static var schema: Schema { get }
    /// Any valid value.
    static var sample: Self { get }
}
