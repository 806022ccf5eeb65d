import Foundation

/// The JSON Schema (2020-12) of what the program writes to files and streams, made from the type that it writes.
package enum FileSchema {
    /// - Parameter title: the name of the form, with its version: `tablesight.outcome/1`.
    /// - Returns: one JSON object, sorted, with a line for each value.
    /// - Throws: an error that names the type without a schema.
    package static func json(of type: any Decodable.Type, title: String) throws -> Data {
        let reader = SchemaReader()
        let root = try reader.schema(of: type)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let text = String(decoding: try encoder.encode(Document(title, root, reader.components)), as: UTF8.self)
        // References of the API's description lead to its components.
        return Data((text.replacing("#/components/schemas/", with: "#/$defs/") + "\n").utf8)
    }

    private struct Document: Encodable {
        let schema = "https://json-schema.org/draft/2020-12/schema"
        let title: String
        let reference: String?
        let definitions: [String: Schema]

        init(_ title: String, _ root: Schema, _ definitions: [String: Schema]) {
            (self.title, self.definitions) = (title, definitions)
            reference = root.reference.map { "#/$defs/\($0)" }
        }

        private enum CodingKeys: String, CodingKey {
            case schema = "$schema", title, reference = "$ref", definitions = "$defs"
        }
    }
}
