import Foundation

/// The name of a case: a text or a number. An answer repeats it with the same JSON type.
public enum CaseID: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    case text(String)
    /// A finite number of at most 38 digits.
    case number(Decimal)

    public init(stringLiteral text: String) { self = .text(text) }

    /// - Throws: `DecodingError` if the value is no text and no finite number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Decimal.self), number.isFinite {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a text or a number")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
