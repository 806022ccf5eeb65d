import Foundation
import Glibc
import Synchronization

/// A loopback web server for tests: keeps the requests and always gives the same answer.
final class HTTPReceiver: Sendable {
    let port: UInt16
    private let listener: Int32
    private let requests = Mutex<[String]>([])

    /// Heads and bodies of the requests, in order.
    var received: [String] { requests.withLock { $0 } }

    init(answering status: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                self?.serve(connection, status)
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ connection: Int32, _ status: Int) {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !isWhole(text) {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        requests.withLock { $0.append(text) }
        let answer = "HTTP/1.1 \(status) Answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = answer.withCString { write(connection, $0, strlen($0)) }
    }

    private func isWhole(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let length = text[..<end.lowerBound].lowercased().components(separatedBy: "content-length: ").dropFirst().first
            .flatMap { Int($0.prefix { $0.isNumber }) }
        return text[end.upperBound...].utf8.count >= length ?? 0
    }
}
