import Catalogue
import Core
import Groceries
import HTTP

extension ShoppingUseCases {
    /// What a typed word of a list may mean: products of lists and prices first, then those of the catalogue.
    ///
    /// - Parameter list: the list that the word is for.
    /// - Throws: ``GroceryProblem/notFound(_:)`` for a list that the person may not open.
    func suggestions(
        for typed: String, list: Int64?, limit: Int = SuggestionQuery.usual, for person: String
    ) throws -> [GrocerySuggestion] {
        if let list { _ = try groceries.list(list, of: person) }
        let prepared = try groceries.prepared(names, foods: foods)
        names = prepared
        let typed = TypedEntry(typed).name
        var found = try groceries.suggestions(for: typed, in: prepared, list: list, of: person, limit: limit)
        // One or two letters begin too many names of a catalogue.
        if found.count < limit, typed.count >= 3 {
            let known = Set(found.compactMap(\.gtin))
            found += try catalogue.search(typed, limit: limit, isUnfinished: true).map(\.product).compactMap {
                GrocerySuggestion(name: $0.name, gtin: GTIN(number: $0.number)?.digits, brand: $0.brand)
            }
            .filter { $0.gtin.map { !known.contains($0) } ?? false }.prefix(limit - found.count)
        }
        return found
    }
}

/// What the page of suggestions shows.
struct SuggestionContent: Sendable {
    var list: GroceryList
    var typed: String
    var found: [GrocerySuggestion]
}

struct SuggestionQuery: Decodable, Sendable, Documented {
    var q: String
    var list: Int64?
    var limit: Int?

    static let usual = 6
    static let fields = [
        "q": Field("The typed word.", lengths: 1...100), "list": Field.number("The list that it is for."),
        "limit": Field("At most so many.", range: 1...20, usual: "\(usual)"),
    ]
}

extension GrocerySuggestion: Documented {
    package static let about: String? = "A product for a typed word, with the newest price."
    package static let fields = [
        "product": Field("Missing for a product of the catalogue that no list and no price has."),
        "quantity": Field("Thousandths of `unit` when it was last on a list."),
    ]
}
