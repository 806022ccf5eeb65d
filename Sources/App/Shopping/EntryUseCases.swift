import Foods
import Core
import Groceries
import HTTP

extension ShoppingUseCases {
    /// The entries of a list in its order.
    ///
    /// - Parameter isHistory: true for entries that were removed, newest first.
    func entries(of list: Int64, isHistory: Bool = false, for person: String) throws -> [GroceryItem] {
        try groceries.items(of: list, for: person, isHistory: isHistory)
    }

    func entry(_ id: Int64, for person: String) throws -> GroceryItem { try groceries.item(id, for: person) }

    /// Adds to the end of a list.
    ///
    /// - Parameter anyway: true adds also what the list has already.
    func add(_ new: NewEntry, to list: Int64, anyway: Bool = false, by person: String) throws -> AddedEntry {
        var entry = new
        entry.product = completed(new.product)
        return try groceries.add(entry, to: list, by: person, anyway: anyway)
    }

    /// What a person adds: a product of the search, or what was typed, which is the number under a barcode, a category
    /// such as `en:bananas`, or a name.
    func wanted(_ id: Int64?, typed text: String) throws -> NewProduct {
        if let id {
            let known = try product(id)
            return NewProduct(
                gtin: known.gtin, category: known.gtin == nil ? known.category : nil, name: known.name,
                brand: known.brand)
        }
        if let gtin = GTIN(typed: text) { return NewProduct(gtin: gtin.digits) }
        return text.wholeMatch(of: /[a-z]{2}:[a-z0-9-]+/) == nil ? NewProduct(name: text) : NewProduct(category: text)
    }

    /// What a person types for a list: a quantity with what it is of.
    ///
    /// - Parameter id: a product of the search, which replaces the typed name.
    func entry(_ id: Int64?, typed text: String) throws -> NewEntry {
        let typed = TypedEntry(text)
        return NewEntry(
            product: try wanted(id, typed: typed.name), quantity: typed.quantity?.thousandths ?? 1000,
            unit: typed.quantity?.unit ?? .piece)
    }

    func change(_ entry: Int64, _ change: EntryChange, by person: String) throws -> GroceryItem {
        try groceries.change(entry, change, by: person)
    }

    /// Takes an entry off its list; it stays in the history.
    func remove(_ entry: Int64, by person: String) throws {
        _ = try groceries.change(entry, EntryChange(isInShoppingList: false), by: person)
    }

    /// Moves an entry behind another one, or to the beginning.
    func move(_ entry: Int64, after other: Int64?, by person: String) throws {
        try groceries.move(entry, after: other, by: person)
    }

    /// Moves an open entry one place up or down within its aisle. At an end it stays.
    func move(_ entry: Int64, isUp: Bool, for person: String) throws {
        let list = try groceries.item(entry, for: person).list
        let content = try listContent(list, for: person)
        let aisle = content.open.map(\.id).filter { content.aisles[$0] == content.aisles[entry] }
        guard let place = aisle.firstIndex(of: entry) else { throw GroceryProblem.notFound("entry \(entry)") }
        // Up: the one before it moves behind it.
        if isUp, place > 0 { try groceries.move(aisle[place - 1], after: entry, by: person) }
        if !isUp, place + 1 < aisle.count { try groceries.move(entry, after: aisle[place + 1], by: person) }
    }
}

extension AddedEntry: Encodable {
    var status: Int {
        switch self {
        case .added: 201
        case .duplicate: 409
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .added(let item): try item.encode(to: encoder)
        case .duplicate(let item, let kind): try DuplicateEntry(duplicate: kind, item: item).encode(to: encoder)
        }
    }
}

struct DuplicateEntry: Codable, Sendable, Documented {
    var duplicate: ProductNames.Duplicate
    var item: GroceryItem

    static let about: String? = "The list has the same or a similar product already."
}

extension GroceryItem: Documented {
    package static let about: String? = "An entry of a list. Quantities are thousandths of the unit."
}

extension EntryChange: Documented {
    package static let about: String? = "What is not named stays."
    package static let fields = ["quantity": Field(range: 1...1_000_000)]
}
