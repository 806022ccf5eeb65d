import Foundation
import FoundationNetworking
import Glibc
import HTTPAPI
import Logging
import ServiceLifecycle
import Testing

/// Idle connections, with a live server on a free port.
@Suite struct ConnectionLimitTests {
    /// A connected socket; nil if the server's queue stayed full for 20 seconds. On a busy
    /// machine it is full for a moment, and the kernel then repeats the request after 1, 3, 7 and 15 seconds.
    private func connect(_ port: Int) -> Int32? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
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
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] }, metrics: { "" })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = APIServer(settings, probe: probe, logger: Logger(label: "test")) { continuation.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            var iterator = ports.makeAsyncIterator()
            try await body(try #require(await iterator.next()))
        }
    }

    private func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test(.timeLimit(.minutes(15)))
    func `1,100 idle connections block no request and use few descriptors`() async throws {
        var settings = APISettings(port: 0, token: "t")
        settings.mostConnections = 64
        try await withServer(settings) { port in
            let before = try descriptors()
            // Connecting waits for the server, so it must not block a thread that the server needs.
            let clients = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: (0..<1100).compactMap { _ in connect(port) }) }.start()
            }
            defer { clients.forEach { close($0) } }
            #expect(clients.count >= 1000)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/healthz"))
            let (_, response) = try await URLSession(configuration: .ephemeral).data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            // The server is in this process: only few of its ends of the connections are open.
            var served = Int.max
            for _ in 0..<200 where served > 100 {
                served = try descriptors() - before - clients.count
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(served <= 100)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `an idle connection is closed`() async throws {
        var settings = APISettings(port: 0, token: "t")
        settings.idleSeconds = 1
        try await withServer(settings) { port in
            let client = try #require(connect(port))
            defer { close(client) }
            let ended = await Task.detached {
                var byte: UInt8 = 0
                return recv(client, &byte, 1, 0)
            }.value
            #expect(ended == 0, "the server closed the connection")
        }
    }
}
