import Core
import Diary
import Foods
import Foundation
import Groceries
import Store
import TestSupport
import Testing

@testable import App

/// UPC-E codes at every door: each is stored and found as the UPC-A that it abbreviates.
@Suite(.serialized) struct ShortNumberTests {
    private let house: House
    private let things: House.Things
    private let ada: String

    private static let short = "04963406"
    /// As it is printed, typed and scanned: one number.
    private static let spellings = [short, "0-496340-6", "496340", "049000006346", "0049000006346"]
    private static let normalised = "0049000006346"

    init() async throws {
        (house, things) = try await House.furnished()
        ada = try house.device(of: "Ada", opens: true)
    }

    private func command(_ arguments: [String]) async throws -> Program.Result {
        try await Program("tablesight").finished(
            arguments + ["--person", "Ada", "--database", house.store.file.path])
    }

    private func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> House.Reply {
        try await house.call(method, "/v1/\(path)", body, as: ada)
    }

    @Test func `an imported record is looked up by every spelling`() async throws {
        let folder = try TemporaryFolder()
        let environment = ["TABLESIGHT_CATALOGUE": folder.url.appending(path: "catalogue").path]
        let file = folder.url.appending(path: "products.jsonl")
        try Data(#"{"code":"\#(Self.short)","product_name":"Cola","nutriments":{"energy-kcal_100g":42}}"#.utf8)
            .write(to: file)
        let program = Program("tablesight")
        let report = try await program.finished(["catalogue", "import", file.path], environment: environment)
        #expect(report.exitCode == 0, "\(report.errors)")
        for spelling in Self.spellings {
            let found = try await program.finished(["lookup", spelling], environment: environment)
            #expect(found.exitCode == 0 && found.output.contains("Cola"), "\(spelling): \(found)")
        }
    }

    @Test func `the API looks every spelling up as one number`() async throws {
        for spelling in Self.spellings {
            for path in ["products/\(spelling)", "products/\(spelling)/assessment"] {
                let reply = try await send("GET", path)
                #expect(reply.status == 404 && reply.text.contains(Self.normalised), "\(path): \(reply.text)")
            }
            let reply = try await house.call("GET", "/api/v2/product/\(spelling).json", as: ada)
            #expect(reply.status == 404, "\(spelling): \(reply.text)")
        }
    }

    @Test func `a list and a price know one product by every spelling`() async throws {
        let price = #""place":\#(things.place),"price":{"amount":"1.02","currency":"EUR"}"#
        #expect(try await send("POST", "prices", #"{"gtin":"\#(Self.short)",\#(price)}"#).status == 201)
        let rules = try ModelFolder(Repository.models).load(GroceryRules.self, from: "groceries/rules.json")
        let groceries = Groceries(house.store, rules: rules)
        let number = try #require(GTIN(Self.normalised))
        let product = try #require(try groceries.product(number))
        for spelling in Self.spellings {
            let added = try await command(["list", "add", "--barcode", spelling, "--anyway"])
            #expect(added.exitCode == 0, "\(spelling): \(added.errors)")
            let typed = try await command(["list", "add", spelling, "--anyway"])
            #expect(typed.exitCode == 0, "\(spelling): \(typed.errors)")
            let reply = try await send(
                "POST", "items", #"{"list":\#(things.list),"gtin":"\#(spelling)","anyway":true}"#)
            #expect([200, 201, 409].contains(reply.status), "\(spelling): \(reply.text)")
            #expect(try groceries.products(matching: spelling).map(\.id) == [product.id])
        }
        let numbers = try groceries.items(of: things.list, for: "Ada").compactMap(\.gtin)
        #expect(Set(numbers) == [number.digits])
    }

    @Test(arguments: ["typed", "imported"])
    func `a food of the diary is found by every spelling`(way: String) async throws {
        if way == "typed" {
            let food = """
                {"id":"own:cola","name":"Cola","calories":42,"protein":0,"carbs":10,"fat":0,"barcode":"\(Self.short)",
                "defaultServing":{"sizeLabel":"1 can","grams":330,"multiplier":3.3},"altServings":[],"source":"userCreated"}
                """
            #expect(try await send("POST", "people/Ada/entries", #"{"food":\#(food)}"#).status == 201)
        } else {
            let file = house.folder.url.appending(path: "diary.csv")
            let table = """
                kind,id,day,timestamp,zone,meal,food,brand,barcode,serving,grams,calories,protein,carbs,fat,weight
                entry,cola,2026-09-01,2026-09-01T08:00:00Z,Europe/Berlin,snack,Cola,,\(Self.short),1 can,330,139,0,35,0,

                """
            try Data(table.utf8).write(to: file)
            let report = try await command(["diary", "import", file.path])
            #expect(report.exitCode == 0, "\(report)")
        }
        for spelling in Self.spellings {
            let added = try await command(["diary", "add", "--barcode", spelling])
            #expect(added.exitCode == 0 && added.output.contains("Cola"), "\(spelling): \(added)")
            let reply = try await send("POST", "people/Ada/entries", #"{"barcode":"\#(spelling)"}"#)
            #expect(reply.status == 201 && reply.text.contains(Self.normalised), "\(spelling): \(reply.text)")
        }
    }

    /// A photo of a can: of its code and its print, or of its print alone. A review has it judged again, without either.
    private func storeCan(_ number: Int = 10, showsCode: Bool) throws -> String {
        let photo = "sha256:" + String(repeating: "\(number)", count: 32)
        var outcome = Outcome(
            id: photo, source: .init(path: try house.folder.path(below: "inbox/\(number).jpg"), bytes: 4),
            status: .completed, domains: [.label], versions: .init(tablesight: "1"))
        outcome.label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        if showsCode {
            var product = Product(gtin: try #require(GTIN(Self.normalised)).digits, name: "Cola")
            product.verdicts = ["Ada": [.milk: AllergenVerdict(verdict: .likely, risk: .high, probability: 0.6)]]
            outcome.products = [product]
        }
        try house.storePhoto(outcome)
        return photo
    }

    @Test(arguments: ["edit", "product"], [true, false])
    func `a review of a product is stored under one number, whatever was typed`(
        action: String, showsCode: Bool
    ) async throws {
        // A verdict needs a product.
        guard showsCode || action == "product" else { return }
        let before = try house.store.reviews().count
        let said = action == "edit" ? [("allergen", "milk"), ("value", "CONTAINS")] : [("value", "Cola")]
        for (index, spelling) in Self.spellings.enumerated() {
            let photo = try storeCan(10 + index, showsCode: showsCode)
            let json = said.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
            let reply = try await send(
                "POST", "reviews", #"{"id":"\#(photo)","item":"\#(spelling)","action":"\#(action)",\#(json)}"#)
            #expect(reply.status == 201, "\(spelling): \(reply.text)")
            let options = ["--item", spelling, "--action", action, "--by", "Ada"] + said.flatMap { ["--\($0)", $1] }
            let other = try storeCan(20 + index, showsCode: showsCode)
            let result = try await Program("tablesight").finished(
                ["review", "add", other] + options + ["--database", house.store.file.path])
            #expect(result.exitCode == 0, "\(spelling): \(result.errors)")
        }
        let number = try #require(GTIN(Self.normalised))
        let items = try house.store.reviews().dropFirst(before).map(\.item)
        #expect(items == Array(repeating: number.digits, count: 2 * Self.spellings.count))
    }

    @Test func `a saved product is one, whatever was typed, and each spelling takes it off`() async throws {
        let photo = try storeCan(showsCode: true)
        for spelling in Self.spellings {
            let body = #"{"photo":"\#(photo)","kind":"product","item":"\#(spelling)"}"#
            #expect(try await send("POST", "saved", body).status == 201, "\(spelling)")
            for again in Self.spellings {
                let body = #"{"photo":"\#(photo)","kind":"product","item":"\#(again)"}"#
                #expect(try await send("POST", "saved", body).status == 200, "\(spelling), \(again)")
            }
            let path = "/photos/\(photo)/save"
            let reply = try await house.browse("POST", path, "unsave=product-\(spelling)", cookie: ada)
            #expect(reply.status == 303, "\(spelling): \(reply.text)")
            let left = try house.store.saved(by: try house.id("Ada"), from: photo)
            #expect(left.isEmpty, "\(spelling) left \(left)")
        }
    }
}
