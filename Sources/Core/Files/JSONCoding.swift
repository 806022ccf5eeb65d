import Foundation

/// The canonical JSON encoding of this program: sorted keys, so that equal values give equal bytes.
public enum JSONCoding {
    /// Encodes `value` on one line, without a newline.
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
