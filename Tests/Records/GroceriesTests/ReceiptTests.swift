import Foods
import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Groceries

/// Receipts that a person checks on one page.
@Suite struct ReceiptTests {
    let fixture: GroceryFixture
    var groceries: Groceries { fixture.groceries }

    init() throws { fixture = try GroceryFixture() }

    func photo(_ number: Int) -> String { "sha256:" + String(repeating: "\(number)", count: 64) }

    func value(_ text: String, _ confidence: Double = 0.95) -> ReadValue {
        ReadValue(value: text, confidence: confidence)
    }

    func receipt(
        _ lines: [(String, String)], _ number: Int = 1, merchant: String? = "REWE", address: String? = nil,
        total: String? = nil, date: String? = "2026-11-20", by sender: String? = nil
    ) throws -> Outcome {
        var receipt = Receipt(items: lines.map { .init(name: value($0.0), amount: value($0.1)) })
        (receipt.merchant, receipt.address) = (merchant.map { value($0) }, address.map { value($0) })
        (receipt.date, receipt.currency) = (date.map { value($0) }, value("EUR"))
        receipt.total = total.map { value($0) }
        let sum = lines.compactMap { ReceiptReading.parts($0.1) }.reduce(0, +)
        if let total {
            receipt.checks = [.init(check: "itemsMakeTotal", holds: ReceiptReading.parts(total) == sum)]
        }
        var outcome = Outcome(
            id: photo(number), source: .init(path: try #require(FilePathBytes("r.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        outcome.receipt = receipt
        if let sender { try groceries.noteUpload(of: photo(number), by: sender) }
        _ = try groceries.recordUploaded(outcome)
        return outcome
    }

    func reading(_ outcome: Outcome, apart: Set<Int> = []) throws -> ReceiptReading {
        try groceries.receipt(outcome, for: "Ada", apart: apart)
    }

    func prices(_ name: String) throws -> [PriceObservation] {
        try groceries.prices(of: try #require(try groceries.products(matching: name).first).id)
    }

    let shop = NewPlace(name: "REWE")

    // MARK: All lines

    @Test func `all lines of a first receipt are accepted at once, as new products of a new shop`() throws {
        let outcome = try receipt([("MILCH 1L", "1.19"), ("BUTTER", "2.29")], total: "3.48")
        let page = try reading(outcome)
        #expect(page.place == nil && page.difference == "0.00" && page.lines.allSatisfy { !$0.isUnsure })
        let report = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        #expect((report.accepted, report.left, report.waiting) == (2, 0, 0))
        let quote = try #require(try groceries.quotes(of: try prices("milch")[0].product).first)
        #expect(quote.price.digits == "1.19" && quote.place == report.place)
        #expect(try prices("butter").map(\.proof) == [.receipt])
        #expect(try groceries.reviews().isEmpty)
        #expect(try groceries.accept(outcome, ReceiptAnswer(), by: "Ada").accepted == 0, "a second tap changes nothing")
        let next = try groceries.receipt(try receipt([("MILCH 1L", "1.25")], 2, total: "1.25"), for: "Ada")
        #expect(next.lines.map(\.state) == [.accepted], "the shop and the name are known now")
    }

    @Test func `what was accepted at once is taken back as it was, once, by who accepted it`() throws {
        let known = try receipt([("MILCH 1L", "1.15"), ("BUTTER", "2.19")], total: "3.34", date: "2026-11-18")
        let earlier = try groceries.accept(known, ReceiptAnswer(shop: shop), by: "Ada")
        #expect(earlier.decided.count == 2)
        let outcome = try receipt([("MILCH 1L", "1.19"), ("KARTE", "1.19"), ("KÄSE", "2.99")], 2, total: "5.37")
        func state() throws -> [String] {
            try fixture.store.read { database in
                try ["grocery_price", "grocery_quote", "grocery_abbreviation", "grocery_experience"].flatMap { table in
                    try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.description).sorted()
                }
                    + Row.fetchAll(database, sql: "SELECT id, state, decidedBy FROM grocery_review ORDER BY id").map(
                        \.description)
            }
        }
        let before = try state()
        let none = ReceiptCorrection(line: 1, isProduct: false, isChecked: true)
        let report = try groceries.accept(outcome, ReceiptAnswer(corrections: [none]), by: "Ada")
        #expect(report.accepted + report.rejected == report.decided.count && report.decided.count >= 2)
        let after = try state()
        #expect(after != before)
        #expect(throws: GroceryProblem.self) {
            try groceries.takeBack(report.decided, ofPhoto: photo(2), by: "Ben")
        }
        #expect(throws: GroceryProblem.self, "none of them without the other") {
            try groceries.takeBack(report.decided + earlier.decided, ofPhoto: photo(2), by: "Ada")
        }
        #expect(try state() == after)
        try groceries.takeBack(report.decided, ofPhoto: photo(2), by: "Ada")
        #expect(try state() == before)
        #expect(throws: GroceryProblem.self) {
            try groceries.takeBack(report.decided, ofPhoto: photo(2), by: "Ada")
        }
        #expect(try groceries.accept(outcome, ReceiptAnswer(), by: "Ada").accepted > 0, "it can be accepted again")
    }

    @Test(arguments: PriceUnit.allCases)
    func `what a price counts by can be corrected, and is a typed price then`(per: PriceUnit) throws {
        let outcome = try receipt([("BANANEN", "1.19")], total: "1.19")
        let correction = ReceiptCorrection(line: 0, per: per)
        _ = try groceries.accept(outcome, ReceiptAnswer(shop: shop, corrections: [correction]), by: "Ada")
        #expect(try prices("bananen").map(\.per) == [per])
        #expect(try prices("bananen").map(\.proof) == [per == .piece ? .receipt : .typed])
    }

    @Test func `equal lines are one product, and can be kept apart`() throws {
        let lines = Array(repeating: ("JOGH. NATUR", "0.49"), count: 8) + [("JOGH. NATUR", "0.59"), ("PFAND", "-0.25")]
        let outcome = try receipt(lines)
        let page = try reading(outcome)
        #expect(page.lines.map(\.count) == ["8", "1", "1"] && page.lines[0].amount == "3.92")
        #expect(page.lines[2].state == .priceless)
        #expect(try reading(outcome, apart: [0]).lines.count == 10)
        let report = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        #expect(report.accepted == 9)
    }

    @Test func `a line that the list or the print names clearly proposes that product, unsure ones come first`() throws
    {
        let product = try fixture.product("Emmentaler am Stück")
        _ = try fixture.product("Emmentaler gerieben")
        _ = try fixture.product("Cola 1,5")
        #expect(try reading(try receipt([("COLA 0,5", "0.99")], 2)).lines.map(\.product) == [nil], "another size")
        let list = try groceries.makeList("Week", by: "Ada").id
        let entry = try groceries.add(NewEntry(product: NewProduct(name: "Emmentaler am Stück")), to: list, by: "Ada")
        let outcome = try receipt([("BUTTER", "2.29"), ("EMMENT.", "4.49")])
        let line = try #require(try reading(outcome).lines.first)
        #expect(line.printed == "EMMENT." && line.isUnsure && line.product == product)
        #expect(line.entry == (try fixture.item(entry)).id)
        let report = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        #expect(report.left == 1, "without a total it is unsure")
        #expect(try groceries.prices(of: product).isEmpty)
        let looked = ReceiptAnswer(shop: shop, corrections: [.init(line: 1, isChecked: true)])
        _ = try groceries.accept(outcome, looked, by: "Ada")
        #expect(try groceries.prices(of: product).map(\.proof) == [.receipt])
    }

    @Test func `where the sum fails the least sure line waits, and a corrected one makes it fit`() throws {
        let outcome = try receipt([("MILCH", "1.19"), ("BUTTER", "7.29")], total: "3.48")
        let page = try reading(outcome)
        #expect(page.difference == "-5.00")
        #expect(page.sum(with: [:]).left.count == 1)
        let correction = ReceiptCorrection(line: 1, price: "2.29")
        #expect(page.sum(with: [1: correction]).difference == 0 && page.sum(with: [1: correction]).left.isEmpty)
        let report = try groceries.accept(
            outcome, ReceiptAnswer(shop: shop, corrections: [correction]), by: "Ada")
        #expect(report.accepted == 2)
        #expect(try prices("butter").map(\.proof) == [.typed], "the print does not prove a typed amount")
        #expect(try prices("milch").map(\.proof) == [.receipt])
    }

    @Test func `a wrong correction changes nothing, and a line can be no product`() throws {
        let outcome = try receipt([("MILCH", "1.19"), ("KARTE", "1.19")])
        let wrong = ReceiptCorrection(line: 1, price: "abc")
        #expect(throws: GroceryProblem.self) {
            try groceries.accept(outcome, ReceiptAnswer(shop: shop, corrections: [wrong]), by: "Ada")
        }
        #expect(try groceries.places(for: "Ada").isEmpty)
        #expect(try groceries.products().isEmpty)
        let none = ReceiptCorrection(line: 1, isProduct: false)
        let report = try groceries.accept(outcome, ReceiptAnswer(shop: shop, corrections: [none]), by: "Ada")
        #expect((report.accepted, report.rejected) == (1, 1))
        #expect(try reading(outcome).lines.map(\.state) == [.accepted, .rejected])
    }

    @Test func `a receipt without a date takes the day of the photo`() throws {
        let path = try #require(FilePathBytes("r.jpg"))
        let modified: Int64 = 1_795_000_000_000_000_000
        try fixture.store.enqueue([
            FoundFile(
                path: path, relativePath: path,
                identity: FileIdentity(device: 1, inode: 1, size: 4, modified: modified, changed: 1))
        ]) { $0.path.appending(suffix: ".json") }
        try fixture.store.write { try $0.execute(sql: "UPDATE photo SET content = ?", arguments: [photo(1)]) }
        let outcome = try receipt([("MILCH", "1.19")], date: nil)
        let page = try reading(outcome)
        #expect(page.isPhotoDate && page.date == Day("2026-11-18"))
        var exchanged = outcome
        exchanged.receipt?.date = ReadValue(value: "2026-03-02", confidence: 0.9, alternatives: ["2026-11-19"])
        #expect(try reading(exchanged).date == Day("2026-03-02"), "the day after the photo")
        _ = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        #expect(try prices("milch").map(\.date.description) == ["2026-11-18"])
    }

    @Test func `a date whose day and month may be exchanged is proposed, and asks for a look`() throws {
        var outcome = try receipt([("MILCH", "1.19")])
        outcome.receipt?.date = ReadValue(value: "2026-07-04", confidence: 0.6, alternatives: ["2026-04-07"])
        let page = try reading(outcome)
        #expect(page.date == Day("2026-07-04") && !page.isDateSure && !page.isPhotoDate)
        outcome.receipt?.date = ReadValue(value: "2099-04-07", confidence: 0.9)
        #expect(try reading(outcome).date == nil, "nobody buys tomorrow")
        #expect(throws: GroceryProblem.self) { try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada") }
    }

    // MARK: Trust

    /// Three shops sell milk for about 1.20; Ben is another adult.
    private func market() throws -> Int64 {
        let milk = try fixture.product("Milch")
        for (name, amount) in [("REWE", "1.19"), ("Lidl", "1.20"), ("Aldi", "1.21")] {
            let price = NewPrice(
                product: milk, place: try fixture.place(name), price: try fixture.money(amount),
                date: groceries.today.adding(-3), contributor: "Ben")
            _ = try groceries.record(price)
        }
        _ = try groceries.makeList("Ben's", by: "Ben")
        return milk
    }

    @Test func `nobody accepts their own outlier together with other lines`() throws {
        let milk = try market()
        let outcome = try receipt([("MILCH", "0.01"), ("BUTTER", "2.29")], by: "Ada")
        #expect(try reading(outcome).lines.first?.reason == .outlier)
        let looked = ReceiptAnswer([.init(line: 0, isChecked: true)])
        let report = try groceries.accept(outcome, looked, by: "Ada")
        #expect((report.accepted, report.waiting) == (1, 1))
        #expect(try groceries.prices(of: milk).count == 3)
        #expect(try groceries.accept(outcome, looked, by: "Ben").accepted == 1, "somebody else may")
    }

    @Test(arguments: ["0.01", "0.10", "99.00", "119"])
    func `an amount that somebody typed over the print waits for somebody else, without its proof`(_ amount: String)
        throws
    {
        let milk = try market()
        let outcome = try receipt([("VOLLM. 3,5", "1.19")], by: "Ada")
        let answer = ReceiptAnswer(corrections: [.init(line: 0, product: milk, price: amount)])
        let report = try groceries.accept(outcome, answer, by: "Ada")
        #expect((report.accepted, report.waiting) == (0, 1))
        let review = try #require(try groceries.reviews().first)
        #expect((review.reason, review.contributor, review.draft.proof) == (.outlier, "Ada", .typed))
        // Not by a second tap either, nor by single decision, nor by typing the median as another product's.
        #expect(try groceries.accept(outcome, ReceiptAnswer(), by: "Ada").accepted == 0)
        #expect(throws: GroceryProblem.own) {
            try groceries.decide(review.id, ReviewAnswer(isAccepted: true), by: "Ada")
        }
        #expect(try groceries.quotes(of: milk).allSatisfy { $0.price.digits.hasPrefix("1.") })
    }

    @Test func `another product than the print may mean is a typed price, and so is another count's price`() throws {
        let (milk, butter) = (try market(), try fixture.product("Butter"))
        let outcome = try receipt([("MILCH", "1.19"), ("BUTTER", "2.29")], merchant: "Edeka", by: "Ada")
        let corrections = [ReceiptCorrection(line: 0, name: "Kaffee"), .init(line: 1, price: "2.19")]
        _ = try groceries.accept(
            outcome, ReceiptAnswer(shop: NewPlace(name: "Edeka"), corrections: corrections), by: "Ada")
        #expect(try prices("kaffee").map(\.proof) == [.typed])
        #expect(try groceries.prices(of: butter).map(\.proof) == [.typed])
        #expect(try groceries.prices(of: milk).count == 3)
        #expect(try groceries.prices(of: butter).map(\.contributor) == ["Ada"])
    }

    @Test func `another day or shop than was read is a typed price`() throws {
        let (_, lidl) = (try fixture.place("REWE"), try fixture.place("Lidl"))
        for (number, answer) in [
            ReceiptAnswer(date: groceries.today), ReceiptAnswer(place: lidl), ReceiptAnswer(currency: "CHF"),
        ].enumerated() {
            let outcome = try receipt([("WARE \(number)", "1.19")], number, total: "1.19", by: "Ada")
            _ = try groceries.accept(outcome, answer, by: "Ada")
            #expect(try prices("ware \(number)").map(\.proof) == [.typed], "\(answer)")
        }
    }

    @Test func `a product on the list or a name from the print makes no other price proven`() throws {
        let milk = try market()
        let list = try groceries.makeList("Week", by: "Ada").id
        _ = try groceries.add(NewEntry(product: NewProduct(name: "Milch")), to: list, by: "Ada")
        // A wrong product for a price far from its others, by number and by name; a count that shrinks the price.
        let answers: [ReceiptCorrection] = [
            .init(line: 0, product: milk), .init(line: 0, name: "milch"), .init(line: 0, count: "100", price: "0.05"),
        ]
        for (number, correction) in answers.enumerated() {
            let outcome = try receipt([("MIL. LUX", "9.99")], number, by: "Ada")
            _ = try groceries.accept(outcome, ReceiptAnswer(corrections: [correction]), by: "Ada")
            _ = try groceries.accept(outcome, ReceiptAnswer(), by: "Ada")
        }
        #expect(try groceries.quotes(of: milk).allSatisfy { $0.price.digits.hasPrefix("1.") })
        #expect(try groceries.prices(of: milk).count == 3)
    }

    @Test func `repeated lines of one receipt count once for who sent it`() throws {
        let lines = Array(repeating: ("JOGHURT", "0.49"), count: 30)
        _ = try groceries.accept(try receipt(lines, by: "Ada"), ReceiptAnswer(shop: shop), by: "Ada")
        #expect(try groceries.reputation(of: "Ada").accepted == 1)
    }

    // MARK: Shops

    @Test func `a shop that was misread is corrected once and remembered`() throws {
        let address = "Lindenweg 12, 23552 Lübeck"
        let first = try receipt([("MILCH", "1.19")], merchant: "L1DL", address: address)
        let place = try #require(
            try groceries.accept(first, ReceiptAnswer(shop: NewPlace(name: "Lidl")), by: "Ada").place)
        let same = try receipt([("BUTTER", "2.29")], 2, merchant: "L1DL", address: address)
        #expect(try reading(same).place == place)
        let noisy = try receipt([("BUTTER", "2.29")], 3, merchant: "L1DL", address: "Lindenw 12 23552 Lubeck")
        #expect(try reading(noisy).place == place)
        // What the chain prints for a product is learnt for the right chain.
        #expect(try reading(try receipt([("MILCH", "1.25")], 4, merchant: "Lidl")).lines.map(\.state) == [.accepted])
    }

    @Test func `the name of another known chain is not remembered as a misreading`() throws {
        let (rewe, lidl) = (try fixture.place("REWE"), try fixture.place("Lidl"))
        let outcome = try receipt([("MILCH", "1.19")], merchant: "REWE")
        _ = try groceries.accept(outcome, ReceiptAnswer(place: lidl), by: "Ada")
        #expect(try reading(try receipt([("EIS", "2.29")], 2, merchant: "REWE")).place == rewe)
    }

    @Test func `prices, names and receipts follow a shop that is renamed`() throws {
        let outcome = try receipt([("MILCH", "1.19")], merchant: "Kornfled")
        let place = try #require(
            try groceries.accept(outcome, ReceiptAnswer(shop: NewPlace(name: "Kornfled")), by: "Ada").place)
        let changed = try groceries.change(place, PlaceMark(name: "Kornfeld", city: "Lübeck"), by: "Ada")
        #expect((changed.name, changed.city) == ("Kornfeld", "Lübeck"))
        for (number, merchant) in ["Kornfeld", "Kornfled"].enumerated() {
            let next = try reading(try receipt([("MILCH", "1.25")], number + 2, merchant: merchant))
            #expect(next.place == place && next.lines.map(\.state) == [.accepted], "\(merchant)")
        }
        _ = try groceries.place(of: NewPlace(name: "Aldi", city: "Lübeck"), by: "Ada")
        #expect(throws: GroceryProblem.self) { try groceries.change(place, PlaceMark(name: "ALDI"), by: "Ada") }
    }

    @Test func `prices, marks and waiting prices follow a shop that is merged`() throws {
        let milk = try fixture.product("Milch")
        let (old, kept) = (try fixture.place("Lidl Markt 2"), try fixture.place("Lidl"))
        for (place, amount, days) in [(old, "1.29", 1), (kept, "1.19", 9)] {
            _ = try groceries.record(
                NewPrice(
                    product: milk, place: place, price: try fixture.money(amount),
                    date: groceries.today.adding(-days), contributor: "Ada"))
        }
        try groceries.mark(old, isFavorite: true, by: "Ada")
        let outcome = try receipt([("BUTTER", "2.29")], merchant: "Lidl Markt 2", by: "Ada")
        #expect(throws: GroceryProblem.self) { try groceries.merge(old, into: old, by: "Ada") }
        let place = try groceries.merge(old, into: kept, by: "Ada")
        #expect(place.isFavorite)
        #expect(try groceries.places(for: "Ada").map(\.id) == [kept])
        #expect(try groceries.prices(of: milk, at: kept).count == 2)
        #expect(try groceries.quotes(of: milk).map(\.price.digits) == ["1.29"])
        #expect(try groceries.reviews(of: photo(1)).allSatisfy { $0.draft.place != old })
        #expect(try reading(outcome).place == kept)
    }
}
