import Foundation
import Glibc
import Synchronization

/// A server on the loopback that answers every connection with the same bytes, honest HTTP or not.
public final class StubServer: Sendable {
    public enum Manner: Sendable {
        /// These bytes, then the end.
        case says(String)
        /// These bytes, then nothing, and no end.
        case stalls(String)
        /// A byte now and then, for ever.
        case drips(String)
    }

    public let port: UInt16
    private let listener: Int32
    private let requests = Mutex<[String]>([])
    private let connections = Mutex<[Int32]>([])

    /// What came over each connection first.
    public var asked: [String] { requests.withLock { $0 } }

    public init(_ manner: Manner) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 8) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let self else {
                    close(connection)
                    return
                }
                self.serve(connection, manner)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for connection in connections.withLock({ $0 }) { close(connection) }
    }

    /// A whole answer of HTTP.
    public static func answer(_ status: String, _ body: String, _ more: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(more)\r\n\(body)"
    }

    private func serve(_ connection: Int32, _ manner: Manner) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let got = read(connection, &buffer, buffer.count)
        requests.withLock { $0.append(String(decoding: buffer.prefix(max(0, got)), as: UTF8.self)) }
        func say(_ text: String) { _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
        switch manner {
        case .says(let text):
            say(text)
            close(connection)
        case .stalls(let text):
            say(text)
            connections.withLock { $0.append(connection) }
        case .drips(let text):
            say(text)
            Thread {
                while send(connection, " ", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(20_000) }
                close(connection)
            }.start()
        }
    }
}

/// A port of the loopback at which nobody listens, as long as the value is there.
public final class ClosedPort: Sendable {
    public let number: UInt16
    private let holder: Int32

    public init() throws {
        holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let holder = holder
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(holder, $0, length) | getsockname(holder, $0, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(holder) }
}
