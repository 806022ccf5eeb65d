import Foundation
import FoundationNetworking
import Glibc
import HTTP
import Logging
import ServiceLifecycle
import TestSupport
import Testing

/// Idle connections, with a live server on a free port.
@Suite struct ConnectionLimitTests {
    /// A connected socket; nil if that failed. On a busy machine the server's queue is full for a moment, and the
    /// kernel then repeats the request after 1, 3, 7 and 15 seconds.
    private func connect(_ port: Int) -> Int32? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(client)
            return nil
        }
        return client
    }

    private func withServer(_ settings: APISettings, _ body: (Int) async throws -> Void) async throws {
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = APIServer(settings, probe: probe, logger: Logger(label: "test")) { continuation.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            var iterator = ports.makeAsyncIterator()
            try await body(try #require(await iterator.next()))
        }
    }

    /// The server's ends of open connections, from the kernel's table. Descriptors of other tests do not count.
    private func served(at port: Int) throws -> Int {
        let rows = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
        let (own, established) = (":" + String(format: "%04X", port), "01")
        return rows.count { row in
            let fields = row.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(own) && fields[3] == established
        }
    }

    /// True if this process may have this many files open.
    private static func allowsFiles(_ count: UInt) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_max >= count else {
            return false
        }
        limit.rlim_cur = max(limit.rlim_cur, count)
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    @Test(.enabled(if: allowsFiles(2000), "this user may have too few files open"))
    func `1,100 idle connections block no request and use few descriptors`() async throws {
        var settings = APISettings(port: 0, token: "t")
        settings.mostConnections = 64
        try await withServer(settings) { port in
            // Connecting waits for the server, so it must not block a thread that the server needs.
            let clients = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: (0..<1100).compactMap { _ in connect(port) }) }.start()
            }
            defer { clients.forEach { close($0) } }
            #expect(clients.count == 1100)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/healthz"))
            let (_, response) = try await URLSession(configuration: .patient).data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(try await eventually { try served(at: port) <= 100 })
        }
    }

    @Test func `an idle connection is closed`() async throws {
        var settings = APISettings(port: 0, token: "t")
        settings.idleSeconds = 1
        try await withServer(settings) { port in
            let client = try #require(connect(port))
            defer { close(client) }
            let ended = await withCheckedContinuation { continuation in
                Thread {
                    var byte: UInt8 = 0
                    continuation.resume(returning: recv(client, &byte, 1, 0))
                }.start()
            }
            #expect(ended == 0, "the server closed the connection")
        }
    }
}
