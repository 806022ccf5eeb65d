import Foods
import Core
import Foundation
import GRDB
import Testing

@testable import Groceries

/// What somebody tries who wants a wrong price to come first, or a better record than they earned.
@Suite struct TrustTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }
    private let milk: Int64

    init() throws {
        fixture = try GroceryFixture()
        milk = try fixture.product("Milk")
        for name in ["Ada", "Ben"] {
            try fixture.store.write {
                try $0.execute(
                    sql:
                        "INSERT INTO member (name, key, role, colour, json, created) VALUES (?1, ?1, 'adult', 1, x'', 0)",
                    arguments: [name])
            }
        }
    }

    private func price(
        _ text: String, at place: String, by person: String, daysAgo: Int = 0, per: PriceUnit = .piece,
        code: String = "EUR", of product: Int64? = nil
    ) throws -> RecordedPrice {
        try groceries.record(
            NewPrice(
                product: product ?? milk, place: try fixture.place(place), price: try fixture.money(text, code),
                per: per,
                date: groceries.today.adding(-daysAgo), contributor: person))
    }

    private func isWaiting(_ recorded: RecordedPrice) -> Bool {
        if case .waiting(_, .outlier) = recorded { true } else { false }
    }

    private func record(_ person: String) throws -> [Int] {
        let reputation = try groceries.reputation(of: person)
        return [reputation.accepted, reputation.rejected]
    }

    /// Honest prices of 1.00 to 1.09 at four shops.
    private func honest(of product: Int64? = nil) throws {
        for (shop, amount) in [("North", "1.00"), ("East", "1.03"), ("South", "1.06"), ("West", "1.09")] {
            _ = try price(amount, at: shop, by: "Ada", of: product)
        }
    }

    @Test func `nobody walks a price down step by step`() throws {
        try honest()
        for (number, amount) in ["0.90", "0.80", "0.72"].enumerated() {
            _ = try price(amount, at: "Shop \(number)", by: "Mal")
        }
        for (number, amount) in ["0.34", "0.25", "0.12", "0.05"].enumerated() {
            #expect(isWaiting(try price(amount, at: "Shop \(number)", by: "Mal", daysAgo: 1)), "\(amount)")
        }
    }

    @Test func `a price for another unit is compared by the kilogram`() throws {
        let flour = try groceries.product(of: NewProduct(name: "Flour", quantity: "500 g"), by: "Ada").id
        try honest(of: flour)
        for (amount, per) in [("0.01", PriceUnit.hundredGrams), ("0.05", .kilogram), ("0.20", .kilogram)] {
            #expect(isWaiting(try price(amount, at: "Mals", by: "Mal", per: per, of: flour)), "\(amount) \(per)")
        }
        #expect(!isWaiting(try price("2.10", at: "Mals", by: "Mal", per: .kilogram, of: flour)))
        #expect(!isWaiting(try price("0.21", at: "Mals", by: "Mal", per: .hundredGrams, of: flour)))
    }

    @Test(arguments: [(PriceUnit?.some(.kilogram), String?.none), (.some(.hundredGrams), nil), (nil, "SEK")])
    func `an own outlier is not accepted in another unit or currency`(per: PriceUnit?, currency: String?) throws {
        try honest()
        guard case .waiting(let id, _) = try price("0.01", at: "Mals", by: "Mal") else {
            Issue.record("0.01 does not wait")
            return
        }
        let answer = ReviewAnswer(isAccepted: true, currency: currency, per: per)
        #expect(throws: GroceryProblem.own) { try groceries.decide(id, answer, by: "Mal") }
    }

    @Test func `one price is one contribution, in whatever unit or currency`() throws {
        for per in PriceUnit.allCases { _ = try price("1.00", at: "North", by: "Mal", per: per) }
        for code in ["USD", "GBP", "CHF", "SEK"] { _ = try price("2.00", at: "North", by: "Mal", code: code) }
        #expect(try record("Mal") == [1, 0])
        #expect(try price("1.00", at: "North", by: "Mal") == .known)
    }

    @Test func `old prices and a penny up and down earn nothing`() throws {
        for ago in 0..<60 { _ = try price("1.0\(100 + ago)", at: "North", by: "Mal", daysAgo: ago) }
        #expect(try record("Mal")[0] <= 5)
        for ago in 40..<90 { _ = try price("1.10", at: "Shop \(ago)", by: "Eve", daysAgo: ago) }
        #expect(try record("Eve") == [0, 0])
    }

    @Test func `a price that somebody noted that day before earns nothing`() throws {
        _ = try price("1.00", at: "North", by: "Ada")
        _ = try price("1.00", at: "North", by: "Moe")
        #expect(try record("Ada") == [1, 0] && record("Moe") == [0, 0])
    }

    @Test func `who contributed nothing takes nothing from another's record`() throws {
        for (number, amount) in ["0.10", "0.11", "0.12"].enumerated() {
            _ = try price(amount, at: "Mals \(number)", by: "Mal")
        }
        guard case .waiting(let id, _) = try price("1.00", at: "North", by: "Ada") else {
            Issue.record("1.00 does not wait")
            return
        }
        _ = try groceries.decide(id, ReviewAnswer(isAccepted: false), by: "Mal")
        #expect(try record("Ada") == [0, 0])
        for number in 0..<10 {
            _ = try price("2.00", at: "North", by: "Vic", of: try fixture.product("Goods \(number)"))
        }
        guard case .waiting(let other, _) = try price("9.00", at: "North", by: "Ada") else {
            Issue.record("9.00 does not wait")
            return
        }
        _ = try groceries.decide(other, ReviewAnswer(isAccepted: false), by: "Vic")
        #expect(try record("Ada") == [0, 1])
    }

    @Test func `many prices of one product do not change how long prices count`() throws {
        for ago in 0..<200 { _ = try price(ago % 2 == 0 ? "1.01" : "1.02", at: "North", by: "Mal", daysAgo: ago) }
        #expect(try groceries.measure() == nil)
    }

    @Test(arguments: ["AAA", "QQQ", "ZZZ", "EU", "12E"]) func `a code that is no currency is refused`(_ code: String) {
        #expect(Currency(code) == nil)
    }

    @Test(arguments: ["1_000", "1.2.3", "1e-2", "1E3", "0x10", " 1", "1,5", "+1", "1."])
    func `an amount is digits with a point`(_ text: String) {
        let json = Data(#"{"amount":"\#(text)","currency":"EUR"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: json) }
    }

    @Test func `an imported shop has no name of mixed scripts, and invented owners are one voice`() throws {
        func row(_ id: Int, _ name: String, _ day: String) -> String {
            #"{"id":\#(id),"product_name":"Tea","category_tag":"en:teas","price":0.8,"currency":"EUR","date":"\#(day)","#
                + #""owner":"o\#(id)","location_osm_id":\#(name.count),"location_osm_type":"NODE","#
                + #""location":{"osm_name":"\#(name)"}}"#
        }
        let report = try groceries.importOpenPrices(
            Data([row(1, "Аldi Süd", "2026-11-01"), row(2, "Aldi", "2026-11-01")].joined(separator: "\n").utf8))
        #expect((report.imported, report.rejected) == (1, 1), "\(report.reasons)")
        let rules = groceries.rules
        let voice = TrustedPrice(parts: 8000, day: 20_000, proof: .imported)
        let voices = (1...20).map { TrustedPrice(parts: 8000, day: 20_000 + $0, proof: .imported) }
        let trust = PriceTrust(rules)
        #expect(trust.base(of: voice, among: voices) == trust.base(of: voice, among: [voices[0]]))
    }

    @Test func `a key of one person blocks nobody else on a shared list`() throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        #expect(try groceries.share(list, with: "Ben", isAllowed: true, by: "Ada").people == ["Ada", "Ben"])
        func add(_ text: String, by person: String) throws -> SyncedChanges {
            try groceries.sync([ListChange(key: "k1", action: .add, text: text)], of: list, by: person) {
                NewEntry(product: NewProduct(name: $0))
            }
        }
        #expect(try add("Bread", by: "Ben").done == 1)
        #expect(try add("Milk", by: "Ada").done == 1)
        #expect(try add("Milk", by: "Ada").known == 1)
        #expect(Set(try fixture.names(list)) == ["Bread", "Milk"])
    }

    @Test func `a person's experiences do not drive the others' away`() throws {
        let about = NewExperience(kind: .storeReview, rating: 5, comment: "Best!", place: try fixture.place("Mals"))
        for _ in 0..<20 { _ = try groceries.post(about, by: "Mal") }
        #expect(throws: GroceryProblem.self) { try groceries.post(about, by: "Mal") }
        #expect(throws: Never.self) { try groceries.post(about, by: "Ada") }
        let update = NewExperience(kind: .priceUpdate, comment: "now 0.01", place: try fixture.place("Mals"))
        #expect(throws: GroceryProblem.self) { try groceries.post(update, by: "Ada") }
    }
}
