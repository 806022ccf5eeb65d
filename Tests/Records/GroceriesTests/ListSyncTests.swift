import Foods
import Core
import TestSupport
import Testing

@testable import Groceries

/// Changes that phones made without a network.
@Suite struct ListSyncTests {
    private let fixture: GroceryFixture
    private let list: Int64
    private var groceries: Groceries { fixture.groceries }

    init() throws {
        fixture = try GroceryFixture()
        list = try fixture.groceries.makeList("Week", by: "Ada").id
    }

    @discardableResult
    private func sync(_ changes: [ListChange], by person: String = "Ada") throws -> SyncedChanges {
        try groceries.sync(changes, of: list, by: person) { NewEntry(product: NewProduct(name: $0)) }
    }

    private func add(_ text: String, key: String) -> ListChange { ListChange(key: key, action: .add, text: text) }

    private func open() throws -> [String] {
        try groceries.items(of: list, for: "Ada").filter { !$0.isCompleted }.map(\.name)
    }

    @Test func `changes sent twice are done once, in their order`() throws {
        let changes = [
            add("Milk", key: "a"), add("Bread", key: "b"), add("Oats", key: "c"),
            ListChange(key: "d", action: .complete, of: "b"), ListChange(key: "e", action: .open, of: "b"),
            ListChange(key: "f", action: .remove, of: "c"),
        ]
        #expect(try sync(changes) == SyncedChanges(done: 6, known: 0, gone: 0))
        #expect(try open() == ["Milk", "Bread"])
        // The answer was lost, and somebody else ticked the bread since.
        let bread = try groceries.items(of: list, for: "Ada")[1]
        _ = try groceries.change(bread.id, EntryChange(isCompleted: true), by: "Ada")
        #expect(try sync(changes) == SyncedChanges(done: 0, known: 6, gone: 0))
        #expect(try open() == ["Milk"])
    }

    @Test func `what two phones add is on the list once, and what only sounds alike is there twice`() throws {
        try sync([add("Milk", key: "a"), add("Joghurt", key: "b")])
        try sync([add("milk", key: "c"), add("Jogurt", key: "d")])
        #expect(try open() == ["Milk", "Joghurt", "Jogurt"])
        // What lies in the basket already is wanted again.
        let milk = try groceries.items(of: list, for: "Ada")[0]
        _ = try groceries.change(milk.id, EntryChange(isCompleted: true), by: "Ada")
        try sync([add("Milk", key: "e")])
        #expect(try open() == ["Milk", "Joghurt", "Jogurt"])
    }

    @Test func `what somebody else removed stays removed`() throws {
        let item = try fixture.item(try groceries.add(NewEntry(product: NewProduct(name: "Tea")), to: list, by: "Ada"))
        _ = try groceries.change(item.id, EntryChange(isInShoppingList: false), by: "Ada")
        let changes = [
            ListChange(key: "a", action: .complete, entry: item.id),
            ListChange(key: "b", action: .complete, of: "none"),
            ListChange(key: "c", action: .remove),
        ]
        #expect(try sync(changes) == SyncedChanges(done: 0, known: 0, gone: 3))
        #expect(try groceries.items(of: list, for: "Ada").isEmpty)
    }

    @Test func `one refused change leaves all undone, and nobody else's list can be changed`() throws {
        #expect(throws: GroceryProblem.self) { try sync([add("Milk", key: "a"), add("", key: "b")]) }
        #expect(throws: GroceryProblem.self) { try sync([add("Milk", key: "")]) }
        #expect(throws: GroceryProblem.self) { try sync([add("Milk", key: "a")], by: "Ben") }
        #expect(try open().isEmpty)
        // An entry of another list is none of this one.
        let other = try groceries.makeList("Other", by: "Ben").id
        let item = try fixture.item(try groceries.add(NewEntry(product: NewProduct(name: "Tea")), to: other, by: "Ben"))
        #expect(try sync([ListChange(key: "a", action: .remove, entry: item.id)]).gone == 1)
        #expect(try groceries.items(of: other, for: "Ben").count == 1)
    }
}
