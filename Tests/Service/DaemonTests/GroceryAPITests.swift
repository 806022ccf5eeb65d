import Foundation
import TestSupport
import Testing

/// Lists and prices over the API of a real daemon, and with the commands.
@Suite(.serialized) struct GroceryAPITests {
    /// A member for whom the daemon's own key acts.
    private struct Client {
        let daemon: LiveDaemon
        let name: String

        func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> LiveDaemon.Reply {
            let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
            return try await daemon.call(
                method, path, data, ["Tablesight-Member": name, "Content-Type": "application/json"])
        }

        init(_ daemon: LiveDaemon, _ name: String) async throws {
            self.daemon = daemon
            self.name = name
            #expect(try await daemon.call("PUT", "/v1/people/\(name)", Data("{}".utf8)).status == 201)
        }
    }

    private func array(_ reply: LiveDaemon.Reply) -> [[String: Any]] {
        (try? JSONSerialization.jsonObject(with: reply.data) as? [[String: Any]]) ?? []
    }

    private func waiting(_ client: Client) async throws -> [[String: Any]] {
        array(try await client.call("GET", "/v1/prices/reviews"))
    }

    @Test func `a receipt in a watched folder becomes prices and a comparison`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let ada = try await Client(daemon, "Ada")
        let photo = Repository.samples.appending(path: "documents/receipt-baeckerei.jpg")
        try FileManager.default.copyItem(at: photo, to: daemon.inbox.appending(path: "receipt.jpg"))
        #expect(try await eventually { try await waiting(ada).count == 3 }, "the deposit has no price")
        #expect(array(try await ada.call("GET", "/v1/places")).isEmpty, "nothing is used before a person decides")

