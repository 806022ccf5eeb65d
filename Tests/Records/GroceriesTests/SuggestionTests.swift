import Foods
import TestSupport
import Testing

@testable import Groceries

/// What the field of a list proposes.
@Suite struct SuggestionTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }

    init() throws { fixture = try GroceryFixture() }

    private func suggestions(_ typed: String, list: Int64? = nil, by person: String = "Ada") throws
        -> [GrocerySuggestion]
    {
        try groceries.suggestions(
            for: typed, in: try groceries.prepared(nil, foods: FoodWords()), list: list, of: person, limit: 6)
    }

    @Test func `a suggestion has the newest price with its shop, and what was last bought`() throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        let new = NewEntry(product: NewProduct(name: "Joghurt natur"), quantity: 8000)
        let item = try fixture.item(try groceries.add(new, to: list, by: "Ada"))
        _ = try fixture.product("Joghurt")
        for (shop, amount, age) in [("Aldi", "0.55", 9), ("Lidl", "0.49", 1)] {
            let price = NewPrice(
                product: item.product, place: try fixture.place(shop), price: try fixture.money(amount),
                date: groceries.today.adding(-age), contributor: "Ada")
            _ = try groceries.record(price)
        }
        let found = try suggestions("joghurt nat", list: list)
        let first = try #require(found.first)
        #expect(first.name == "Joghurt natur" && first.isOnList && first.quantity == 8000)
        #expect(first.price == (try fixture.money("0.49")) && first.place == "Lidl")
        #expect(first.date == groceries.today.adding(-1))
        // A list of somebody else says nothing about its owner's habits.
        let others = try #require(try suggestions("joghurt nat", list: nil, by: "Ben").first)
        #expect(others.quantity == nil && !others.isOnList)
    }

    @Test func `what was bought before comes before an equally good name`() throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        _ = try fixture.product("Brot hell")
        let new = NewEntry(product: NewProduct(name: "Brot dunkel"))
        let item = try fixture.item(try groceries.add(new, to: list, by: "Ada"))
        _ = try groceries.change(item.id, EntryChange(isInShoppingList: false), by: "Ada")
        #expect(try suggestions("brot").map(\.name) == ["Brot dunkel", "Brot hell"])
    }

    @Test func `names are prepared again after a product was added`() throws {
        _ = try fixture.product("Tea")
        let first = try groceries.prepared(nil, foods: FoodWords())
        _ = try fixture.product("Teapot")
        let second = try groceries.prepared(first, foods: FoodWords())
        #expect(try groceries.suggestions(for: "tea", in: first, list: nil, of: "Ada", limit: 6).map(\.name) == ["Tea"])
        #expect(
            try groceries.suggestions(for: "tea", in: second, list: nil, of: "Ada", limit: 6).map(\.name) == [
                "Tea", "Teapot",
            ])
    }
}
