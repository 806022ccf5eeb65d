import Foundation

/// An Open Sound Control 1.0 message: address and arguments, each padded to four bytes, numbers big-endian.
struct OSCMessage: Sendable, Hashable {
    enum Argument: Sendable, Hashable {
        case string(String)
        case int(Int32)
        case float(Float)
    }

    var address: String
    var arguments: [Argument]

    var data: Data {
        var tags = ","
        var body = Data()
        for argument in arguments {
            switch argument {
            case .string(let text):
                tags += "s"
                body += Self.padded(text)
            case .int(let value):
                tags += "i"
                body += Self.bytes(UInt32(bitPattern: value))
            case .float(let value):
                tags += "f"
                body += Self.bytes(value.bitPattern)
            }
        }
        return Self.padded(address) + Self.padded(tags) + body
    }

    /// A bundle for immediate processing (time tag 1).
    static func bundle(_ messages: [OSCMessage]) -> Data {
        var data = padded("#bundle") + bytes(0) + bytes(1)
        for message in messages {
            let content = message.data
            data += bytes(UInt32(content.count)) + content
        }
        return data
    }

    /// The string with one to four zero bytes, to a multiple of four bytes.
    private static func padded(_ text: String) -> Data {
        let bytes = Data(text.utf8)
        return bytes + Data(count: 4 - bytes.count % 4)
    }

    private static func bytes(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
}
