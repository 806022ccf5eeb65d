import Foods
import Core
import Groceries
import HTTP
import Household

extension ShoppingUseCases {
    /// The person's lists, own and shared, oldest first.
    func lists(of person: String) throws -> [GroceryList] { try groceries.lists(of: person) }

    func list(_ list: Int64, of person: String) throws -> GroceryList { try groceries.list(list, of: person) }

    func makeList(_ name: String, by person: String) throws -> GroceryList { try groceries.makeList(name, by: person) }

    /// The list that something is added to: the named one, else the person's first. The first thing that a person adds makes a
    /// list.
    ///
    /// - Parameter name: of the new list.
    func listToAddTo(_ list: Int64?, named name: String, by person: String) throws -> Int64 {
        if let list { return list }
        return try (groceries.lists(of: person).first ?? makeList(name, by: person)).id
    }

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

    /// Does what a phone did without a network. A change whose key is known is not done again.
    func sync(_ changes: [ListChange], of list: Int64, by person: String) throws -> SyncedChanges {
        try groceries.sync(changes, of: list, by: person) { text in
            var entry = try entry(nil, typed: text)
            entry.product = completed(entry.product)
            return entry
        }
    }

    /// Whom the entries of a list are judged for. Photos are judged for everybody where nobody avoids anything; a household
    /// that says so by its people wants no warnings on its lists.
    func avoiding(among people: [AllergenProfile]) throws -> [AllergenProfile] {
        let isForEverybody = people.map(\.name) == [AllergenProfile.everyone]
        return try isForEverybody && !Household(groceries.store).members().isEmpty ? [] : people
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
        content.places = try groceries.places(for: person)
        guard let shown else { return content }
        content.items = try groceries.items(of: shown.id, for: person)
        content.aisles = Dictionary(
            content.items.map { ($0.id, $0.aisle ?? foods.aisle(of: $0.name, category: $0.category)) },
            uniquingKeysWith: { $1 })
        content.order = foods.order
        if content.items.contains(where: { !$0.isCompleted }) {
            let comparison = try compare(shown.id, for: person)
            content.comparison = comparison
            for line in comparison.currencies.first?.cheapest.first?.lines ?? [] {
                content.prices[line.entry] = EntryPrice(amount: line.cost, per: .piece)
            }
        }
        // Elsewhere, for other units, or in the basket already.
        let others = content.items.filter { content.prices[$0.id] == nil }.map(\.product)
        content.quoted = try groceries.newestQuotes(of: others).mapValues { EntryPrice(amount: $0.price, per: $0.per) }
        content.companions = try groceries.companions(of: shown.id, for: person)
        return content
    }
}

/// What the page List shows.
struct ListContent: Sendable {
    /// All lists of the person.
    var lists: [GroceryList]
    /// The list that is shown; nil for a person without lists.
    var list: GroceryList?
    /// Entries on the list, in its order.
    var items: [GroceryItem] = []
    /// The aisles of the entries, by their numbers, and the names of all aisles in the order of a shop.
    var aisles: [Int64: String] = [:]
    var order: [String] = []
    /// What entries cost at the cheapest place, by the numbers of the entries.
    var prices: [Int64: EntryPrice] = [:]
    /// Newest prices by the numbers of products.
    var quoted: [Int64: EntryPrice] = [:]
    /// Shops, the person's usual one first.
    var places: [GroceryPlace] = []
    /// The adults of the household, with whom a list can be shared.
    var people: [String]
    var today: Day
    /// The people whom entries are judged for, and the verdicts by the numbers of the entries.
    var household: [AllergenProfile] = []
    var verdicts: [Int64: Verdicts] = [:]
    /// What the open entries cost; nil for a list without open entries.
    var comparison: ComparisonReport?
    /// Products that were often bought with those of the list.
    var companions: [Companion] = []

    /// The open entries: by aisle, within an aisle in the order of the list.
    var open: [GroceryItem] {
        let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func place(_ item: GroceryItem) -> Int { aisles[item.id].flatMap { places[$0] } ?? order.count }
        return items.filter { !$0.isCompleted }.enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }.map(\.element)
    }
}

/// What an entry costs in all, or what its product costs for a unit.
struct EntryPrice: Sendable {
    var amount: Money
    /// `piece` for the cost of the whole entry.
    var per: PriceUnit
}

struct ChangedEntries: Codable, Sendable, Documented {
    var changed: Int

    static let about: String? = "How many entries changed."
}

extension SyncedChanges: Documented {
    package static let about: String? = "How many changes were done now, were done before, and found nothing to change."
}

extension ListChange: Documented {
    package static let about: String? = "A change of a list that was made without a network."
    package static let fields = [
        "key": Field("Different for each change: a known key is not done again.", lengths: 1...64),
        "text": Field("What is added, as typed.", lengths: 0...200),
        "entry": Field.number("The entry that changes."),
        "of": Field("Instead of `entry`: the key of the change that added it."),
    ]
}

extension GroceryList: Documented {
    package static let about: String? = "A shopping list."
}
