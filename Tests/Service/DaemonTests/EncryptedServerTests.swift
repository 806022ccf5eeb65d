import Core
import Foundation
import HTTP
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import Daemon

/// HTTPS of the daemon itself, with the certificate of the house.
@Suite struct EncryptedServerTests {
    private let folder: TemporaryFolder
    private let house: HouseCertificate

    init() throws {
        folder = try TemporaryFolder()
        house = HouseCertificate(in: try #require(FilePathBytes(folder.url.path + "/https")))
    }

    /// Runs both servers, and stops them after the body.
    private func serve(_ body: (_ http: Int, _ https: Int) async throws -> Void) async throws {
        var settings = APISettings(port: 0, token: "secret")
        settings.encrypted = (0, try ServerCertificate(file: house.server.display))
        let (plain, atPlain) = AsyncStream.makeStream(of: Int.self)
        let (encrypted, atEncrypted) = AsyncStream.makeStream(of: Int.self)
        let server = APIServer(
            settings, probe: DaemonProbe(isAlive: { true }, shortcomings: { [] }), logger: Logger(label: "test"),
            onRunning: { atPlain.yield($0) }, onEncrypted: { atEncrypted.yield($0) })
        let running = Task { try await server.run() }
        defer { running.cancel() }
        var (first, second) = (plain.makeAsyncIterator(), encrypted.makeAsyncIterator())
        let http = try #require(await first.next())
        try await body(http, try #require(await second.next()))
    }

    /// What the server answers to a client that trusts an authority.
    private func health(_ port: Int, trusting authority: String) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority)
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            for try await part in inbound { text += String(buffer: part) }
            return text
        }
    }

    @Test func `who trusts the house is answered, who does not is refused and harms nobody`() async throws {
        _ = try house.make(for: [CertifiedHost("localhost")])
        let stranger = HouseCertificate(in: try #require(FilePathBytes(folder.url.path + "/other")))
        _ = try stranger.make(for: [CertifiedHost("localhost")])
        try await serve { http, https in
            #expect(http != https)
            await #expect(throws: (any Error).self) {
                _ = try await health(https, trusting: stranger.authority.display)
            }
            await #expect(throws: (any Error).self, "HTTP has no TLS") {
                _ = try await health(http, trusting: house.authority.display)
            }
            let answer = try await health(https, trusting: house.authority.display)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `a renewed certificate serves the next connection without a restart`() async throws {
        _ = try house.make(for: [CertifiedHost("localhost")])
        try await serve { _, https in
            _ = try house.make(for: [CertifiedHost("localhost")], replacesAuthority: true)
            let answer = try await health(https, trusting: house.authority.display)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            // A file that cannot be used leaves the certificate as it is.
            _ = try folder.write(.init("nonsense".utf8), to: "https/server.pem")
            let later = try await health(https, trusting: house.authority.display)
            #expect(later.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `HTTPS without a certificate says how to make one`() throws {
        #expect(throws: (any Error).self) { _ = try ServerCertificate(file: house.server.display) }
    }
}
