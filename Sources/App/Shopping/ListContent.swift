import Core
import Foods
import Groceries
import Household

extension GroceryActions {
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
    ///
    /// - Parameter hidden: lists that somebody has just deleted.
    func listContent(_ list: Int64?, for person: String, hiding hidden: Set<Int64> = []) throws -> ListContent {
        let (lists, shown) = try lists(of: person, showing: list, hiding: hidden)
        let adults = try Household(groceries.store).members().filter { $0.role == .adult }.map(\.name)
        var content = ListContent(lists: lists, list: shown, people: adults, today: today)
        content.places = try groceries.places(for: person)
        guard let shown else { return content }
        content.items = try groceries.items(of: shown.id, for: person)
        content.open = foods.shelved(content.items)
        if !content.open.isEmpty {
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

struct ListContent: Sendable {
    var lists: [GroceryList]
    /// The list that is shown; nil for a person without lists.
    var list: GroceryList?
    /// Entries on the list, in its order.
    var items: [GroceryItem] = []
    /// The open entries with their aisles: by aisle, within an aisle in the order of the list.
    var open: [(aisle: String, item: GroceryItem)] = []
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
}

/// What an entry costs in all, or what its product costs for a unit.
struct EntryPrice: Sendable {
    var amount: Money
    /// `piece` for the cost of the whole entry.
    var per: PriceUnit
}
