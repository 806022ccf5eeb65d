import Foundation

/// How jobs and answers travel between daemon and worker: four bytes of length, big-endian, then JSON.
public enum JobFraming {
    /// A longer message is refused: an answer of a full page is a few hundred kilobytes.
    public static let maximumBytes = 4 << 20

    /// Length and JSON of `message`.
    public static func frame(_ message: some Encodable) throws -> Data {
        let body = try JSONCoding.encode(message)
        guard body.count <= maximumBytes else { throw FramingError.tooLong(body.count) }
        var frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) }
        frame.append(body)
        return frame
    }

    /// The length of the body that follows these four bytes.
    public static func bodyLength(of header: some Collection<UInt8>) throws -> Int {
        guard header.count == 4 else { throw FramingError.headerCut(header.count) }
        let length = header.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumBytes else { throw FramingError.tooLong(length) }
        return length
    }

    /// What can be wrong with a message's frame.
    public enum FramingError: Error, Sendable, Equatable {
        case headerCut(Int)
        case tooLong(Int)
    }
}
