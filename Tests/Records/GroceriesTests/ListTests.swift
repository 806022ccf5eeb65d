import Foods
import Foundation
import Testing

@testable import Groceries

@Suite struct ListTests {
    private let fixture: GroceryFixture
    private var groceries: Groceries { fixture.groceries }
    private let list: Int64

    init() throws {
        fixture = try GroceryFixture()
        list = try fixture.groceries.makeList("Week", by: "Ada").id
    }

    @discardableResult
    private func add(_ name: String, by person: String = "Ada") throws -> GroceryItem {
        try fixture.item(try groceries.add(NewEntry(product: NewProduct(name: name)), to: list, by: person))
    }

    @Test func `removing keeps the history, and adding again brings the entry back`() throws {
        let milk = try add("Milk")
        _ = try groceries.change(milk.id, EntryChange(isInShoppingList: false, isFavorite: true), by: "Ada")
        #expect(try fixture.names(list).isEmpty)
        #expect(try groceries.items(of: list, for: "Ada", isHistory: true).map(\.name) == ["Milk"])
        let again = try add("Milk")
        #expect(again.id == milk.id)
        #expect(again.isFavorite)
    }

    @Test func `nobody moves or reads an entry of somebody else's list`() throws {
        let items = try ["Milk", "Bread"].map { try add($0) }
        #expect(throws: GroceryProblem.self) { try groceries.move(items[0].id, after: items[1].id, by: "Ben") }
        #expect(throws: GroceryProblem.self) { try groceries.item(items[0].id, for: "Ben") }
    }

    @Test func `a duplicate is reported, and added anyway on request`() throws {
        try add("Spaghetti")
        let near = try groceries.add(NewEntry(product: NewProduct(name: "spagetti")), to: list, by: "Ada")
        guard case .duplicate(let item, .near) = near else {
            Issue.record("\(near)")
            return
        }
        #expect(item.name == "Spaghetti")
        #expect(try groceries.products(matching: "spag").map(\.name) == ["Spaghetti"], "a refused name leaves nothing")
        _ = try groceries.add(NewEntry(product: NewProduct(name: "spagetti")), to: list, by: "Ada", anyway: true)
        #expect(try fixture.names(list) == ["Spaghetti", "spagetti"])
    }

    @Test func `entries move, and the order stays`() throws {
        let (a, b, c) = (try add("Apples"), try add("Bread"), try add("Cheese"))
        try groceries.move(c.id, after: nil, by: "Ada")
        #expect(try fixture.names(list) == ["Cheese", "Apples", "Bread"])
        try groceries.move(c.id, after: a.id, by: "Ada")
        #expect(try fixture.names(list) == ["Apples", "Cheese", "Bread"])
        // More moves into one gap than it has positions.
        for index in 0..<60 { try groceries.move(index % 2 == 0 ? b.id : c.id, after: a.id, by: "Ada") }
        #expect(try fixture.names(list) == ["Apples", "Cheese", "Bread"])
    }

    @Test func `undo takes back one change after another, and a whole sweep at once`() throws {
        let (a, b) = (try add("Apples"), try add("Bread"))
        try groceries.move(b.id, after: nil, by: "Ada")
        #expect(try groceries.sweep(list, .completeAll, by: "Ada") == 2)
        #expect(try groceries.list(list, of: "Ada").completed == 2)
        #expect(try groceries.undo(list, by: "Ada") == 2)
        #expect(try groceries.list(list, of: "Ada").completed == 0)
        #expect(try fixture.names(list) == ["Bread", "Apples"])
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try fixture.names(list) == ["Apples", "Bread"])
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try fixture.names(list) == ["Apples"])
        _ = try groceries.change(a.id, EntryChange(quantity: 3000), by: "Ada")
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try groceries.items(of: list, for: "Ada").map(\.quantity) == [1000])
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try groceries.undo(list, by: "Ada") == 0)
    }

    @Test func `undo does not overwrite what another person changed since`() throws {
        _ = try groceries.share(list, with: "Ben", isAllowed: true, by: "Ada")
        let milk = try add("Milk")
        _ = try groceries.change(milk.id, EntryChange(quantity: 2000), by: "Ada")
        _ = try groceries.change(milk.id, EntryChange(isCompleted: true), by: "Ben")
        #expect(throws: GroceryProblem.changed) { try groceries.undo(list, by: "Ada") }
        #expect(try groceries.undo(list, by: "Ben") == 1)
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try groceries.items(of: list, for: "Ada").map(\.quantity) == [1000])
    }

    @Test func `a list is open to its people only`() throws {
        let milk = try add("Milk")
        #expect(throws: GroceryProblem.self) { try groceries.items(of: list, for: "Ben") }
        #expect(throws: GroceryProblem.self) {
            try groceries.change(milk.id, EntryChange(isCompleted: true), by: "Ben")
        }
        #expect(throws: GroceryProblem.self) { try groceries.move(milk.id, after: nil, by: "Ben") }
        #expect(throws: GroceryProblem.self) { try groceries.undo(list, by: "Ben") }
        #expect(throws: GroceryProblem.self) { try groceries.compare(list, for: "Ben") }
        _ = try groceries.share(list, with: "Ben", isAllowed: true, by: "Ada")
        #expect(try fixture.names(list, "Ben") == ["Milk"])
        #expect(throws: GroceryProblem.self) { try groceries.share(list, with: "Cleo", isAllowed: true, by: "Ben") }
        _ = try groceries.share(list, with: "Ben", isAllowed: false, by: "Ben")
        #expect(throws: GroceryProblem.self) { try groceries.items(of: list, for: "Ben") }
    }

    @Test func `fifty concurrent writers lose nothing, and the order is that of their additions`() async throws {
        let people = (0..<50).map { "Person \($0)" }
        for person in people { _ = try groceries.share(list, with: person, isAllowed: true, by: "Ada") }
        let (groceries, list) = (groceries, list)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    for step in 0..<6 {
                        let name = "Thing \(number * 100 + step)"
                        let added = try groceries.add(
                            NewEntry(product: NewProduct(name: name)), to: list, by: person, anyway: true)
                        guard case .added(let item) = added else { continue }
                        _ = try groceries.change(item.id, EntryChange(quantity: Int64(step + 1) * 1000), by: person)
                        if step == 5 { _ = try groceries.undo(list, by: person) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let items = try groceries.items(of: list, for: "Ada")
        #expect(items.count == 300)
        #expect(items.map(\.id) == items.map(\.id).sorted(), "nobody moved anything")
        for number in 0..<50 {
            let own = items.filter { $0.addedBy == people[number] }
            #expect(own.map(\.name) == (0..<6).map { "Thing \(number * 100 + $0)" })
            #expect(own.map(\.quantity) == [1000, 2000, 3000, 4000, 5000, 1000])
        }
    }

    @Test func `hostile names and quantities are refused`() throws {
        for name in ["", " ", "a\u{0}b", "\u{1B}[31m", String(repeating: "x", count: 201)] {
            #expect(throws: GroceryProblem.self) { try add(name) }
        }
        for quantity in [0, -1, Int64.max] {
            #expect(throws: GroceryProblem.self) {
                try groceries.add(NewEntry(product: NewProduct(name: "Milk"), quantity: quantity), to: list, by: "Ada")
            }
        }
        #expect(throws: GroceryProblem.self) {
            try groceries.add(NewEntry(product: NewProduct(gtin: "3017620422004")), to: list, by: "Ada")
        }
        let injected = try add("x'); DROP TABLE grocery_entry; --")
        #expect(try groceries.items(of: list, for: "Ada").map(\.id) == [injected.id])
    }
}
