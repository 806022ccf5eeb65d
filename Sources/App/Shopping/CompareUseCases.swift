import Foods
import Core
import Groceries
import HTTP

extension ShoppingUseCases {
    /// Compares the open entries of a list over all places.
    ///
    /// - Parameter currency: the one that comes first.
    func compare(_ list: Int64, currency: Currency? = nil, for person: String) throws -> ComparisonReport {
        ComparisonReport(try groceries.compare(list, for: person, currency: currency, foods: foods))
    }

    /// - Parameter list: nil for the person's first list.
    func compareContent(_ list: Int64?, currency: Currency?, for person: String) throws -> CompareContent {
        let lists = try groceries.lists(of: person)
        let shown = try list.map { try groceries.list($0, of: person) } ?? lists.first
        return CompareContent(
            lists: lists, list: shown, report: try shown.map { try compare($0.id, currency: currency, for: person) },
            today: today)
    }
}

/// What the page Compare shows.
struct CompareContent: Sendable {
    var lists: [GroceryList]
    /// Nil for a person without lists.
    var list: GroceryList?
    var report: ComparisonReport?
    var today: Day
}

extension ComparisonReport: Documented {
    package static let about: String? = "A list compared over places, each currency alone. Keys as in docs/api.md."
    package static let fields = [
        "closest": Field("The place with prices of most entries, where no place has enough to be compared."),
        "otherUnits": Field("Entries whose prices are known for other units only."),
    ]
}