        let place = try await ada.call("POST", "/v1/places", ["name": "Bäckerei Kornfeld"])
        #expect(place.status == 201)
        let placeID = try #require(place.json["id"] as? Int)
        let list = try #require(try await ada.call("POST", "/v1/lists", ["name": "Week"]).json["id"] as? Int)
        var sum = Decimal(0)
        for review in try await waiting(ada) {
            let draft = try #require(review["draft"] as? [String: Any])
            let name = try #require(draft["printed"] as? String)
            sum += try #require((draft["amount"] as? String).flatMap { Decimal(string: $0) })
            let item = try await ada.call("POST", "/v1/items", ["list": list, "name": name, "anyway": true])
            #expect(item.status == 201)
            let product = try #require(item.json["product"] as? Int)
            let decision: [String: Any] = ["isAccepted": true, "product": product, "place": placeID]
            let decided = try await ada.call("POST", "/v1/prices/reviews/\(review["id"] ?? 0)", decision)
            #expect(decided.status == 200, "\(decided.text)")
        }
        let comparison = try await ada.call("GET", "/v1/compare?list=\(list)")
        let group = try #require((comparison.json["currencies"] as? [[String: Any]])?.first)
        let cheapest = try #require((group["cheapest"] as? [[String: Any]])?.first)
        // Three pieces for 3.30 are 1.10 each.
        let total = try #require((cheapest["total"] as? [String: String])?["amount"])
        #expect(Decimal(string: total) == sum, "\(comparison.text)")
        #expect(["8.10", "10.30"].contains(total))
        #expect(cheapest["placeName"] as? String == "Bäckerei Kornfeld")
    }

    @Test func `prices of a photo count for the person who sent it, until it is erased`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let ada = try await Client(daemon, "Quentin")
        let photo = try Data(contentsOf: Repository.samples.appending(path: "documents/receipt-baeckerei.jpg"))
        let sent = try await daemon.call(
            "POST", "/v1/images", photo, ["Tablesight-Member": ada.name, "Content-Type": "image/jpeg"])
        #expect(sent.status == 202)
        let id = try #require((sent.json["images"] as? [[String: Any]])?.first?["id"] as? String)
        #expect(try await eventually { try await waiting(ada).count == 3 }, "the deposit has no price")
        #expect(try await waiting(ada).allSatisfy { $0["contributor"] as? String == "Quentin" })
        #expect(array(try await ada.call("GET", "/v1/prices/reviews?photo=\(id)")).count == 3)
        #expect(array(try await ada.call("GET", "/v1/prices/reviews?photo=sha256:0")).isEmpty)
        let exported = try await ada.call("GET", "/v1/me/export")
        #expect(exported.json["photos"] as? [String] == [id])
        let review = try #require(try await waiting(ada).first?["id"])
        #expect(try await ada.call("POST", "/v1/prices/reviews/\(review)", ["isAccepted": false]).status == 200)
        let me = try await ada.call("GET", "/v1/me")
        #expect((me.json["reputation"] as? [String: Any])?["rejected"] as? Int == 0)
        #expect(try await daemon.call("DELETE", "/v1/people/Quentin").status == 200)
        #expect(try daemon.files(holding: Data("Quentin".utf8)) == [])
    }

    @Test func `an entry of a list warns of what records name, and says where it cannot tell`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let ada = try await Client(daemon, "Ada")
        let allergens = Data("{\"allergens\":{\"nuts\":\"severe\"}}".utf8)
        #expect(try await daemon.call("PUT", "/v1/people/Ada", allergens).status < 300)
        let list = try #require(try await ada.call("POST", "/v1/lists", ["name": "Week"]).json["id"] as? Int)
        var entries: [Int] = []
        for item in [["gtin": "9520100001017"], ["gtin": "4006381333931", "name": "Pens"], ["name": "Bananas"]] {
            let body = (item as [String: Any]).merging(["list": list, "anyway": true]) { $1 }
            entries.append(try #require(try await ada.call("POST", "/v1/items", body).json["id"] as? Int))
        }
        let cookies = try await daemon.cookie(of: "Ada")
        func page(_ place: Int) async throws -> String {
            try await daemon.call("GET", "/list/entries/\(entries[place])", nil, ["Cookie": cookies]).text
        }
        // People are loaded again a moment after the change.
        #expect(try await eventually { try await page(0).contains("nuts for Ada") })
        #expect(try await page(1).contains("the product is in no catalogue"))
        #expect(try await page(2).contains("no product number, so no ingredients are known"))
    }

    @Test func `lists belong to their people`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        #expect(try await daemon.call("GET", "/v1/lists").status == 403)
        let (ada, ben) = (try await Client(daemon, "Ada"), try await Client(daemon, "Ben"))
        let list = try #require(try await ada.call("POST", "/v1/lists", ["name": "Week"]).json["id"] as? Int)
        let milk = try await ada.call("POST", "/v1/items", ["list": list, "name": "Milk"])
        let item = try #require(milk.json["id"] as? Int)
        let again = try await ada.call("POST", "/v1/items", ["list": list, "name": "milk"])
        #expect(again.status == 409)
        #expect(again.json["duplicate"] as? String == "name")
        for (method, path) in [
            ("GET", "/v1/lists/\(list)"), ("GET", "/v1/items?list=\(list)"), ("PATCH", "/v1/items/\(item)"),
            ("DELETE", "/v1/items/\(item)"), ("GET", "/v1/compare?list=\(list)"), ("POST", "/v1/lists/\(list)/undo"),
        ] {
            #expect(try await ben.call(method, path, method == "GET" ? nil : [:]).status == 404, "\(method) \(path)")
        }
        #expect(try await ada.call("PUT", "/v1/lists/\(list)/people/Ben").status == 200)
        #expect(try await ben.call("PATCH", "/v1/items/\(item)", ["isCompleted": true]).status == 200)
        #expect(try await ada.call("PUT", "/v1/lists/\(list)/people/Nobody").status == 404)
        _ = try await ada.call("POST", "/v1/lists", ["name": "Zweischneider"])
        #expect(try daemon.files(holding: Data("Zweischneider".utf8)) != [])
        #expect(try await daemon.call("DELETE", "/v1/people/Ada").status == 200)
        #expect(try daemon.files(holding: Data("Zweischneider".utf8)) == [], "not in the log either")
        #expect(try await ada.call("GET", "/v1/lists").status == 403, "there is no Ada any more")
        #expect(try await ben.call("GET", "/v1/lists/\(list)").json["owner"] as? String == "Ben")
    }

    @Test func `pages ask who it is, and forms of other sites change nothing`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let ada = try await Client(daemon, "Ada")
        let list = try #require(try await ada.call("POST", "/v1/lists", ["name": "Week"]).json["id"] as? Int)
        let (device, own) = (try await daemon.cookie(), try await daemon.cookie(of: "Ada"))
        for page in ["list", "compare", "goods", "prices", "feed", "me", "me/export"] {
            let stranger = try await daemon.call("GET", "/\(page)", nil, ["Cookie": device, "Accept": "text/html"])
            #expect(stranger.text.contains("action=\"/who\""), "\(page)")
            let answer = try await daemon.call("GET", "/\(page)", nil, ["Cookie": own])
            #expect(answer.status == 200 && !answer.text.contains("action=\"/who\""), "\(page)")
            #expect(try await daemon.call("GET", "/\(page)", nil, ["Cookie": "a=b"]).status == 401)
        }
        let body = Data("list=\(list)&text=Milk".utf8)
        for origin in [nil, "http://evil.example"] {
            let headers = ["Cookie": own].merging(origin.map { ["Origin": $0] } ?? [:]) { $1 }
            #expect(try await daemon.call("POST", "/list/add", body, headers).status == 403)
        }
        #expect(array(try await ada.call("GET", "/v1/items?list=\(list)")).isEmpty)
        let missing = try await daemon.call("GET", "/list?list=999", nil, ["Cookie": own])
        #expect(missing.status == 404 && missing.text.contains("<h1>"))
    }

    @Test func `commands add, compare, export and erase`() throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appending(path: "t.sqlite").path
        func run(_ arguments: [String]) throws -> Program.Result {
            try Program("tablesight").run(arguments + ["--database", database])
        }
        let sample = try run(["sample-data", "--person", "Quentin"])
        #expect(sample.exitCode == 0 && sample.output.contains("25 products, 5 shops"), "\(sample.errors)")
        let compared = try run(["list", "compare", "--person", "Quentin"])
        #expect(compared.output.split(separator: "\n").count >= 4, "\(compared.output)\(compared.errors)")
        #expect(compared.output.contains("the second stop saves"))
        let exported = try run(["prices", "export"])
        let lines = try folder.write(Data(exported.output.utf8), to: "prices.jsonl")
        let other = folder.url.appending(path: "other.sqlite").path
        let imported = try Program("tablesight").run(["prices", "import", lines.path, "--database", other])
        #expect(imported.exitCode == 0, "\(imported.errors)")
        #expect(imported.output.hasPrefix("\(exported.output.split(separator: "\n").count) prices imported"))
        let twice = try run(["list", "add", "Whole", "Milk", "--person", "Quentin"])
        #expect(twice.exitCode == 65 && twice.errors.contains("--anyway"), "\(twice.errors)")
        let wrong = try run(["prices", "add", "Milk", "--price", "0", "--currency", "EUR", "--place", "Aldi"])
        #expect(wrong.exitCode == 65)
        #expect(try run(["list", "erase", "--person", "Quentin", "--yes"]).exitCode == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
            let data = try Data(contentsOf: folder.url.appending(path: name))
            return name.hasPrefix("t.sqlite") && data.range(of: Data("Quentin".utf8)) != nil
        }
        #expect(left == [])
    }
}
