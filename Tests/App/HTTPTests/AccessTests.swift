import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Testing

@testable import HTTP

/// Who is let in, on every route of the document.
@Suite struct AccessTests {
    struct Operation: CustomTestStringConvertible, Sendable {
        var method, path: String
        var testDescription: String { "\(method) \(path)" }
        var changes: Bool { !["GET", "HEAD"].contains(method) }
    }

    /// All operations but the open health routes.
    static var operations: [Operation] {
        let paths = (try? DocumentedServer.document["paths"] as? [String: [String: Any]]) ?? [:]
        return paths.flatMap { path, methods in
            methods.keys.map { Operation(method: $0.uppercased(), path: path) }
        }.filter { !["/healthz", "/readyz"].contains($0.path) }.sorted { $0.testDescription < $1.testDescription }
    }

    private func status(
        _ operation: Operation, host: String = "127.0.0.1:8765", _ fields: [String: String]
    ) async throws -> Int {
        var path = operation.path.replacing("{id}", with: "sha256:" + String(repeating: "0", count: 64))
        path = path.replacing(/{[a-z]+}/, with: "x")
        let method = try #require(HTTPRequest.Method(rawValue: operation.method))
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
        for (name, value) in fields { head.headerFields[try #require(HTTPField.Name(name))] = value }
        let request = Request(head: head, body: .init(buffer: .init()))
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await DocumentedServer.router.buildResponder()
            .respond(to: request, context: APIContext(source: source))
        return response.status.code
    }

    private let bearer = ["Authorization": "Bearer " + DocumentedServer.token]
    private let cookie = ["Cookie": "tablesight=" + DocumentedServer.deviceToken]

    @Test func `the document has operations to check`() { #expect(Self.operations.count >= 30) }

    @Test(arguments: operations) func `another host is refused, also with the token`(_ operation: Operation)
        async throws
    {
        for host in ["evil.example", "127.0.0.1.evil.example", ""] {
            #expect(try await status(operation, host: host, bearer) == 403, "\(host)")
        }
    }

    @Test(arguments: operations) func `another origin is refused, also with the token`(_ operation: Operation)
        async throws
    {
        for origin in ["http://evil.example", "null", "https://127.0.0.1.evil.example"] {
            #expect(try await status(operation, bearer.merging(["Origin": origin]) { $1 }) == 403, "\(origin)")
            #expect(try await status(operation, cookie.merging(["Origin": origin]) { $1 }) == 403, "\(origin)")
        }
    }

    @Test(arguments: operations) func `a missing or wrong token is refused`(_ operation: Operation) async throws {
        #expect(try await status(operation, [:]) == 401)
        #expect(try await status(operation, ["Authorization": "Bearer wrong"]) == 401)
        #expect(try await status(operation, ["Authorization": "Basic right"]) == 401)
        #expect(try await status(operation, ["Cookie": "tablesight=wrong"]) == 401)
        #expect(try await status(operation, ["Cookie": "other=right"]) == 401)
    }

    @Test(arguments: operations) func `a change with the cookie needs this server as its origin`(
        _ operation: Operation
    ) async throws {
        guard operation.changes else { return }
        #expect(try await status(operation, cookie) == 403)
        #expect(try await status(operation, cookie.merging(["Origin": "http://127.0.0.1:9999"]) { $1 }) == 403)
        let own = try await status(operation, cookie.merging(["Origin": "http://127.0.0.1:8765"]) { $1 })
        #expect(![401, 403].contains(own))
    }

    @Test(arguments: operations) func `the token opens the route`(_ operation: Operation) async throws {
        #expect(![401, 403].contains(try await status(operation, bearer)))
    }
}
