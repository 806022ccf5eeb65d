import Foundation
import TestSupport
import Testing
import Core

@testable import Catalogue

struct CatalogueSearchTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        let file = folder.url.appending(path: "products.jsonl")
        let lines = [
            "{\"code\":\"3017620422003\",\"product_name\":\"Hazelnut cocoa spread\",\"brands\":\"Tafelhof\",\"traces_tags\":[\"en:eggs\"]}",
            "{\"code\":\"737628064502\",\"product_name\":\"Hazelnut spread\",\"brands\":\"Kornmark\",\"owner\":\"org-kornmark\"}",
            "{\"code\":\"4006381333931\",\"product_name\":\"Crème brûlée\",\"nutriments\":{\"energy-kcal_100g\":250}}",
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let store = folder.url.appending(path: "catalogue")
        _ = try CatalogueImport(folder: store, format: .offJSONL).run(file.path) { _, _, _ in }
        catalogue = Catalogue(folder: store)
    }

    @Test(
        "A record's date may be any number: one that is none has no age",
        arguments: [Int64.min, -1, .max, 253_402_300_800])
    func impossibleDate(seconds: Int64) throws {
        let line = "{\"code\":\"3017620422003\",\"product_name\":\"Spread\",\"last_modified_t\":\(seconds)}"
        let file = try folder.write(Data(line.utf8), to: "dated.jsonl")
        let store = folder.url.appending(path: "dated")
        _ = try CatalogueImport(folder: store, format: .offJSONL).run(file.path) { _, _, _ in }
        let gtin = try #require(GTIN("3017620422003"))
        var product = try #require(try Catalogue(folder: store).product(gtin))
        #expect(product.age(asOf: Date(timeIntervalSince1970: 1_800_000_000)) == nil)
        // A file imported by an earlier version contains the number.
        product.modified = seconds
        #expect(FoodItem(product, asOf: Date(timeIntervalSince1970: 1_800_000_000)).age == nil)
    }

    private func names(_ text: String) throws -> [String] { try catalogue.search(text).map(\.product.name) }

    @Test("Every word counts, and what producers keep comes first")
    func words() throws {
        #expect(try names("hazelnut spread") == ["Hazelnut spread", "Hazelnut cocoa spread"])
        #expect(try names("hazelnut cocoa") == ["Hazelnut cocoa spread"])
    }

    @Test(
        "A letter too many, too few, another or swapped is forgiven",
        arguments: ["hazellnut cocoa", "hazelnt cocoa", "hazelmut cocoa", "hazlenut cocoa"])
    func mistyped(text: String) throws { #expect(try names(text) == ["Hazelnut cocoa spread"]) }

    @Test("Case and accents do not matter, and a word may be begun only")
    func folded() throws {
        #expect(try names("CREME BRULEE") == ["Crème brûlée"])
        #expect(try names("taf") == ["Hazelnut cocoa spread"])
    }

    @Test(
        "Signs that mean something to the index mean nothing here",
        arguments: ["\"", "a OR b", "NEAR(x)", "*", "(", "'; --", ""])
    func signs(text: String) throws { _ = try catalogue.search(text) }

    @Test("A food item has the fields that diaries take, and says whose word it is")
    func foodItem() throws {
        let product = try #require(try catalogue.search("kornmark").first?.product)
        let item = FoodItem(product, asOf: Date(timeIntervalSince1970: 0))
        #expect(item.id == "off:0737628064502" && item.source == .verified && item.trust == .producer)
        #expect(item.defaultServing.grams == 100 && item.age == nil)
    }

    @Test("The Open Food Facts answer has the fields asked for, or says that the product is unknown")
    func answer() throws {
        let found = try OpenFoodFactsAnswer(
            code: "4006381333931.json", fields: "product_name,nutriments", from: catalogue)
        #expect(found.status == 1)
        #expect(found.product.map { Set($0.keys) } == ["product_name", "nutriments"])
        let body = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(found)) as? [String: Any])
        #expect(body["status"] as? Int == 1)
        let product = try #require(body["product"] as? [String: Any])
        #expect(Set(product.keys) == ["product_name", "nutriments"])
        #expect((product["nutriments"] as? [String: Double])?["energy-kcal_100g"] == 250)
        #expect(try JSONDecoder().decode(OpenFoodFactsAnswer.self, from: JSONEncoder().encode(found)) == found)
        #expect(try OpenFoodFactsAnswer(code: "9520100001017", from: catalogue).status == 0)
        #expect(try OpenFoodFactsAnswer(code: "../etc", from: catalogue).status == 0)
    }
}
