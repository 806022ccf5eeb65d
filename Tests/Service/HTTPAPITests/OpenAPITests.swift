import Foundation
import Hummingbird
import Logging
import TestSupport
import Testing

@testable import HTTPAPI

/// The document of the API and the routes name the same operations.
@Suite struct OpenAPITests {
    private struct Nothing: APIImages, APIPeople {
        func begin() async throws -> any APIUpload { throw Problem(503, "noFolder", "") }
        func image(_ id: String) async throws -> APIImage? { nil }
        func delete(_ id: String) async throws -> APIDeletion? { nil }
        func picture(_ id: String, side: Int) async throws -> Data? { nil }
        func overlay(_ id: String) async throws -> Data? { nil }
        func people() async throws -> Data { Data() }
        func person(_ name: String) async throws -> Data? { nil }
        func save(_ name: String, _ json: Data) async throws -> Bool { false }
        func remove(_ name: String) async throws -> Bool { false }
        func reviews(of content: String?) async throws -> Data { Data() }
        func review(_ json: Data) async throws -> Data { Data() }
    }

    private var document: [String: Any] {
        get throws {
            let data = try Data(contentsOf: Repository.models.appending(path: "web/openapi.json"))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }

    /// `get /v1/images/{id}` for each route.
    private var routes: Set<String> {
        let nothing = Nothing()
        let empty = ProductAnswer(status: 404, body: Data())
        let parts: [any APIRoutes] = [
            EventRoutes(latest: { 0 }, after: { _, _ in [] }), OutcomeRoutes { _ in nil },
            HistoryRoutes(page: { _ in .init(items: [], total: 0, next: nil) }, outcome: { _ in nil }),
            ImageRoutes(nothing), PeopleRoutes(nothing),
            GameRoutes(games: { Data() }, sessions: { [] }, lines: { _, _, _ in [] }),
            ProductRoutes(openFoodFacts: { _, _ in empty }, product: { _ in empty }, search: { _, _ in empty }),
            DocumentRoutes(Data()),
        ]
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] }, metrics: { "" })
        let server = APIServer(APISettings(token: "t"), probe: probe, routes: parts, logger: Logger(label: "test"))
        return Set(server.router().routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" })
    }

    @Test func `every route is in the document, and the document has no other`() throws {
        let paths = try #require(try document["paths"] as? [String: [String: Any]])
        let described = Set(paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } })
        #expect(routes.subtracting(described).sorted() == [])
        #expect(described.subtracting(routes).sorted() == [])
    }

    @Test func `every operation has a name of its own, and every reference leads somewhere`() throws {
        let document = try document
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let names = paths.values.flatMap { $0.values.compactMap { $0["operationId"] as? String } }
        #expect(names.count == paths.values.reduce(0) { $0 + $1.count })
        #expect(Set(names).count == names.count)
        let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: paths), as: UTF8.self)
        for match in text.matches(of: /schemas\\?\/([A-Za-z]+)/) {
            #expect(schemas[String(match.1)] != nil, "\(match.1)")
        }
    }
}
