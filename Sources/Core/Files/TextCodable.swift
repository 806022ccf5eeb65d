/// A value that is coded as its text.
package protocol TextCodable: Codable, LosslessStringConvertible {
    /// What its text must be, with an example, for errors.
    static var form: String { get }
}

extension TextCodable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not \(Self.form)"))
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
