import Core
import Foundation

/// Message format between daemon and worker: a length of four bytes, big-endian, followed by JSON.
package enum JobFraming {
    /// Maximum length of a message body in bytes. The answer for a full page takes a few hundred kilobytes.
    package static let maximumBytes = 4 << 20

    /// The length header and the JSON of `message`.
    package static func frame(_ message: some Encodable) throws -> Data {
        let body = try JSONCoding.encode(message)
        guard body.count <= maximumBytes else { throw FramingError.tooLong(body.count) }
        var frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) }
        frame.append(body)
        return frame
    }

    /// The body length in bytes that a four-byte header announces.
    package static func bodyLength(of header: some Collection<UInt8>) throws -> Int {
        guard header.count == 4 else { throw FramingError.headerCut(header.count) }
        let length = header.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumBytes else { throw FramingError.tooLong(length) }
        return length
    }

    /// Errors in a message header.
    package enum FramingError: Error, Sendable, Equatable {
        case headerCut(Int)
        case tooLong(Int)
    }
}
