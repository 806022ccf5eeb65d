import Foods
import Core
import Foundation
import Store
import TestSupport
import Testing

@testable import Groceries

/// Lists and prices in a database of their own, on 2026-11-22 until a test moves the clock.
struct GroceryFixture {
    let folder: TemporaryFolder
    let store: OutcomeStore
    let groceries: Groceries
    let clock: TestClock

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let rules = try ModelFolder(Repository.models).load(GroceryRules.self, from: "groceries/rules.json")
        clock = TestClock(Date(timeIntervalSince1970: 1_795_348_800))
        groceries = Groceries(store, rules: rules) { [clock] in clock.date }
    }

    func money(_ text: String, _ code: String = "EUR") throws -> Money {
        try #require(Currency(code).flatMap { Money(price: text, currency: $0) })
    }

    func item(_ added: AddedEntry) throws -> GroceryItem {
        guard case .added(let item) = added else { throw GroceryProblem.bad("it is a duplicate") }
        return item
    }

    func product(_ name: String, gtin: String? = nil) throws -> Int64 {
        try groceries.product(of: NewProduct(gtin: gtin, name: name), by: "Ada").id
    }

    func place(_ name: String) throws -> Int64 { try groceries.place(of: NewPlace(name: name), by: "Ada").id }

    /// The names on a list, in its order.
    func names(_ list: Int64, _ person: String = "Ada") throws -> [String] {
        try groceries.items(of: list, for: person).map(\.name)
    }
}
