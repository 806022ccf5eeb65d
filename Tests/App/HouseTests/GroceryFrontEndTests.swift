import Core
import Foods
import Foundation
import Groceries
import TestSupport
import Testing

@testable import App

/// The rules of lists and prices through the command line, the API and the pages: one action stands behind all.
@Suite(.serialized) struct GroceryFrontEndTests {
    private let house: House
    private let things: House.Things
    private let groceries: Groceries
    private let ada: String

    init() async throws {
        (house, things) = try await House.furnished()
        let rules = try ModelFolder(Repository.models).load(GroceryRules.self, from: "groceries/rules.json")
        groceries = Groceries(house.store, rules: rules)
        ada = try house.device(of: "Ada", opens: true)
    }

    private func command(_ arguments: [String], person: String = "Ada") async throws -> Program.Result {
        try await Program("tablesight").finished(
            arguments + ["--person", person, "--database", house.store.file.path])
    }

    private func send(
        _ method: String, _ path: String, _ body: String? = nil, person: String = "Ada"
    ) async throws -> House.Reply {
        try await house.call(
            method, "/v1/\(path)", body, as: House.key, headers: ["Tablesight-Member": person])
    }

    /// The rows of lists and prices.
    private func stored() throws -> [String: String] {
        try house.contents().filter { $0.key.hasPrefix("grocery_") }
    }

    /// What an entry says, but for its number, its list and its times.
    private func entries(of list: Int64) throws -> [String] {
        try groceries.items(of: list, for: "Ada").map {
            "\($0.product) \($0.gtin ?? "") \($0.name) \($0.category ?? "") \($0.quantity) \($0.unit)"
        }
    }

