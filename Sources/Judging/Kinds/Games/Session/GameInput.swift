import Foundation
import Core

/// What a person may ask of a game.
package enum GameAction: Sendable, Hashable {
    case hint, reset
    /// A puzzle by its id; nil lets the game recognise it.
    case choose(String?)
}

/// An input of a session, and a line of a recorded stream.
package enum GameInput: Sendable, Hashable, Codable {
    case frame(PieceFrame)
    /// A player's request for help, in nanoseconds since the start of the session.
    case hint(at: Int)
    /// A restart of the game.
    case reset(at: Int)

    private enum CodingKeys: String, CodingKey { case kind, t_ns }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "frame": self = .frame(try PieceFrame(from: decoder))
        case "hint": self = .hint(at: try container.decode(Int.self, forKey: .t_ns))
        case "reset": self = .reset(at: try container.decode(Int.self, forKey: .t_ns))
        case let other:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "kind is frame, hint or reset, not \(other)"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .frame(let frame): try frame.encode(to: encoder)
        case .hint(let time):
            try container.encode("hint", forKey: .kind)
            try container.encode(time, forKey: .t_ns)
        case .reset(let time):
            try container.encode("reset", forKey: .kind)
            try container.encode(time, forKey: .t_ns)
        }
    }

    /// Reads a recorded stream and skips lines of other kinds, such as those of a game.
    ///
    /// - Throws: ``StartupError`` (65) with the first invalid line.
    package static func recorded(in data: Data) throws -> [GameInput] {
        struct Kind: Decodable { var kind: String? }
        var inputs: [GameInput] = []
        for (number, line) in data.split(separator: 0x0A).enumerated() {
            do {
                let kind = try JSONCoding.decode(Kind.self, from: Data(line)).kind
                guard ["frame", "hint", "reset"].contains(kind) else { continue }
                inputs.append(try JSONCoding.decode(GameInput.self, from: Data(line)))
            } catch {
                throw StartupError(
                    .badInput,
                    "line \(number + 1) of the recording is no frame of a piece stream (\(error)): record it again")
            }
        }
        return inputs
    }
}
