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
                try await cases.suggestions(
                    for: query.q, list: query.list, limit: query.limit ?? SuggestionQuery.usual, for: call.person)
            },
            shell.page(.get, "list/suggest", for: .adult, in: .list) { visit in
                let (query, person) = (visit.call.query, try visit.call.person)
                let list = try await cases.list(try query.list, of: person)
                let typed = String(query["text"].prefix(100))
                let found = typed.isEmpty ? [] : try await cases.suggestions(for: typed, list: list.id, for: person)
                let content = SuggestionContent(list: list, typed: typed, found: found)
                return try visit.show(SuggestPage(content, GroceryText(visit.texts, today: cases.today)))
            },
        ]
    }
}
