import Foods
import Core
import Foundation
import GRDB
import Testing

@testable import Groceries

/// What was often bought together: never invented, always counted.
@Suite struct CompanionTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }
    private let list: Int64

    init() throws {
        fixture = try GroceryFixture()
        list = try fixture.groceries.makeList("Week", by: "Ada").id
    }

    private func add(_ names: [String]) throws {
        for name in names {
            _ = try groceries.add(NewEntry(product: NewProduct(name: name)), to: list, by: "Ada", anyway: true)
        }
    }

    /// Buys these together: all are completed and cleared from the list.
    private func buy(_ names: [String]) throws {
        try add(names)
        _ = try groceries.sweep(list, .completeAll, by: "Ada")
        _ = try groceries.sweep(list, .removeCompleted, by: "Ada")
    }

    /// Takes everything off the list without buying it.
    private func clear() throws {
        for item in try groceries.items(of: list, for: "Ada") {
            _ = try groceries.change(item.id, EntryChange(isInShoppingList: false), by: "Ada")
        }
    }

    private func companions(_ person: String = "Ada", of other: Int64? = nil) throws -> [String] {
        try groceries.companions(of: other ?? list, for: person).map {
            "\($0.name) with \($0.with) \($0.days) of \($0.allDays)"
        }
    }

    @Test func `a product bought on two days with one of the list is proposed, with its count`() throws {
        try buy(["Milk", "Butter", "Eggs"])
        try add(["Milk"])
        #expect(try companions().isEmpty, "one day may be chance")
        try clear()
        fixture.clock.pass(days: 3)
        try buy(["Butter"])
        fixture.clock.pass(days: 3)
        try buy(["Milk", "Bread"])
        fixture.clock.pass(days: 3)
        try buy(["Milk", "Butter"])
        fixture.clock.pass(days: 3)
        try add(["Milk"])
        // Butter was bought once without milk, which counts for nothing; eggs and bread were bought with it once.
        #expect(try companions() == ["Butter with Milk 2 of 3"])
    }

    @Test func `what is on the list, and what is bought without its products, is not proposed`() throws {
        for _ in 0..<3 {
            try buy(["Milk", "Butter"])
            fixture.clock.pass(days: 1)
            try buy(["Soap", "Candles"])
            fixture.clock.pass(days: 1)
        }
        try add(["Soap", "Candles"])
        #expect(try companions().isEmpty)
        try add(["Milk"])
        #expect(try companions() == ["Butter with Milk 3 of 3"])
        try add(["Butter"])
        #expect(try companions().isEmpty)
    }

    @Test func `a basket that undo brings back is no past basket`() throws {
        for _ in 0..<2 {
            try buy(["Milk", "Butter"])
            fixture.clock.pass(days: 1)
        }
        #expect(try groceries.undo(list, by: "Ada") == 2)
        let butter = try #require(try groceries.items(of: list, for: "Ada").first { $0.name == "Butter" })
        _ = try groceries.change(butter.id, EntryChange(isInShoppingList: false), by: "Ada")
        #expect(try companions().isEmpty)
    }

    @Test func `a receipt and a cleared list of one day are one trip`() throws {
        let products = try ["Milk", "Butter"].map { try fixture.product($0) }
        let place = try fixture.place("REWE")
        func receipt(daysAgo: Int) throws {
            for product in products {
                _ = try groceries.record(
                    NewPrice(
                        product: product, place: place, price: try fixture.money("1.00"),
                        date: groceries.today.adding(-daysAgo), proof: .receipt, photo: "sha256:\(daysAgo)"))
            }
        }
        try buy(["Milk", "Butter"])
        try receipt(daysAgo: 0)
        try add(["Milk"])
        #expect(try companions().isEmpty, "one day")
        try receipt(daysAgo: 7)
        #expect(try companions() == ["Butter with Milk 2 of 2"])
        let other = try groceries.makeList("Ben's", by: "Ben").id
        _ = try groceries.add(NewEntry(product: NewProduct(name: "Milk")), to: other, by: "Ben")
        #expect(try companions("Ben", of: other) == ["Butter with Milk 2 of 2"], "receipts belong to the house")
    }

    @Test func `baskets of lists that a person may not open are not used`() throws {
        for _ in 0..<2 {
            try buy(["Milk", "Butter"])
            fixture.clock.pass(days: 1)
        }
        let other = try groceries.makeList("Ben's", by: "Ben").id
        _ = try groceries.add(NewEntry(product: NewProduct(name: "Milk")), to: other, by: "Ben")
        #expect(try companions("Ben", of: other).isEmpty)
        #expect(throws: GroceryProblem.self) { try groceries.companions(of: list, for: "Ben") }
    }

    @Test func `past baskets are exported with their list and go with it`() throws {
        try buy(["Milk", "Butter"])
        let baskets = try groceries.exported("Ada").lists[0].baskets
        #expect(baskets.map(\.products.count) == [2] && baskets[0].day == groceries.today)
        try groceries.erase("Ada", isAlone: true)
        let left = try fixture.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grocery_basket_product") }
        #expect(left == 0)
    }
}
