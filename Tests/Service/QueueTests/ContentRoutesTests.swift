import Hummingbird
import HTTPTypes
import Logging
import NIOEmbedded
import Testing

@testable import HTTP
@testable import Queue

/// The route for workers of a queue: its token opens nothing else, and nothing else opens it.
@Suite struct ContentRoutesTests {
    private static let id = "sha256:" + String(repeating: "a", count: 64)

    private static let bytes = (0..<600_000).map { UInt8($0 % 251) }

    private static func content(_ id: String) -> PhotoContent? {
        guard id == Self.id else { return nil }
        return PhotoContent(bytes: bytes.count) { Array(bytes[$0..<min($0 + $1, bytes.count)]) }
    }

    private static let metrics = Route(.get, "metrics", for: .adult, "Metrics", gives: ("text/plain", "Text.")) { _ in
        Response(status: .ok)
    }

    private func get(_ path: String, token: String) async throws -> Response {
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
        let server = APIServer(
            APISettings(token: "of the daemon"), probe: probe,
            routes: [ContentRoute(token: "of workers") { Self.content($0) }.route, Self.metrics],
            logger: Logger(label: "test"))
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8765", path: path)
        head.headerFields[.authorization] = "Bearer " + token
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
        return try await server.router().buildResponder()
            .respond(to: Request(head: head, body: .init(buffer: .init())), context: APIContext(source: source))
    }

    @Test func `a worker gets the bytes of a photo that it has to read`() async throws {
        let response = try await get("/v1/images/\(Self.id)/content", token: "of workers")
        #expect(response.status == .ok)
        #expect(response.body.contentLength == 600_000)
    }

    @Test func `other photos are not served`() async throws {
        let other = "sha256:" + String(repeating: "b", count: 64)
        for id in [other, "sha256:", "..%2F..%2Fetc%2Fpasswd"] {
            #expect(try await get("/v1/images/\(id)/content", token: "of workers").status == .notFound, "\(id)")
        }
    }

    @Test func `each token opens its own routes only`() async throws {
        #expect(try await get("/v1/images/\(Self.id)/content", token: "of the daemon").status == .unauthorized)
        #expect(try await get("/metrics", token: "of workers").status == .unauthorized)
        #expect(try await get("/metrics", token: "of the daemon").status == .ok)
    }
}
