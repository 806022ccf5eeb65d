import Foundation
import Household
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import HTTP

/// Who is let in, on every route of the description.
@Suite(.serialized) struct AccessTests {
    struct Operation: CustomTestStringConvertible, Sendable {
        var method, path: String
        var testDescription: String { "\(method) \(path)" }
        var changes: Bool { !["GET", "HEAD"].contains(method) }
    }

    /// All operations but those without sign-in: health, and the route of queue workers, which has a token of its own.
    static let operations: [Operation] = {
        let json = try? WatchDaemon.apiDescription(APIDescriptionTests.engine)
        let document = json.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] } ?? [:]
        let paths = document["paths"] as? [String: [String: [String: Any]]] ?? [:]
        return paths.flatMap { path, methods in
            methods.filter { ($0.value["security"] as? [Any])?.isEmpty == false }.keys
                .map { Operation(method: $0.uppercased(), path: path) }
        }.sorted { $0.testDescription < $1.testDescription }
    }()

    /// All tests ask one house: its routes are made once.
    private static let shared = Result {
        let house = try House()
        try house.household.add(NewMember("Ada", role: .adult))
        return house
    }

    private let house: House
    private let bearer = ["Authorization": "Bearer " + House.key, "Tablesight-Member": "Ada"]
    private let cookie: [String: String]

    init() throws {
        house = try Self.shared.get()
        cookie = ["Cookie": "tablesight=" + (try house.device(of: "Ada", opens: true))]
    }

    private func status(
        _ operation: Operation, host: String = House.host, _ headers: [String: String]
    ) async throws -> Int {
        let path = operation.path.replacing("{id}", with: "sha256:" + String(repeating: "0", count: 64))
            .replacing(/{[a-z]+}/, with: "x")
        // Wrong tokens are counted for each address.
        let peer =
            "192.0.2.\(1 + (Self.operations.firstIndex { $0.testDescription == operation.testDescription } ?? 0))"
        return try await house.send(operation.method, path, Data(), headers, from: peer, host: host).status
    }

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
        #expect(own != 401 && own != 403)
    }

    @Test(arguments: operations) func `the token opens the route`(_ operation: Operation) async throws {
        #expect(![401, 403].contains(try await status(operation, bearer)))
    }
}
