import Catalogue
import Core
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import HTTP
@testable import Engine

/// The description of the API is made from the routes, and loses nothing that it had.
@Suite struct APIDescriptionTests {
    static let engine = TablesightEngine(
        models: ModelFolder(Repository.models),
        catalogue: Catalogue(folder: FileManager.default.temporaryDirectory.appending(path: "tablesight-no-catalogue")),
        program: Program("tablesight").url)

    private func document() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: try WatchDaemon.apiDescription(Self.engine))
        return try #require(json as? [String: Any])
    }

    @Test func `docs/openapi.json is the description, and lost nothing`() throws {
        let former = try Data(contentsOf: Repository.root.appending(path: "docs/openapi.json"))
        let present = try WatchDaemon.apiDescription(Self.engine)
        #expect(try APIAdditions.missing(from: present, of: former) == [])
        #expect(
            present == former,
            "after an addition: .build/debug/tablesight config openapi > FILE, FILE to docs/openapi.json, scripts/tool report.routes"
        )
    }

    @Test func `each operation states the least role that may use it, or that no token is needed`() throws {
        let document = try document()
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        func roles(_ path: String, _ method: String) -> [[String: [String]]]? {
            paths[path]?[method]?["security"] as? [[String: [String]]]
        }
        #expect(roles("/v1/lists", "get") == [["token": ["adult"]], ["cookie": ["adult"]]])
        #expect(roles("/v1/history", "get") == [["token": ["guest"]], ["cookie": ["guest"]]])
        #expect(roles("/healthz", "get") == [])
    }

    /// The descriptions of earlier builds and releases, by commit or version, without their sentences.
    private static var releases: [URL] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                at: Repository.root.appending(path: "Tests/Releases"), includingPropertiesForKeys: nil
            ).filter(\.hasDirectoryPath)
        }
    }

    @Test func `nothing of an earlier description is gone, but for what the change log names`() throws {
        #expect(try !Self.releases.isEmpty)
        for release in try Self.releases {
            let former = try Data(contentsOf: release.appending(path: "openapi.json"))
            let missing = try APIAdditions.missing(from: try WatchDaemon.apiDescription(Self.engine), of: former)
            let known = (try? String(contentsOf: release.appending(path: "ended.txt"), encoding: .utf8)) ?? ""
            #expect(missing.joined(separator: "\n") == known.trimmingCharacters(in: .newlines), "\(release.path)")
        }
    }

    @Test(arguments: PublishedSchema.allCases)
    func `docs/schemas has the schema of each form, which lost nothing`(_ form: PublishedSchema) throws {
        let written = try Data(contentsOf: Repository.root.appending(path: "docs/schemas/\(form).json"))
        #expect(try APIAdditions.missing(fromSchema: form.json(), of: written) == [])
        #expect(
            try form.json() == written,
            "after an addition: .build/debug/tablesight config schema \(form) > docs/schemas/\(form).json")
    }

    @Test func `a loss of a schema is found`() throws {
        let former = try PublishedSchema.frame.json()
        let text = String(decoding: former, as: UTF8.self)
        let present = Data(text.replacing(#""seq" :"#, with: #""number" :"#).utf8)
        #expect(present != former)
        #expect(try APIAdditions.missing(fromSchema: present, of: former) == [": the property seq is gone"])
    }

    @Test func `every JSON route of the daemon is described`() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        let described = Set(paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } })
        let served = Set(try House().router().routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" })
        let isPage = { (route: String) in
            !["/v1/", "/api/", "/metrics", "/openapi.json", "/healthz", "/readyz"].contains {
                route.split(separator: " ")[1].hasPrefix($0)
            }
        }
        #expect(served.filter { !isPage($0) }.subtracting(described).sorted() == [])
        #expect(described.subtracting(served).sorted() == [])
    }

    @Test func `every operation has a name of its own, and every reference leads somewhere`() throws {
        let document = try document()
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let names = paths.values.flatMap { $0.values.compactMap { $0["operationId"] as? String } }
        #expect(names.count == paths.values.reduce(0) { $0 + $1.count })
        #expect(Set(names).count == names.count)
        let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
        for match in text.matches(of: /schemas\\?\/([A-Za-z0-9]+)/) {
            #expect(schemas[String(match.1)] != nil, "\(match.1)")
        }
    }

    @Test func `an answer of two types names both`() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
        let added = try #require(paths["/v1/items"]?["post"]?["responses"] as? [String: [String: Any]])
        for (status, schema) in [("201", "GroceryItem"), ("409", "DuplicateEntry")] {
            let content = "\(added[status]?["content"] ?? "")"
            #expect(content.contains("#/components/schemas/\(schema)"), "\(status)")
        }
    }

    @Test(arguments: [
        (#"{"a":{"type":"string"}}"#, #"{"b":{"type":"string"}}"#, "the property a is gone"),
        (#"{"a":{"type":"string"}}"#, #"{"a":{"type":"integer"}}"#, "integer instead of string"),
        (#"{"a":{"type":"string","enum":["x","y"]}}"#, #"{"a":{"type":"string","enum":["x"]}}"#, "the value y is gone"),
    ])
    func `a loss is found`(_ former: String, _ present: String, _ sentence: String) throws {
        func description(_ properties: String) -> Data {
            Data(
                """
                {"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
                {"type":"object","properties":\(properties)}}}}}}}}}
                """.utf8)
        }
        let missing = try APIAdditions.missing(from: description(present), of: description(former))
        #expect(missing.count == 1 && missing.allSatisfy { $0.hasSuffix(sentence) }, "\(missing)")
        #expect(try APIAdditions.missing(from: description(former), of: description(former)) == [])
    }

    @Test func `a route that is gone is found`() throws {
        let former = Data(#"{"paths":{"/a":{"get":{},"put":{}}}}"#.utf8)
        let present = Data(#"{"paths":{"/a":{"get":{}}}}"#.utf8)
        #expect(try APIAdditions.missing(from: present, of: former) == ["PUT /a is gone"])
    }
}