    @Test func `what is refused through the API is refused on the command line, for the same reason`() async throws {
        let list = "\(things.list)"
        let changed = try await send("POST", "items", #"{"list":\#(list),"name":"Oats"}"#).id
        #expect(try await send("PATCH", "items/\(changed)", #"{"isCompleted":true}"#, person: "Zed").status == 200)
        let money = #""place":\#(things.place),"price":{"amount":"1.02","currency":"EUR"}"#
        let price = ["--price", "1.02", "--currency", "EUR", "--place", "Kornfeld"]
        let before = try stored()
        for (arguments, exit, method, path, body, status, reason) in [
            (
                ["list", "add", "--barcode", "123"], 65, "POST", "items", #"{"list":\#(list),"gtin":"123"}"#, 400,
                "check digit"
            ),
            (["list", "add", " "], 65, "POST", "items", #"{"list":\#(list),"name":" "}"#, 400, "a name has"),
            (["list", "show", "--list", "999"], 66, "GET", "lists/999", nil, 404, "there is no list 999"),
            (["list", "compare", "--list", "999"], 66, "GET", "compare?list=999", nil, 404, "there is no list 999"),
            (
                ["list", "done", "9999"], 66, "PATCH", "items/9999", #"{"isCompleted":true}"#, 404,
                "there is no entry 9999"
            ),
            (
                ["list", "move", "\(things.item)", "--after", "9999"], 66, "POST", "items/\(things.item)/move",
                #"{"after":9999}"#, 404, "there is no entry 9999"
            ),
            (
                ["list", "move", "\(things.item)", "--after", "\(things.item)"], 65, "POST",
                "items/\(things.item)/move", #"{"after":\#(things.item)}"#, 400, "behind another one of its list"
            ),
            (["list", "share", "Leo"], 65, "PUT", "lists/\(list)/people/Leo", nil, 404, "Leo is no adult"),
            (["list", "share", "Ada"], 65, "PUT", "lists/\(list)/people/Ada", nil, 400, "always has the list"),
            (["list", "undo"], 65, "POST", "lists/\(list)/undo", nil, 409, "was changed since"),
            (
                ["prices", "add", "--barcode", "123"] + price, 65, "POST", "prices", #"{"gtin":"123",\#(money)}"#, 400,
                "check digit"
            ),
            (
                ["prices", "add", "Milk", "--day", "2099-01-01"] + price, 65, "POST", "prices",
                #"{"product":\#(things.product),"date":"2099-01-01",\#(money)}"#, 400, "is in the future"
            ),
            (
                ["prices", "review", "9999", "--reject"], 66, "POST", "prices/reviews/9999", #"{"isAccepted":false}"#,
                404, "there is no waiting price 9999"
            ),
            (
                ["prices", "review", "\(things.waiting)", "--accept", "--currency", "XXQ"], 65, "POST",
                "prices/reviews/\(things.waiting)", #"{"isAccepted":true,"currency":"XXQ"}"#, 400, "such as EUR"
            ),
        ] as [([String], Int32, String, String, String?, Int, String)] {
            let (result, reply) = (try await command(arguments), try await send(method, path, body))
            #expect(result.exitCode == exit && result.errors.contains(reason), "\(arguments): \(result)")
            #expect(reply.status == status && reply.text.contains(reason), "\(path) \(body ?? ""): \(reply.text)")
        }
        let own = "somebody else has to decide"
        let accept = try await command(["prices", "review", "\(things.waiting)", "--accept"], person: "Ben")
        #expect(accept.exitCode == 65 && accept.errors.contains(own))
        let reply = try await send(
            "POST", "prices/reviews/\(things.waiting)", #"{"isAccepted":true}"#, person: "Ben")
        #expect(reply.status == 409 && reply.text.contains(own))
        let twice = try await command(["list", "add", "Milk"])
        #expect(twice.exitCode == 65 && twice.errors.contains("add it anyway with --anyway"))
        #expect(try await send("POST", "items", #"{"list":\#(list),"name":"Milk"}"#).status == 409)
        let none = try await command(["list", "show"], person: "Ben")
        #expect(none.exitCode == 66 && none.errors.contains("Ben has no list"))
        #expect(try await house.browse("GET", "/goods/\(things.product)/picture", cookie: ada).status == 404)
        #expect(try stored() == before, "nothing is stored")
    }

    @Test(
        arguments: [
            ("2 Birnen", nil), ("500 g Mehl", nil), ("Butter x3", nil), ("1/2 l Sahne", nil), ("0,75 kg Reis", nil),
            ("9520100001017", nil), ("2 9520100001017", nil), ("en:apples", nil), ("Brot 500 g", nil),
            ("Honig", "1.5 kg"), ("2 Hefe", "3"),
        ] as [(String, String?)])
    func `what is typed is the same entry on the command line, a page and a phone without a network`(
        _ text: String, _ quantity: String?
    ) async throws {
        let lists = try ["One", "Two", "Three"].map { try groceries.makeList($0, by: "Ada").id }
        let added = try await command(
            ["list", "add", text, "--list", "\(lists[0])"] + (quantity.map { ["--quantity", $0] } ?? []))
        #expect(added.exitCode == 0, "\(added)")
        var form = "list=\(lists[1])&text=\(text.escaped)"
        if let typed = quantity.flatMap({ ListQuantity($0) }) {
            form += "&quantity=\(Decimal(typed.thousandths) / 1000)&unit=\(typed.unit.rawValue)"
        }
        #expect(try await house.browse("POST", "/list/add", form, cookie: ada).status == 303)
        #expect(try entries(of: lists[0]) == entries(of: lists[1]))
        guard quantity == nil else { return }
        let change = #"[{"key":"k","action":"add","text":"\#(text)"}]"#
        #expect(try await send("POST", "lists/\(lists[2])/changes", change).json["done"] as? Int == 1)
        #expect(try entries(of: lists[0]) == entries(of: lists[2]))
    }

    @Test func `the first list, sharing, ticks and undo are the same through both`() async throws {
        #expect(try await command(["list", "add", "Tea"], person: "Ben").exitCode == 0)
        let list = try #require(try groceries.lists(of: "Ben").first)
        #expect(list.name == "Groceries")
        #expect(try await command(["list", "share", "ZED"], person: "Ben").exitCode == 0)
        #expect(try groceries.list(list.id, of: "Zed").people == ["Ben", "Zed"])
        #expect(try await send("DELETE", "lists/\(list.id)/people/zed", person: "Ben").status == 200)
        #expect(try await command(["list", "share", "Somebody"], person: "Ben").exitCode == 0, "who is no member")
        #expect(try await command(["list", "share", "Somebody", "--not"], person: "Ben").exitCode == 0)
        for (done, undo) in [(true, false), (false, true)] {
            let sweep =
                done
                ? try await command(["list", "done", "--all"], person: "Ben").exitCode == 0
                : try await send("POST", "lists/\(list.id)/sweep", #"{"action":"completeAll"}"#, person: "Ben").status
                    == 200
            #expect(sweep)
            #expect(try groceries.list(list.id, of: "Ben").completed == 1)
            let back =
                undo
                ? try await command(["list", "undo"], person: "Ben").output.contains("changed 1 entries back")
                : try await send("POST", "lists/\(list.id)/undo", person: "Ben").json["changed"] as? Int == 1
            #expect(back)
            #expect(try groceries.list(list.id, of: "Ben").completed == 0)
        }
        let shown = try await command(["list", "show", "--json"]).output
        #expect(try await send("GET", "items?list=\(things.list)").text + "\n" == shown)
        let compared = try await command(["list", "compare", "--json"]).output
        #expect(try await send("GET", "compare?list=\(things.list)").text + "\n" == compared)
        let exported = try await command(["list", "export"]).output
        #expect(try await send("GET", "me/export").text + "\n" == exported)
    }

    @Test func `a price is the same through all, in one shop, and an outlier waits`() async throws {
        let shop = try groceries.place(
            of: NewPlace(name: "Hofladen", address: "Dorfweg 1", city: "Mals"), by: "Ada")
        let typed = ["prices", "add", "Milk", "--currency", "EUR", "--day", "2026-11-20"]
        #expect(try await command(typed + ["--price", "1.03", "--place", "Hofladen"]).exitCode == 0)
        #expect(try await command(typed + ["--price", "1.04", "--place", "Hofladen, Dorfweg 1"]).exitCode == 0)
        for (amount, name) in [("1,05", "Hofladen"), ("1,06", "Hofladen, Dorfweg 1")] {
            let form =
                "product=\(things.product)&amount=\(amount)&currency=EUR&day=2026-11-20&shop=\(name.escaped)"
            #expect(try await house.browse("POST", "/prices", form, cookie: ada).status == 303)
        }
        let nameless = "product=\(things.product)&amount=1,05&currency=EUR&day=2026-11-20&shop="
        let refused = try await house.browse("POST", "/prices", nameless, cookie: ada)
        #expect(refused.status == 400 && refused.text.contains("type the name of the shop"))
        #expect(refused.text.contains("value=\"2026-11-20\""), "what was typed is kept")
        func body(_ amount: String) -> String {
            #"{"product":\#(things.product),"place":\#(shop.id),"date":"2026-11-20","#
                + #""price":{"amount":"\#(amount)","currency":"EUR"}}"#
        }
        #expect(try await send("POST", "prices", body("1.07")).status == 201)
        let prices = try groceries.prices(of: things.product, at: shop.id)
        #expect(prices.map(\.price.digits) == ["1.07", "1.06", "1.05", "1.04", "1.03"])
        for price in prices {
            #expect("\(price.date)" == "2026-11-20" && price.contributor == "Ada" && price.per == .piece)
            #expect(price.proof == .typed && price.confidence == 1 && !price.isDiscounted)
        }
        #expect(try groceries.places(for: "Ada").filter { $0.name == "Hofladen" } == [shop], "no second shop")

        let outlier = try await command(typed + ["--price", "88", "--place", "Hofladen"])
        #expect(outlier.exitCode == 0 && outlier.output.contains("it waits as number"))
        #expect(try await send("POST", "prices", body("89")).status == 202)
        let waiting = try groceries.reviews().filter { $0.contributor == "Ada" }
        #expect(waiting.map(\.draft.amount) == ["88.00", "89.00"] && waiting.allSatisfy { $0.reason == .outlier })
        let reject = ["prices", "review", "\(waiting[0].id)", "--reject"]
        #expect(try await command(reject, person: "Zed").exitCode == 0)
        let path = "prices/reviews/\(waiting[1].id)"
        #expect(try await send("POST", path, #"{"isAccepted":false}"#, person: "Zed").status == 200)
        #expect(try groceries.reviews().map(\.id) == [things.waiting])
        #expect(try await command(reject, person: "Zed").exitCode == 66)
    }
}
