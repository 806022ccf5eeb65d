import Foundation
import Glibc
import Vocabulary

/// The worker's end of the socket that jobs come through.
struct JobSocket {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next job; nil where the daemon closed the socket between two jobs.
    func nextJob() throws -> ReadJob? {
        guard let header = try receive(4) else { return nil }
        guard let body = try receive(JobFraming.bodyLength(of: header)) else {
            throw JobFraming.FramingError.headerCut(0)
        }
        return try JSONCoding.decode(ReadJob.self, from: body)
    }

    func answer(_ answer: ReadAnswer) throws {
        var rest = Array(try JobFraming.frame(answer))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Nil at the end of the stream, before the first byte.
    private func receive(_ count: Int) throws -> Data? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + filled }, count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                guard got == 0, filled == 0 else { throw POSIXError(got < 0 ? .init(rawValue: errno) ?? .EIO : .EPIPE) }
                return nil
            }
            filled += got
        }
        return Data(bytes)
    }
}
