import Foundation
import Glibc
import TestSupport
import Testing
import Core

@testable import Household
@testable import Boards

@Suite struct LineSocketTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func client(of path: FilePathBytes) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
        let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        return client
    }

    /// Sends until the client received something or was disconnected; another thread accepts it with a delay.
    private func hear(_ client: Int32, _ socket: LineSocket, _ lines: [String]) async throws -> String {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var count = -1
        _ = try await eventually {
            socket.publish(lines.map { Data($0.utf8) })
            count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return count >= 0
        }
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    @Test func `clients receive every line, and only the daemon's user may connect`() async throws {
        let path = try folder.path(below: "s")
        let socket = try LineSocket(at: path)
        var status = stat()
        #expect(path.withCString { stat($0, &status) } == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let clients = try [client(of: path), client(of: path)]
        for client in clients {
            #expect(try await hear(client, socket, ["{\"a\":1}", "{\"b\":2}"]).hasPrefix("{\"a\":1}\n{\"b\":2}\n"))
            close(client)
        }
    }

    @Test func `a client that does not read is disconnected and delays no other`() async throws {
        let path = try folder.path(below: "s")
        let socket = try LineSocket(at: path)
        let (lazy, eager) = (try client(of: path), try client(of: path))
        _ = try await hear(eager, socket, ["{}"])
        let line = Data(repeating: 0x20, count: 100_000)
        var buffer = [UInt8](repeating: 0, count: 200_000)
        for _ in 0..<50 {
            socket.publish([line])
            while recv(eager, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
        // Unread data is still available, followed by the end of the stream.
        var last = 1
        while last > 0 { last = recv(lazy, &buffer, buffer.count, 0) }
        #expect(last == 0)
        close(lazy)
        close(eager)
    }

    @Test func `clients that leave before the first line free their place`() async throws {
        let path = try folder.path(below: "s")
        let socket = try LineSocket(at: path)
        for _ in 0..<200 { close(try client(of: path)) }
        let last = try client(of: path)
        // Disconnected clients are detected only when a line is sent; the last client is still accepted.
        #expect(try await hear(last, socket, ["{}"]).hasPrefix("{}\n"), "it was not disconnected")
        close(last)
    }

    @Test func `a socket file of an earlier run is replaced and removed at the end`() throws {
        let path = try folder.path(below: "s")
        try folder.write(Data(), to: "s")
        do { _ = try LineSocket(at: path) }
        #expect(path.withCString { access($0, F_OK) } != 0)
        #expect(throws: StartupError.self) {
            try LineSocket(at: path.appending(suffix: String(repeating: "x", count: 100)))
        }
    }
}
