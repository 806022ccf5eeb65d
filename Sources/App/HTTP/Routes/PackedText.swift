import CZlib
import Foundation
import HTTPTypes
import Hummingbird

/// Texts in zlib's format, the content coding `deflate` of RFC 9110: a page on a slow network is a fifth as long.
package struct PackedText: Sendable {
    let plain: Data
    /// Nil for a text that is too short to gain anything.
    let packed: Data?

    /// Bytes from which a text is packed.
    private static let least = 1024

    package init(_ plain: Data) {
        self.plain = plain
        packed = plain.count < Self.least ? nil : Self.packed(plain)
    }

    private static func packed(_ plain: Data) -> Data? {
        var length = compressBound(uLong(plain.count))
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let code = plain.withUnsafeBytes {
            compress2(&bytes, &length, $0.bindMemory(to: UInt8.self).baseAddress, uLong(plain.count), 6)
        }
        guard code == Z_OK, Int(length) < plain.count else { return nil }
        return Data(bytes.prefix(Int(length)))
    }

    /// Puts the text into a response, packed for a client that takes that.
    package func write(into response: inout Response, for request: Request) {
        if let packed, Self.isTaken(by: request) {
            response.headers[.contentEncoding] = "deflate"
            response.body = .init(byteBuffer: .init(data: packed))
        } else {
            response.body = .init(byteBuffer: .init(data: plain))
        }
        let vary = response.headers[.vary]
        response.headers[.vary] = (vary.map { $0 + ", " } ?? "") + "Accept-Encoding"
    }

    /// True if `Accept-Encoding` names the coding and does not refuse it.
    private static func isTaken(by request: Request) -> Bool {
        (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
            let fields = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            return fields.first == "deflate" && !fields.dropFirst().contains { ["q=0", "q=0.0"].contains($0) }
        }
    }
}
