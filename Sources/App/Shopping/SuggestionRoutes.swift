import Groceries
import HTTP
import Hummingbird

// Suggestions for the field of a list, as JSON and as a page. The script of the list shows the page's list.
extension ShoppingRoutes {
    var suggestionRoutes: [Route] {
        [
            Route(
                .get, "v1/suggestions", for: .adult, "Products for a typed word", query: SuggestionQuery.self,
                gives: [200: "The suggestions, best first."], refuses: Self.unknown
            ) { call, query in
                try await actions.suggestions(
                    for: query.q, list: query.list, limit: query.limit ?? SuggestionQuery.usual, for: call.person)
            },
            shell.page(.get, "list/suggest", for: .adult, in: .list) { visit in
                let (query, person) = (visit.call.query, try visit.call.person)
                let list = try await actions { try $0.list(try query.list, of: person) }
                let typed = String(query["text"].prefix(100))
                let found =
                    typed.isEmpty
                    ? []
                    : try await actions.suggestions(
                        for: typed, list: list.id, limit: SuggestionQuery.usual, for: person)
                return try visit.show(SuggestPage(found, for: typed, on: list, words(visit)))
            },
        ]
    }
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
