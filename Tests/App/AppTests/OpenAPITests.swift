import Foundation
import Testing

@testable import HTTP

/// The document of the API and the routes name the same operations.
@Suite struct OpenAPITests {
    private var document: [String: Any] { get throws { try DocumentedServer.document } }

    /// `get /v1/images/{id}` for each route.
    private var routes: Set<String> {
        Set(DocumentedServer.router.routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" })
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
