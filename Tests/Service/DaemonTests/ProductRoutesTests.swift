import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// Products over the API of a real daemon with an imported test catalogue.
@Suite struct ProductRoutesTests {
    private struct Reply {
        var status: Int
        var json: [String: Any]
        var product: [String: Any]? { json["product"] as? [String: Any] }
    }

    /// A test product in Open Food Facts' format.
    private static let line = """
        {"code":"3017620422003","product_name":"Hazelnut Spread","brands":"Examplia","lang":"en",\
        "ingredients_text":"sugar, hazelnuts, skimmed milk powder","allergens_tags":["en:milk","en:nuts"],\
        "nutriments":{"energy-kcal_100g":539,"fat_100g":30.9},"last_modified_t":1700000000}
        """

    /// Runs a daemon while `body` runs.
    private func withDaemon(_ body: (_ get: (String) async throws -> Reply) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let program = Program("tablesight")
        let environment = ["TABLESIGHT_CATALOGUE": folder.url.appending(path: "catalogue").path]
        let file = folder.url.appending(path: "products.jsonl")
        try Data((Self.line + "\n").utf8).write(to: file)
        #expect(try program.run(["catalogue", "import", file.path], environment: environment).exitCode == 0)
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let daemon = try program.start(
            ["watch", inbox.path, "--port", "0"], output: folder.url.appending(path: "out"), environment: environment)
        defer {
            daemon.interrupt()
            daemon.waitUntilExit()
        }
        let results = folder.url.appending(path: "inbox.tablesight")
        let address = try await text(of: results.appending(path: "api-address"))
        let token = try await text(of: results.appending(path: "api-token"))
        try await body { path in
            var request = URLRequest(url: try #require(URL(string: address + path)))
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            let (data, response) = try await URLSession(configuration: .patient).data(for: request)
            return Reply(
                status: (response as? HTTPURLResponse)?.statusCode ?? 0,
                json: try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]))
        }
    }

    /// The text of another process's file, as soon as it is there.
    private func text(of file: URL) async throws -> String {
        #expect(try await eventually { (try? Data(contentsOf: file))?.isEmpty == false }, "\(file.lastPathComponent)")
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `products are found by number, in both formats, and by misspelt names`() async throws {
        try await withDaemon { get in
            let found = try await get("/api/v2/product/3017620422003.json")
            #expect(found.status == 200)
            #expect(found.json["status"] as? Int == 1)
            #expect(found.product?["product_name"] as? String == "Hazelnut Spread")
            #expect(found.product?["allergens_tags"] as? [String] == ["en:milk", "en:nuts"])

            let some = try await get("/api/v2/product/3017620422003?fields=brands,code")
            #expect(some.product.map { Set($0.keys) } == ["brands", "code"])

            let unknown = try await get("/api/v2/product/5000000000005.json")
            #expect(unknown.status == 404)
            #expect(unknown.json["status"] as? Int == 0)

            let item = try await get("/v1/products/3017620422003")
            #expect(item.status == 200)
            #expect(item.json["id"] as? String == "off:3017620422003")
            #expect(item.json["calories"] as? Double == 539)
            #expect(try await get("/v1/products/3017620422004").status == 400, "its check digit is wrong")
            #expect(try await get("/v1/products/5000000000005").status == 404)

            let items = try await get("/v1/search?q=hazelnutt%20spred")
            // Generic foods, which have no number, follow the product.
            let numbers = (items.json["items"] as? [[String: Any]])?.map { $0["barcode"] as? String } ?? []
            #expect(numbers.first == "3017620422003" && numbers.dropFirst().allSatisfy { $0 == nil })
            #expect(try await get("/v1/search").status == 400)
            #expect(try await get("/v1/search?q=x&limit=0").status == 400)
        }
    }
}
