import Foods
import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Groceries

@Suite struct PriceTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }

    init() throws { fixture = try GroceryFixture() }

    private func price(
        _ product: Int64, _ place: Int64, _ text: String, by person: String? = "Ada", daysAgo: Int = 0,
        source: String? = nil
    ) throws -> NewPrice {
        NewPrice(
            product: product, place: place, price: try fixture.money(text), date: groceries.today.adding(-daysAgo),
            contributor: person, source: source)
    }

    @Test func `an outlier waits, is not used, and counts once somebody else accepted it`() throws {
        let milk = try fixture.product("Milk")
        let places = try ["Aldi", "Rewe", "Lidl", "Penny"].map { try fixture.place($0) }
        for (place, text) in zip(places, ["1.00", "1.05", "0.99"]) {
            guard case .accepted = try groceries.record(try price(milk, place, text)) else {
                Issue.record("\(text) is usual")
                return
            }
        }
        _ = try groceries.makeList("Other", by: "Ben")
        guard case .waiting(let id, .outlier) = try groceries.record(try price(milk, places[3], "9.99")) else {
            Issue.record("9.99 is an outlier")
            return
        }
        #expect(try groceries.prices(of: milk).count == 3)
        #expect(try groceries.reviews().first?.draft.median?.digits == "1.00")
        #expect(throws: GroceryProblem.own) { try groceries.decide(id, ReviewAnswer(isAccepted: true), by: "Ada") }
        #expect(try groceries.decide(id, ReviewAnswer(isAccepted: true), by: "Ben") != nil)
        #expect(try groceries.prices(of: milk, at: places[3]).map(\.price.digits) == ["9.99"])
        #expect(try groceries.reviews().isEmpty)
        #expect(try groceries.reputation(of: "Ada").accepted == 4)
    }

    @Test func `nobody makes a price usual alone where three prices of others are known`() throws {
        let milk = try fixture.product("Milk")
        let places = try (0..<8).map { try fixture.place("Shop \($0)") }
        for (place, text) in zip(places, ["1.00", "1.05", "0.99"]) {
            _ = try groceries.record(try price(milk, place, text, by: "Ben"))
        }
        for (number, place) in places.dropFirst(3).enumerated() {
            let result = try groceries.record(try price(milk, place, "9.9\(number)", by: "Ada"))
            guard case .waiting(let id, .outlier) = result else {
                Issue.record("9.9\(number) is an outlier beside the prices of others")
                return
            }
            _ = try groceries.decide(id, ReviewAnswer(isAccepted: true), by: "Ben")
        }
    }

    @Test func `a rejected price counts against its contributor and is no longer used`() throws {
        let (milk, aldi) = (try fixture.product("Milk"), try fixture.place("Aldi"))
        guard case .accepted(let id) = try groceries.record(try price(milk, aldi, "1.00")) else { return }
        let list = try groceries.makeList("Week", by: "Ada").id
        _ = try groceries.add(NewEntry(product: NewProduct(name: "Milk")), to: list, by: "Ada")
        #expect(try groceries.compare(list, for: "Ada").currencies.count == 1)
        _ = try groceries.remove(id, by: "Ben")
        #expect(try groceries.compare(list, for: "Ada").currencies.isEmpty)
        let reputation = try groceries.reputation(of: "Ada")
        #expect((reputation.accepted, reputation.rejected) == (0, 1))
    }

    @Test func `a comparison sums valid prices, names what is missing, and gives a range by age`() throws {
        let products = try ["Milk", "Bread", "Butter"].map { try fixture.product($0) }
        let (aldi, rewe) = (try fixture.place("Aldi"), try fixture.place("Rewe"))
        for (product, text) in zip(products, ["1.00", "2.00", "3.00"]) {
            _ = try groceries.record(try price(product, aldi, text, daysAgo: 200))
            _ = try groceries.record(try price(product, rewe, text, daysAgo: 1))
        }
        let list = try groceries.makeList("Week", by: "Ada").id
        for name in ["Milk", "Bread", "Butter"] {
            _ = try groceries.add(
                NewEntry(product: NewProduct(name: name), quantity: 2000), to: list, by: "Ada", anyway: true)
        }
        let group = try #require(try groceries.compare(list, for: "Ada").currencies.first)
        #expect(group.cheapest.map(\.total.digits) == ["12.00", "12.00"])
        #expect(group.cheapest[0].place == aldi)
        let widths = group.cheapest.map { $0.high.parts - $0.low.parts }
        #expect(widths[0] > widths[1], "old prices are less sure")
        let caviar = try groceries.add(NewEntry(product: NewProduct(name: "Caviar")), to: list, by: "Ada")
        #expect(try groceries.compare(list, for: "Ada").currencies.isEmpty, "3 of 4 are 75 %")
        _ = try groceries.change(try fixture.item(caviar).id, EntryChange(isCompleted: true), by: "Ada")
        #expect(try groceries.compare(list, for: "Ada").currencies.count == 1)
    }

    @Test func `loose goods take the best product of their category at each place`() throws {
        let place = try fixture.place("Aldi")
        let packed = try groceries.product(
            of: NewProduct(gtin: "9520100220012", category: "en:bananas", name: "Bananas in a bag", quantity: "500 g"),
            by: nil)
        _ = try groceries.record(try price(packed.id, place, "1.00"))
        let list = try groceries.makeList("Week", by: "Ada").id
        let entry = NewEntry(product: NewProduct(category: "en:bananas"), quantity: 1200, unit: .kilogram)
        _ = try groceries.add(entry, to: list, by: "Ada")
        func basket() throws -> ComparisonReport.Basket? {
            try groceries.compare(list, for: "Ada").currencies.first?.cheapest.first
        }
        #expect(try basket()?.total.digits == "3.00", "three bags")
        let loose = try groceries.product(of: NewProduct(category: "en:bananas"), by: nil).id
        var new = try price(loose, place, "1.50")
        new.per = .kilogram
        _ = try groceries.record(new)
        #expect(try basket()?.total.digits == "1.80")
    }

    @Test func `a changed price is posted with the contributor's level, and can be answered`() throws {
        let (milk, aldi) = (try fixture.product("Milk"), try fixture.place("Aldi"))
        _ = try groceries.record(try price(milk, aldi, "1.00", daysAgo: 3))
        #expect(try groceries.experiences().isEmpty)
        _ = try groceries.record(try price(milk, aldi, "1.20"))
        let posted = try #require(try groceries.experiences().first)
        #expect(posted.kind == .priceUpdate)
        #expect((posted.priceBefore?.digits, posted.price?.digits, posted.level) == ("1.00", "1.20", "New Shopper"))
        let one = try groceries.comment("Again!", on: posted.id, by: "Ben")
        let two = try groceries.comment("Yes", on: posted.id, answering: one.comments[0].id, by: "Ada")
        #expect(two.comments.map(\.text) == ["Again!"])
        #expect(two.comments[0].answers.map(\.text) == ["Yes"])
        #expect(throws: GroceryProblem.self) { try groceries.comment("?", on: posted.id, answering: 99, by: "Ben") }
    }

    @Test func `prices of the future and of unknown products are refused`() throws {
        let (milk, aldi) = (try fixture.product("Milk"), try fixture.place("Aldi"))
        #expect(throws: GroceryProblem.self) { try groceries.record(try price(milk, aldi, "1.00", daysAgo: -2)) }
        #expect(throws: GroceryProblem.self) { try groceries.record(try price(milk + 1, aldi, "1.00")) }
        #expect(throws: GroceryProblem.self) { try groceries.record(try price(milk, aldi + 1, "1.00")) }
    }

    @Test func `the half-life is measured from the stored prices`() throws {
        #expect(try groceries.measure() == nil)
        var generator = SystemRandomNumberGenerator()
        for number in 0..<40 {
            let product = try fixture.product("Product \(number)")
            let place = try fixture.place("Shop \(number % 4)")
            var parts: Int64 = 10_000
            for step in 0..<8 {
                if Bool.random(using: &generator) { parts += 100 }
                _ = try groceries.record(
                    NewPrice(
                        product: product, place: place,
                        price: Money(parts: parts, currency: try fixture.money("1.00").currency),
                        date: groceries.today.adding(-30 * (8 - step))))
            }
        }
        let measured = try #require(try groceries.measure())
        #expect((20...45).contains(measured), "half of the prices change within 30 days: \(measured)")
        let list = try groceries.makeList("Week", by: "Ada").id
        #expect(try groceries.compare(list, for: "Ada").halfLife == measured)
    }

    // MARK: Receipts

    private func receipt(_ lines: [(String, String)], id: String, merchant: String = "REWE") throws -> Outcome {
        func value(_ text: String) -> ReadValue { ReadValue(value: text, confidence: 0.95) }
        var receipt = Receipt(items: lines.map { .init(name: value($0.0), amount: value($0.1)) })
        receipt.merchant = value(merchant)
        receipt.date = value("2026-11-20")
        receipt.currency = value("EUR")
        var outcome = Outcome(
            id: id, source: .init(path: try #require(FilePathBytes("r.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        outcome.receipt = receipt
        return outcome
    }

    @Test func `a receipt's unknown name waits, is learnt, and is used on the next receipt`() throws {
        let product = try fixture.product("Gut Bio Joghurt pur")
        let place = try fixture.place("REWE Bahnhofstrasse")
        let first = try groceries.record(try receipt([("GUT BIO JOGH", "0.35")], id: "sha256:1"), by: "Ada")
        #expect((first.accepted, first.waiting) == (0, 1))
        let review = try #require(try groceries.reviews().first)
        #expect(review.reason == .product)
        #expect(review.draft.candidates == [product])
        #expect(review.draft.place == place)
        #expect(try groceries.prices(of: product).isEmpty, "what is unsure is not used")
        _ = try groceries.decide(review.id, ReviewAnswer(isAccepted: true, product: product), by: "Ada")
        #expect(try groceries.prices(of: product).map(\.price.digits) == ["0.35"])
        let second = try groceries.record(try receipt([("GUT BIO JOGH", "0.39")], id: "sha256:2"), by: "Ada")
        #expect((second.accepted, second.waiting) == (1, 0))
        let other = try groceries.record(
            try receipt([("GUT BIO JOGH", "0.39")], id: "sha256:3", merchant: "ALDI"), by: "Ada")
        #expect((other.accepted, other.waiting) == (0, 1), "another chain's abbreviation is not known")
    }

    @Test func `the same receipt read twice changes nothing`() throws {
        _ = try fixture.product("Butter")
        _ = try fixture.place("REWE")
        let outcome = try receipt([("BUTTER", "1.99"), ("UNKNOWN", "1.00")], id: "sha256:1")
        #expect(try groceries.record(outcome, by: "Ada").accepted == 1)
        let again = try groceries.record(outcome, by: "Ada")
        #expect((again.accepted, again.waiting, again.known) == (0, 0, 2))
    }

    @Test func `a receipt of a chain with several shops waits for its place`() throws {
        _ = try fixture.product("Butter")
        for street in ["Am Markt 1", "Seestrasse 5"] {
            _ = try groceries.place(of: NewPlace(name: "REWE", address: street), by: nil)
        }
        #expect(try groceries.record(try receipt([("BUTTER", "1.99")], id: "sha256:1"), by: nil).waiting == 1)
        #expect(try groceries.reviews().first?.reason == .place)
        var outcome = try receipt([("BUTTER", "1.99")], id: "sha256:2")
        outcome.receipt?.address = ReadValue(value: "Seestraße 5, 80331 München", confidence: 0.9)
        #expect(try groceries.record(outcome, by: nil).accepted == 1)
    }

    private func milkAtThreePlaces() throws -> (milk: Int64, rewe: Int64) {
        let milk = try fixture.product("Milk")
        let rewe = try fixture.place("REWE")
        for (place, text) in [(rewe, "1.00"), (try fixture.place("Aldi"), "1.05"), (try fixture.place("Lidl"), "0.99")]
        {
            _ = try groceries.record(try price(milk, place, text, by: "Cleo", daysAgo: 3))
        }
        _ = try groceries.makeList("Other", by: "Ben")
        return (milk, rewe)
    }

    @Test func `a person cannot accept her own receipt line as a product at another price`() throws {
        let (milk, rewe) = try milkAtThreePlaces()
        _ = try groceries.record(try receipt([("ZZQX", "0.79")], id: "sha256:1"), by: "Ada")
        let review = try #require(try groceries.reviews().first)
        let answer = ReviewAnswer(isAccepted: true, product: milk, place: rewe, amount: "0.01")
        #expect(try groceries.decide(review.id, answer, by: "Ada") == .waiting(review.id, .outlier))
        #expect(try groceries.prices(of: milk).count == 3)
        let waiting = try #require(try groceries.reviews().first)
        #expect(waiting.contributor == "Ada")
        #expect((waiting.reason, waiting.draft.proof, waiting.draft.amount) == (.outlier, .typed, "0.01"))
        #expect(throws: GroceryProblem.own) {
            try groceries.decide(review.id, ReviewAnswer(isAccepted: true), by: "Ada")
        }
        // A changed outlier is an outlier again.
        #expect(
            try groceries.decide(review.id, ReviewAnswer(isAccepted: true, amount: "0.02"), by: "Ada")
                == .waiting(review.id, .outlier))
        guard case .accepted = try groceries.decide(review.id, ReviewAnswer(isAccepted: true), by: "Ben") else {
            Issue.record("somebody else may accept it")
            return
        }
        let accepted = try #require(try groceries.prices(of: milk).first { $0.price.digits == "0.02" })
        #expect(accepted.proof == .typed)
    }

    @Test func `a changed amount counts as typed by who changed it`() throws {
        let (milk, rewe) = try milkAtThreePlaces()
        _ = try groceries.record(try receipt([("ZZQX", "0.79"), ("YYPW", "1.02")], id: "sha256:1"), by: "Ada")
        let reviews = try groceries.reviews()
        _ = try groceries.decide(
            reviews[0].id, ReviewAnswer(isAccepted: true, product: milk, place: rewe, amount: "0.97"), by: "Ben")
        _ = try groceries.decide(reviews[1].id, ReviewAnswer(isAccepted: true, product: milk, place: rewe), by: "Ben")
        let found = try groceries.prices(of: milk, at: rewe)
        let changed = try #require(found.first { $0.price.digits == "0.97" })
        #expect((changed.proof, changed.contributor) == (.typed, "Ben"))
        let kept = try #require(found.first { $0.price.digits == "1.02" })
        #expect((kept.proof, kept.contributor) == (.receipt, "Ada"))
    }

    @Test func `205 equal prices earn no more than one, and neither do 205 amounts of one day`() throws {
        let (milk, aldi) = (try fixture.product("Milk"), try fixture.place("Aldi"))
        for number in 0..<205 { _ = try groceries.record(try price(milk, aldi, "1.00", daysAgo: number % 2)) }
        #expect(try groceries.reputation(of: "Ada").accepted == 1)
        for number in 0..<205 {
            _ = try groceries.record(try price(milk, aldi, "1.\(100 + number)", by: "Ben", daysAgo: 9))
        }
        #expect(try groceries.reputation(of: "Ben").accepted == 1)
    }
}
