import Foods
import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Groceries

/// Prices of receipts that a person or a folder sent.
@Suite struct DocumentPriceTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }
    private let photo = "sha256:" + String(repeating: "5e", count: 32)

    init() throws { fixture = try GroceryFixture() }

    private func value(_ text: String, _ confidence: Double = 0.95) -> ReadValue {
        ReadValue(value: text, confidence: confidence)
    }

    private func receipt(
        _ lines: [(String, String)], currency: ReadValue? = ReadValue(value: "EUR", confidence: 0.97)
    ) throws -> Outcome {
        var receipt = Receipt(items: lines.map { .init(name: value($0.0), amount: value($0.1)) })
        receipt.merchant = value("REWE")
        receipt.date = value("2026-11-20")
        receipt.currency = currency
        var outcome = Outcome(
            id: photo, source: .init(path: try #require(FilePathBytes("r.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        outcome.receipt = receipt
        return outcome
    }

    private func reputation(_ person: String) throws -> [Int] {
        let reputation = try groceries.reputation(of: person)
        return [reputation.accepted, reputation.rejected]
    }

    @Test func `the country of a bare dollar sign is asked for`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        let outcome = try receipt([("MILK", "2.49")], currency: value("USD", 0.6))
        let report = try groceries.record(outcome, by: nil)
        #expect((report.accepted, report.waiting) == (0, 1))
        let review = try #require(try groceries.reviews().first)
        #expect(review.reason == .currency && review.draft.currency == nil)
        _ = try groceries.decide(review.id, ReviewAnswer(isAccepted: true, currency: "CAD"), by: "Ada")
        #expect(try groceries.prices(of: milk).map(\.price.currency.code) == ["CAD"])
    }

    @Test func `a receipt without a readable price waits once, and rejecting it harms nobody`() throws {
        let unread = try receipt([])
        #expect(try groceries.record(unread, by: "Ada").waiting == 1)
        let again = try groceries.record(unread, by: "Ada")
        #expect((again.waiting, again.known) == (0, 1))
        let review = try #require(try groceries.reviews(of: photo).first)
        #expect((review.reason, review.draft.amount, review.draft.merchant) == (.unread, "", "REWE"))
        #expect(throws: GroceryProblem.self) {
            try groceries.decide(review.id, ReviewAnswer(isAccepted: true), by: "Ada")
        }
        _ = try groceries.decide(review.id, ReviewAnswer(isAccepted: false), by: "Ben")
        #expect(try reputation("Ada") == [0, 0])
        #expect(try groceries.reviews().isEmpty)
    }

    @Test func `a price typed from an unread receipt counts for who typed it`() throws {
        let (milk, place) = (try fixture.product("Milk"), try fixture.place("REWE"))
        _ = try groceries.record(try receipt([]), by: nil)
        let review = try #require(try groceries.reviews().first)
        let answer = ReviewAnswer(isAccepted: true, product: milk, place: place, amount: "1.19")
        #expect(try groceries.decide(review.id, answer, by: "Ben") != nil)
        #expect(try reputation("Ben") == [1, 0])
        #expect(try groceries.prices(of: milk).map(\.photo) == [photo])
    }

    @Test func `an unread receipt stops waiting when a later reading finds prices`() throws {
        _ = try groceries.record(try receipt([]), by: nil)
        _ = try groceries.record(try receipt([("MILK", "1.19")]), by: nil)
        #expect(try groceries.reviews().map(\.reason) == [.product])
    }

    @Test func `waiting prices are found by photo, and page by page`() throws {
        _ = try groceries.record(try receipt((1...5).map { ("THING \($0)", "1.0\($0)") }), by: nil)
        var other = try receipt([("MILK", "1.19")])
        other.id = "sha256:other"
        _ = try groceries.record(other, by: nil)
        #expect(try groceries.reviews(of: photo).count == 5)
        #expect(try groceries.reviews(of: "sha256:other").map(\.draft.printed) == ["MILK"])
        let first = try groceries.reviews(limit: 4)
        #expect(try groceries.reviews(after: try #require(first.last).id).map(\.draft.amount) == ["1.05", "1.19"])
    }

    // MARK: Who sent it

    @Test func `prices of a photo count for the first person who sent it`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        try groceries.noteUpload(of: photo, by: "Ada")
        try groceries.noteUpload(of: photo, by: "Ben")
        #expect(try groceries.recordUploaded(try receipt([("MILK", "1.19"), ("UNKNOWN", "3.00")]))?.accepted == 1)
        #expect(try groceries.prices(of: milk).map(\.contributor) == ["Ada"])
        #expect(try groceries.reviews().map(\.contributor) == ["Ada"])
        #expect(try reputation("Ada") == [1, 0])
        #expect(try reputation("Ben") == [0, 0])
        _ = try groceries.decide(
            try #require(try groceries.reviews().first).id, ReviewAnswer(isAccepted: false), by: "Ben")
        #expect(try reputation("Ada") == [1, 0], "a line without a product contradicted nobody")
        #expect(try groceries.exported("Ada").photos == [photo])
    }

    @Test func `a file that gets other bytes replaces its prices, and what people decided stays decided`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        let (path, copy) = (try #require(FilePathBytes("/in/r.jpg")), try #require(FilePathBytes("/in/copy.jpg")))
        func record(_ id: String, _ lines: [(String, String)], at path: FilePathBytes) throws {
            var outcome = try receipt(lines)
            outcome.id = "sha256:" + id
            if lines.isEmpty { outcome.receipt = nil }
            _ = try groceries.recordUploaded(outcome, at: path)
        }
        func waiting() throws -> [String] { try groceries.reviews().map(\.draft.amount).sorted() }
        func milkPrices() throws -> [String] { try groceries.prices(of: milk).map(\.price.digits) }

        for id in ["part", "whole", "rotated"] {
            try record(id, [("MILK", "1.19"), ("BROT", "3.00"), ("KAESE", "4.00")], at: path)
        }
        #expect(try waiting() == ["3.00", "4.00"])
        #expect(try milkPrices() == ["1.19"])
        let bread = try #require(try groceries.reviews().first { $0.draft.printed == "BROT" })
        _ = try groceries.decide(bread.id, ReviewAnswer(isAccepted: true, product: milk), by: "Ada")
        #expect(try milkPrices().sorted() == ["1.19", "3.00"])
        try record("again", [("KAESE", "4.00"), ("MILK", "1.19"), ("BROT", "3.00")], at: path)
        #expect(try waiting() == ["4.00"], "the decided line is not asked for again")
        #expect(try milkPrices().sorted() == ["1.19", "3.00"])
        try record("again", [("KAESE", "4.00"), ("MILK", "1.19"), ("BROT", "3.00")], at: copy)
        try record("menu", [], at: path)
        #expect(try waiting() == ["4.00"], "the copy has them")
        try record("menu", [], at: copy)
        #expect(try waiting().isEmpty)
        #expect(try milkPrices() == ["3.00"], "what a person accepted stays")
    }

    @Test func `another receipt at the same path hours later takes no price back`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        let path = try #require(FilePathBytes("/in/scan.jpg"))
        for (id, price) in [("one", "1.19"), ("two", "1.29")] {
            var outcome = try receipt([("MILK", price), ("BROT", "3.00")])
            outcome.id = "sha256:" + id
            _ = try groceries.recordUploaded(outcome, at: path)
            fixture.clock.pass(seconds: 4 * 3600)
        }
        #expect(try groceries.prices(of: milk).map(\.price.digits).sorted() == ["1.19", "1.29"])
    }

    @Test func `prices of a photo that nobody sent count for nobody`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        #expect(try groceries.recordUploaded(try receipt([("MILK", "1.19")]))?.accepted == 1)
        #expect(try groceries.prices(of: milk).map(\.contributor) == [nil])
    }

    @Test func `who sent a photo without prices is not kept`() throws {
        try groceries.noteUpload(of: photo, by: "Ada")
        var menu = try receipt([])
        menu.receipt = nil
        #expect(try groceries.recordUploaded(menu) == nil)
        #expect(try groceries.uploader(of: photo) == nil)
    }

    @Test func `erasing a person leaves nothing of what they sent`() throws {
        _ = try fixture.product("Milk")
        _ = try fixture.place("REWE")
        try groceries.noteUpload(of: photo, by: "Quentin")
        _ = try groceries.recordUploaded(try receipt([("MILK", "1.19"), ("ZWEISCHNEIDER", "3.00")]))
        try groceries.erase("Quentin", isAlone: true)
        #expect(try groceries.uploader(of: photo) == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path) {
            let data = try Data(contentsOf: fixture.folder.url.appending(path: name))
            for part in ["Quentin", "ZWEISCHNEIDER"] {
                #expect(data.range(of: Data(part.utf8)) == nil, "\(part) in \(name)")
            }
        }
    }

    @Test func `deleting a photo takes it out of prices and deletes what waits`() throws {
        let (milk, _) = (try fixture.product("Milk"), try fixture.place("REWE"))
        try groceries.noteUpload(of: photo, by: "Ada")
        _ = try groceries.recordUploaded(
            try receipt([("MILK", "1.19"), ("ZWEISCHNEIDER", "3.00"), ("KRUMMHOLZ", "4.00")]))
        let rejected = try #require(try groceries.reviews().first { $0.draft.printed == "KRUMMHOLZ" })
        _ = try groceries.decide(rejected.id, ReviewAnswer(isAccepted: false), by: "Ben")
        _ = try fixture.store.erase(photo, isAlone: true)
        #expect(try groceries.prices(of: milk).map(\.photo) == [nil])
        #expect(try groceries.reviews().isEmpty)
        #expect(try reputation("Ada") == [1, 0], "the record stays")
        #expect(try groceries.exported("Ada").waiting.map(\.draft.printed) == [nil])
        let data = try Data(contentsOf: fixture.folder.url.appending(path: "tablesight.sqlite"))
        for part in [photo, "ZWEISCHNEIDER", "KRUMMHOLZ"] { #expect(data.range(of: Data(part.utf8)) == nil, "\(part)") }
    }

    // MARK: Comparison

    @Test func `typed words take the prices of products of the same goods`() throws {
        let foods = try FoodWords(models: ModelFolder(Repository.models))
        let place = try fixture.place("REWE")
        // Typed; what its price is taken from; other goods with the same word, which are cheaper.
        let cases = [
            ("Milk", "Whole Milk 1 l", ["Coconut Milk", "Milk Chocolate", "Milk Powder", "Buttermilk"]),
            ("Bananas", "Organic Banana", ["Banana Bread"]), ("butter", "Irish Butter 250g", ["Peanut Butter"]),
        ]
        let list = try groceries.makeList("Week", by: "Ada").id
        for (typed, name, others) in cases {
            _ = try groceries.add(NewEntry(product: NewProduct(name: typed)), to: list, by: "Ada")
            for (product, amount) in [(name, "1.29")] + others.map({ ($0, "0.50") }) {
                _ = try groceries.record(
                    NewPrice(
                        product: try fixture.product(product), place: place, price: try fixture.money(amount),
                        date: groceries.today))
            }
        }
        let report = try groceries.compare(list, for: "Ada", foods: foods)
        let lines = report.currencies.first?.cheapest.first?.lines ?? []
        #expect(lines.map(\.productName) == cases.map { $0.1 })
        #expect(lines.map(\.name) == cases.map { $0.0 })
        // A price of the words themselves comes first.
        _ = try groceries.record(
            NewPrice(
                product: try fixture.product("Milk"), place: place, price: try fixture.money("2.00"),
                date: groceries.today))
        let own = try groceries.compare(list, for: "Ada", foods: foods)
        #expect(own.currencies.first?.cheapest.first?.lines.first?.productName == nil)
    }

    @Test func `pieces of what is sold by weight are named with the known unit`() throws {
        let (ginger, place) = (try fixture.product("Ginger"), try fixture.place("REWE"))
        let list = try groceries.makeList("Week", by: "Ada").id
        let added = try groceries.add(NewEntry(product: NewProduct(name: "Ginger")), to: list, by: "Ada")
        _ = try groceries.record(
            NewPrice(
                product: ginger, place: place, price: try fixture.money("4.39"), per: .kilogram, date: groceries.today))
        let report = try groceries.compare(list, for: "Ada")
        #expect(report.currencies.isEmpty && report.closest == nil)
        #expect(report.otherUnits == [.init(entry: try fixture.item(added).id, name: "Ginger", units: [.kilogram])])
        _ = try groceries.change(
            try fixture.item(added).id, EntryChange(quantity: 500, unit: .kilogram), by: "Ada")
        let weighed = try groceries.compare(list, for: "Ada")
        #expect(weighed.otherUnits.isEmpty && weighed.currencies.first?.cheapest.first?.lines.count == 1)
    }

    @Test func `the place with most of a list is named where none has enough`() throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        let (aldi, rewe) = (try fixture.place("ALDI"), try fixture.place("REWE"))
        for (index, name) in ["Milk", "Bread", "Butter", "Eggs"].enumerated() {
            let product = try fixture.product(name)
            _ = try groceries.add(NewEntry(product: NewProduct(name: name)), to: list, by: "Ada")
            for (place, most) in [(aldi, 2), (rewe, 3)] where index < most {
                _ = try groceries.record(
                    NewPrice(product: product, place: place, price: try fixture.money("1.00"), date: groceries.today))
            }
        }
        let report = try groceries.compare(list, for: "Ada")
        #expect(report.currencies.isEmpty)
        #expect(report.closest == .init(place: rewe, placeName: "REWE", count: 3, missing: ["Eggs"]))
    }
}
