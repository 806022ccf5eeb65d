import Core
import Kinds
import Store
import TestSupport
import Testing

@testable import App
@testable import Groceries

/// A week of shopping: receipts of four shops, one list of two people, one of them without a network.
@Suite struct ShoppingWeekTests {
    private let home: GroceryHome
    private var actions: GroceryActions { home.actions }
    private var groceries: Groceries { actions.groceries }

    /// Prices on the receipts, by shop. LIDL had no bread.
    private static let receipts: [(shop: String, day: String, lines: [(String, String)])] = [
        (
            "REWE", "2026-11-16",
            [("Vollmilch", "1.29"), ("Butter", "2.29"), ("Brot", "1.99"), ("Erdnussbutter", "3.49")]
        ),
        (
            "ALDI", "2026-11-17",
            [("Vollmilch", "0.99"), ("Butter", "1.99"), ("Brot", "1.49"), ("Erdnussbutter", "2.49")]
        ),
        ("LIDL", "2026-11-19", [("Vollmilch", "1.05"), ("Butter", "1.89"), ("Erdnussbutter", "2.59")]),
        (
            "EDEKA", "2026-11-20",
            [("Vollmilch", "1.35"), ("Butter", "2.49"), ("Brot", "2.19"), ("Erdnussbutter", "3.29")]
        ),
    ]

    init() throws { home = try GroceryHome() }

    private func outcome(_ number: Int) throws -> Outcome {
        let (shop, day, lines) = Self.receipts[number]
        let value = { (text: String) in GroceryHome.value(text) }
        var receipt = Receipt(items: lines.map { .init(name: value($0.0), amount: value($0.1)) })
        (receipt.merchant, receipt.date, receipt.currency) = (value(shop), value(day), value("EUR"))
        return try GroceryHome.outcome("sha256:\(number)", receipt)
    }

    /// Ada writes at home, Zoë without a network; her phone sends what she did twice.
    private func write() async throws -> Int64 {
        let list = try groceries.makeList("Week", by: "Ada").id
        _ = try await actions.share(list, with: "Zoë", by: "Ada")
        for text in ["Vollmilch", "Brot"] {
            _ = try await actions.add(try await actions.entry(typed: text), to: list, by: "Ada")
        }
        let offline = ["vollmilch", "Butter", "2 Erdnussbutter"].enumerated().map {
            ListChange(key: "k\($0)", action: .add, text: $1)
        }
        #expect(try await actions.sync(offline, of: list, by: "Zoë") == SyncedChanges(done: 3, known: 0, gone: 0))
        #expect(try await actions.sync(offline, of: list, by: "Zoë") == SyncedChanges(done: 0, known: 3, gone: 0))
        return list
    }

    /// The folder of photos and a phone read each receipt.
    private func shop() throws {
        for (number, receipt) in Self.receipts.enumerated() {
            _ = try groceries.place(of: NewPlace(name: receipt.shop), by: "Ada")
            let first = try groceries.record(try outcome(number), by: "Ada")
            #expect((first.accepted, first.waiting) == (receipt.lines.count, 0), "\(receipt.shop)")
            let again = try groceries.record(try outcome(number), by: "Zoë")
            #expect((again.accepted, again.known) == (0, receipt.lines.count), "\(receipt.shop)")
        }
    }

    @Test func `prices, comparison and list are as wanted, and nothing is there twice`() async throws {
        let list = try await write()
        try shop()
        let items = try groceries.items(of: list, for: "Zoë")
        #expect(items.map(\.name) == ["Vollmilch", "Brot", "Butter", "Erdnussbutter"])
        #expect(items.map(\.quantity) == [1000, 1000, 1000, 2000])
        let bought = try items.map { item in try groceries.prices(of: item.product).count }
        #expect(bought == [4, 3, 4, 4])

        let report = try await actions.compare(list, for: "Zoë")
        let group = try #require(report.currencies.first)
        #expect(report.entries == 4 && report.currencies.count == 1 && group.currency == .euro)
        #expect(group.cheapest.map(\.placeName) == ["ALDI", "REWE", "EDEKA"], "LIDL lacks a quarter of the list")
        #expect(group.cheapest.map(\.total.digits) == ["9.45", "12.55", "12.61"])
        #expect(group.cheapest.flatMap(\.missing) == [])
        #expect(group.split?.placeNames.sorted() == ["ALDI", "LIDL"])
        #expect(group.split?.total.digits == "9.35" && group.split?.saves?.digits == "0.10")
    }

    @Test func `who avoids peanuts and milk is warned of what is on the list`() async throws {
        let list = try await write()
        let interpreter = try Interpreter(models: ModelFolder(Repository.models))
        let verdicts = ProductVerdicts(home.store) { interpreter }
        let leo = AllergenProfile(name: "Leo", allergens: [.peanuts: .high, .milk: .high])
        let items = try groceries.items(of: list, for: "Ada")
        let found = try await verdicts.verdicts(of: items, for: [leo])
        let warned = items.map { item in
            (found[item.id]?["Leo"] ?? [:]).filter { [.contains, .likely].contains($0.value.verdict) }.keys
                .map(\.rawValue).sorted()
        }
        #expect(warned == [["milk"], [], ["milk"], ["peanuts"]], "\(items.map(\.name))")
    }
}
