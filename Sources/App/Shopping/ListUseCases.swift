import Baskets
import Core
import Groceries
import HTTP
import Household
import Meals

extension ShoppingUseCases {
    // MARK: Lists

    /// The person's lists, own and shared, oldest first.
    func lists(of person: String) throws -> [GroceryList] { try groceries.lists(of: person) }

    func list(_ list: Int64, of person: String) throws -> GroceryList { try groceries.list(list, of: person) }

    func makeList(_ name: String, by person: String) throws -> GroceryList { try groceries.makeList(name, by: person) }

    /// Deletes a list with its history.
    func removeList(_ list: Int64, by person: String) throws { try groceries.removeList(list, by: person) }

    /// Lets another adult of the household open a list.
    ///
    /// - Throws: `Problem` (404) for somebody who is no adult of the household.
    func share(_ list: Int64, with name: String, by person: String) throws -> GroceryList {
        guard let member = try Household(groceries.store).member(named: name), member.role == .adult else {
            throw Problem(404, "notFound", "\(String(name.prefix(60)).printable) is no adult of this household")
        }
        return try groceries.share(list, with: member.name, isAllowed: true, by: person)
    }

    /// Takes a person off a list; the name may be of somebody who is no member any more.
    func unshare(_ list: Int64, from name: String, by person: String) throws -> GroceryList {
        let member = try Household(groceries.store).member(named: name)
        return try groceries.share(list, with: member?.name ?? name, isAllowed: false, by: person)
    }

    /// Takes the person's last change of a list back.
    ///
    /// - Returns: how many entries changed.
    func undo(_ list: Int64, by person: String) throws -> Int { try groceries.undo(list, by: person) }

    /// Completes all entries, or removes the completed ones.
    ///
    /// - Returns: how many entries changed.
    func sweep(_ list: Int64, _ action: Groceries.SweepAction, by person: String) throws -> Int {
        try groceries.sweep(list, action, by: person)
    }

    /// Compares the open entries of a list over all places.
    ///
    /// - Parameter currency: the one that comes first.
    func compare(_ list: Int64, currency: Currency? = nil, for person: String) throws -> ComparisonReport {
        ComparisonReport(try groceries.compare(list, for: person, currency: currency))
    }

    /// - Parameter list: nil for the person's first list.
    func compareContent(_ list: Int64?, currency: Currency?, for person: String) throws -> CompareContent {
        let lists = try groceries.lists(of: person)
        let shown = try list.map { try groceries.list($0, of: person) } ?? lists.first
        return CompareContent(
            lists: lists, list: shown, report: try shown.map { try compare($0.id, currency: currency, for: person) },
            today: today)
    }

    /// The list without verdicts.
    ///
    /// - Parameter list: nil for the person's first list.
    /// - Throws: ``GroceryProblem/notFound(_:)`` also for a list that the person may not open.
    func listContent(_ list: Int64?, for person: String) throws -> ListContent {
        let lists = try groceries.lists(of: person)
        let shown = try list.map { try groceries.list($0, of: person) } ?? lists.first
        let adults = try Household(groceries.store).members().filter { $0.role == .adult }.map(\.name)
        var content = ListContent(lists: lists, list: shown, people: adults, today: today)
        guard let shown else { return content }
        content.items = try groceries.items(of: shown.id, for: person)
        content.earlier = try groceries.items(of: shown.id, for: person, isHistory: true)
            .prefix(ListContent.proposed).map(\.name)
        if content.items.contains(where: { !$0.isCompleted }) {
            content.comparison = try compare(shown.id, for: person)
        }
        content.companions = try groceries.companions(of: shown.id, for: person)
        return content
    }

    // MARK: Entries

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
        if let gtin = GTIN(text) ?? GTIN(upcE: text) { return NewProduct(gtin: gtin.digits) }
        return text.wholeMatch(of: /[a-z]{2}:[a-z0-9-]+/) == nil ? NewProduct(name: text) : NewProduct(category: text)
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

    /// Moves an open entry some places up (negative) or down.
    func move(_ entry: Int64, by places: Int, of list: Int64, for person: String) throws {
        try groceries.move(entry, by: places, of: list, for: person)
    }

    /// The product whose barcode a photo shows.
    func scanned(_ photo: String) throws -> ScannedProduct {
        guard let json = try groceries.store.outcomeJSON(forContent: photo) else { return .unread }
        let products = try JSONCoding.decode(Outcome.self, from: json).products ?? []
        return products.first { GTIN($0.gtin) != nil }.map { .product(completed(NewProduct(gtin: $0.gtin))) }
            ?? .noBarcode
    }
}

/// The barcode of a photo.
enum ScannedProduct: Sendable {
    /// The photo was not read yet, or is unknown.
    case unread
    case product(NewProduct)
    case noBarcode
}

/// What the page List shows.
struct ListContent: Sendable {
    /// All lists of the person.
    var lists: [GroceryList]
    /// The list that is shown; nil for a person without lists.
    var list: GroceryList?
    /// Entries on the list, in its order.
    var items: [GroceryItem] = []
    /// Names of entries that were on the list before.
    var earlier: [String] = []
    /// The adults of the household, with whom a list can be shared.
    var people: [String]
    var today: Day
    /// The people whom products are judged for, and the verdicts by product number.
    var household: [AllergenProfile] = []
    var verdicts: [String: Verdicts] = [:]
    /// What the open entries cost; nil for a list without open entries.
    var comparison: ComparisonReport?
    /// Products that were often bought with those of the list.
    var companions: [Companion] = []

    /// Earlier entries that the field for a new one proposes.
    static let proposed = 30
}

/// What the page Compare shows.
struct CompareContent: Sendable {
    var lists: [GroceryList]
    /// Nil for a person without lists.
    var list: GroceryList?
    var report: ComparisonReport?
    var today: Day
}
