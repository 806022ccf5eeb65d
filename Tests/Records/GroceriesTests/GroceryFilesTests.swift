import Foods
import Core
import Foundation
import TestSupport
import Testing

@testable import Groceries

@Suite struct GroceryFilesTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }

    init() throws { fixture = try GroceryFixture() }

    private static let rows = """
        {"id":1,"type":"PRODUCT","product_code":"3017620422003","price":2.49,\
        "price_is_discounted":false,"currency":"EUR",\
        "date":"2026-10-01","location_osm_id":652825274,"location_osm_type":"NODE","proof":{"type":"RECEIPT"},\
        "location":{"osm_name":"Monoprix","osm_address_city":"Grenoble","osm_lat":45.18,"osm_lon":5.72},\
        "product":{"product_name":"Nutella","brands":"Ferrero","product_quantity":400,"product_quantity_unit":"g"}}
        {"id":2,"type":"CATEGORY","category_tag":"en:bananas","price":1.99,"price_per":"KILOGRAM","currency":"EUR",\
        "date":"2026-10-02","location_osm_id":652825274,"location_osm_type":"NODE"}
        {"id":3,"product_code":"3017620422004","price":1.00,"currency":"EUR","date":"2026-10-02","location_id":5}
        {"id":4,"product_code":"3017620422003","price":0,"currency":"EUR","date":"2026-10-02","location_id":5}
        {"id":5,"product_code":"3017620422003","price":1.0,"currency":"EURO","date":"2026-10-02","location_id":5}
        not json
        {"id":6,"product_code":"3017620422003","price":1.0,"currency":"EUR","date":"2026-13-02","location_id":5}
        {"id":7,"product_code":"3017620422003","price":1.0,"currency":"EUR","date":"2026-10-02"}
        """

    @Test func `Open Prices rows are imported, twice without change, and bad rows are named`() throws {
        let first = try groceries.importOpenPrices(Data(Self.rows.utf8))
        #expect((first.imported, first.rejected, first.known) == (2, 6, 0))
        #expect(first.reasons.map { $0.prefix(5) } == ["row 3", "row 4", "row 5", "row 6", "row 7", "row 8"])
        let again = try groceries.importOpenPrices(Data(Self.rows.utf8))
        #expect((again.imported, again.known) == (0, 2))
        let gtin = try #require(GTIN("3017620422003"))
        let nutella = try #require(try groceries.product(gtin))
        #expect((nutella.name, nutella.brand, nutella.pack?.thousandths) == ("Nutella", "Ferrero", 400_000))
        let price = try #require(try groceries.prices(of: nutella.id).first)
        #expect((price.price.digits, price.price.currency.code, "\(price.date)") == ("2.49", "EUR", "2026-10-01"))
        let places = try groceries.places(for: "Ada")
        #expect(places.map(\.uid) == ["osm:NODE:652825274"], "a refused row leaves no place behind")
        #expect(places.first?.city == "Grenoble")
        let bananas = try #require(try groceries.products(category: "en:bananas").first)
        #expect(try groceries.prices(of: bananas.id).map(\.per) == [.kilogram])
    }

    @Test func `an export imports as the same prices`() throws {
        _ = try groceries.importOpenPrices(Data(Self.rows.utf8))
        var lines = Data()
        #expect(try groceries.exportOpenPrices { lines += $0 } == 2)
        #expect(String(decoding: lines, as: UTF8.self).contains("\"price\":2.49"))
        let other = try GroceryFixture()
        #expect(try other.groceries.importOpenPrices(lines).imported == 2)
        let gtin = try #require(GTIN("3017620422003"))
        let nutella = try #require(try other.groceries.product(gtin))
        #expect(try other.groceries.prices(of: nutella.id).map(\.price.digits) == ["2.49"])
        #expect(try other.groceries.places(for: "").map(\.uid) == ["osm:NODE:652825274"])
    }

    @Test func `pages of the API are imported too, and other files are refused`() throws {
        let items = Self.rows.split(separator: "\n").prefix(2).joined(separator: ",")
        #expect(try groceries.importOpenPrices(Data("{\"items\":[\(items)],\"total\":2}".utf8)).imported == 2)
        #expect(try groceries.importOpenPrices(Data("[\(items)]".utf8)).known == 2)
        for text in ["", "id,price\n1,2", "%PDF"] {
            #expect(throws: GroceryProblem.self) { try groceries.importOpenPrices(Data(text.utf8)) }
        }
        // Deep nesting ends as a bad row, not as a crash.
        let deep = "{\"id\":" + String(repeating: "[", count: 200_000)
        #expect(try groceries.importOpenPrices(Data(deep.utf8)).rejected == 1)
    }

    @Test func `rows of an array are read one by one, whatever is in them`() throws {
        let rows = Self.rows.split(separator: "\n").prefix(2).map(String.init)
        let odd = [
            #"{"a":"],}{[\"\\"}"#, "7", "null", "[[1,2],{}]", #""text, with ] and \" and \\""#, "{",
            "\"" + String(repeating: "x", count: 2 << 20) + "\"",
        ]
        let text = " [ \n" + ([rows[0]] + odd.dropLast(2) + [odd[6], rows[1]]).joined(separator: " ,\n") + " ] "
        let report = try groceries.importOpenPrices(Data(text.utf8))
        #expect((report.imported, report.rejected) == (2, 6))
        #expect(JSONRows(Data(text.utf8)).map { Array($0).count } == 8)
        let ended = try groceries.importOpenPrices(Data("[\(rows[0]),{\"a\":[\(rows[1])".utf8))
        #expect((ended.known, ended.rejected) == (1, 1))
        #expect(try groceries.importOpenPrices(Data("[]".utf8)).rejected == 0)
    }

    @Test func `sample data is a whole household`() throws {
        let samples = try ModelFolder(Repository.models).load(SampleGroceries.self, from: "groceries/samples.json")
        let report = try groceries.add(samples, for: "Ada")
        #expect((report.products, report.places, report.experiences) == (25, 5, 5))
        #expect(report.prices > 150)
        let group = try #require(try groceries.compare(report.list, for: "Ada").currencies.first)
        #expect(group.cheapest.count == 3)
        #expect(group.split?.saves != nil)
        let again = try groceries.add(samples, for: "Ada")
        #expect((again.prices, again.experiences) == (0, 0))
    }

    /// True if the database or its log has these letters.
    private func found(_ text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path).filter { name in
            let data = try Data(contentsOf: fixture.folder.url.appending(path: name))
            return data.range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `one person's data is exported and erased as a whole, and a shared list stays`() throws {
        let marker = "Zwiebelmarmelade"
        let product = try fixture.product(marker + " Produkt")
        let place = try groceries.place(of: NewPlace(name: marker + " Laden"), by: "Quentin").id
        let own = try groceries.makeList(marker + " Liste", by: "Quentin").id
        let shared = try groceries.makeList("Shared", by: "Quentin").id
        _ = try groceries.share(shared, with: "Ben", isAllowed: true, by: "Quentin")
        for list in [own, shared] {
            _ = try groceries.add(NewEntry(product: NewProduct(name: "Milk")), to: list, by: "Quentin")
        }
        _ = try groceries.add(NewEntry(product: NewProduct(name: marker)), to: own, by: "Quentin")
        _ = try groceries.record(
            NewPrice(
                product: product, place: place, price: try fixture.money("1.00"), date: groceries.today,
                contributor: "Quentin"))
        try groceries.mark(place, isFavorite: true, by: "Quentin")
        let posted = try groceries.post(NewExperience(kind: .general, comment: marker + " gut"), by: "Quentin")
        _ = try groceries.comment("answer of Ben", on: posted.id, by: "Ben")
        let lonely = try groceries.post(NewExperience(kind: .general, comment: marker), by: "Quentin")
        let bens = try groceries.post(NewExperience(kind: .general, comment: "of Ben"), by: "Ben")
        _ = try groceries.comment(marker + " Kommentar", on: bens.id, by: "Quentin")

        let data = try groceries.exported("Quentin")
        #expect(data.lists.count == 2)
        #expect(data.prices.count == 1)
        #expect(Set(data.experiences.map(\.id)) == [posted.id, lonely.id, bens.id])
        #expect(data.places.map(\.name) == [marker + " Laden"])
        #expect(try !found("Quentin").isEmpty)

        try groceries.erase("Quentin", isAlone: true)
        #expect(try found("Quentin") == [])
        // The product was typed by Ada.
        #expect(try groceries.product(product)?.name == marker + " Produkt")
        for word in ["gut", "Kommentar", "Laden", "Liste"] { #expect(try found("\(marker) \(word)") == [], "\(word)") }
        #expect(try groceries.list(shared, of: "Ben").owner == "Ben")
        #expect(try fixture.names(shared, "Ben") == ["Milk"])
        #expect(try groceries.experiences().map(\.id) == [bens.id, posted.id])
        #expect(try groceries.experiences().last?.comments.map(\.text) == ["answer of Ben"])
    }
}
