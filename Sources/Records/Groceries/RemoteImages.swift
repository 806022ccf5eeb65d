import Catalogue
import Core
import Foundation
import GRDB

/// A picture that was fetched, or not.
package enum RemoteImage: Sendable, Hashable {
    case bytes(Data)
    /// The server has none (404), or the answer has another format; asked again after a day.
    case none
    /// The server did not answer; asked again later.
    case failed(String)
}

/// Pictures of products on other servers, fetched in the background and cached.
///
/// Statuses 408, 425, 429 and 5xx are tried three times with pauses of 0.6 s that double, ± 20 %. 404 is not
/// repeated. The bytes are not decoded here: they go through a worker like every photo.
package actor RemoteImages {
    private let groceries: Groceries
    private let transport: any RemoteTransport
    private let clock: RemoteClock
    private let timeout: Duration
    private let userAgent: String
    private let allowsLoopback: Bool
    private var running: [String: Task<RemoteImage, Never>] = [:]

    package static let tries = 3
    /// Seconds of the first pause.
    static let firstPause = 0.6
    static let jitter = 0.2
    /// Bytes of a picture.
    package static let longest = 8 << 20
    /// Seconds after which a missing picture is asked for again.
    static let missingSeconds: Int64 = 86_400
    private static let mostRunning = 4

    /// - Parameter allowsLoopback: true lets tests use http on this machine.
    package init(
        _ groceries: Groceries,
        transport: any RemoteTransport = HTTPTransport(longest: RemoteImages.longest, accepts: "image/*"),
        clock: RemoteClock = .system, timeout: Duration = .seconds(10), allowsLoopback: Bool = false
    ) {
        self.groceries = groceries
        self.transport = transport
        self.clock = clock
        self.timeout = timeout
        self.allowsLoopback = allowsLoopback
        userAgent = "Tablesight/\(ProgramVersion.current)"
    }

    /// An address that may be fetched: https, a host with a name, no password and no port.
    static func address(_ text: String, allowsLoopback: Bool = false) throws(GroceryProblem) -> URL {
        guard text.utf8.count <= 1000, let url = URL(string: text), let host = url.host?.lowercased() else {
            throw .bad("a picture needs an https address of at most 1000 characters")
        }
        if allowsLoopback, url.scheme == "http", host == "127.0.0.1" { return url }
        let labels = host.split(separator: ".")
        let isNamed = labels.count > 1 && labels.last.map { $0.allSatisfy { $0.isLetter || $0 == "-" } } == true
        guard url.scheme == "https", isNamed, url.user == nil, url.password == nil, url.port == nil,
            !["local", "internal", "localhost", "lan", "home", "arpa"].contains(labels.last.map(String.init) ?? "")
        else { throw .bad("a picture needs an https address of a public server, without password and port") }
        return url
    }

    /// The cached picture, or nil if it was not fetched yet; never waits for a server.
    package nonisolated func cached(_ address: String) throws -> RemoteImage? {
        let now = groceries.seconds
        let row = try groceries.store.read(Row.fetchOne, "SELECT * FROM grocery_image WHERE address = \(address)")
        guard let row else { return nil }
        if let bytes = row["bytes"] as Data? { return .bytes(bytes) }
        return now - (row["fetched"] as Int64) < Self.missingSeconds ? RemoteImage.none : nil
    }

    /// The picture from the cache or from its server. Several callers share one request.
    package func image(_ address: String) async -> RemoteImage {
        if let cached = try? cached(address) { return cached }
        if let task = running[address] { return await task.value }
        guard running.count < Self.mostRunning else { return .failed("too many pictures are being fetched") }
        let task = Task { await self.fetch(address) }
        running[address] = task
        defer { running[address] = nil }
        return await task.value
    }

    private func fetch(_ text: String) async -> RemoteImage {
        let url: URL
        do { url = try Self.address(text, allowsLoopback: allowsLoopback) } catch { return .failed(error.message) }
        var last = ""
        for attempt in 0..<Self.tries {
            if attempt > 0 {
                let pause = Self.firstPause * Double(1 << (attempt - 1)) * (1 + Self.jitter * clock.spread())
                do { try await clock.sleep(.seconds(pause)) } catch { return .failed("cancelled") }
            }
            do {
                let reply = try await transport.get(url, userAgent: userAgent, timeout: timeout)
                switch reply.status {
                case 200:
                    let bytes = Self.isPicture(reply.body) ? reply.body : nil
                    keep(text, bytes, 200)
                    return bytes.map { .bytes($0) } ?? .none
                case 404, 410:
                    keep(text, nil, reply.status)
                    return .none
                case 408, 425, 429, 500...599: last = "the server answered \(reply.status)"
                default: return .failed("the server answered \(reply.status)")
                }
            } catch {
                // A server that hangs is tried again like one that is busy.
                guard case .unreachable = error else { return .failed(error.message) }
                last = error.message
            }
        }
        return .failed(last)
    }

    private func keep(_ address: String, _ bytes: Data?, _ status: Int) {
        let now = groceries.seconds
        // A picture that cannot be stored is fetched again.
        _ = try? groceries.store.execute(
            literal: """
                INSERT OR REPLACE INTO grocery_image (address, bytes, status, fetched)
                VALUES (\(address), \(bytes), \(status), \(now))
                """)
    }

    /// True for the first bytes of JPEG, PNG, WebP and GIF.
    private static func isPicture(_ data: Data) -> Bool {
        let head = Array(data.prefix(12))
        return head.starts(with: [0xFF, 0xD8, 0xFF]) || head.starts(with: [0x89, 0x50, 0x4E, 0x47])
            || head.starts(with: Array("GIF8".utf8))
            || head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("WEBP".utf8))
    }
}
