import Foods
import Groceries
import HTTP

// The comparison of a list over all places, as JSON and as the page Compare.
extension ShoppingRoutes {
    var compareRoutes: [Route] {
        [
            Route(
                .get, "v1/compare", for: .adult, "Compares the open entries of a list over all places",
                query: CompareQuery.self, gives: [200: "The comparison."], refuses: Self.unknown
            ) { call, query in try await actions.compare(query.list, currency: query.currency, for: call.person) },

            shell.page(.get, "compare", for: .adult, in: .compare) { visit in
                let (query, person) = (visit.call.query, try visit.call.person)
                let (lists, list) = try await actions.lists(of: person, showing: try query.number("list"))
                var report: ComparisonReport?
                if let list {
                    report = try await actions.compare(list.id, currency: try query.currency, for: person)
                }
                return try visit.show(ComparePage(lists, list, report, words(visit)))
            },
        ]
    }
}

struct CompareQuery: Decodable, Sendable, Documented {
    var list: Int64
    var currency: Currency?

    static let fields = [
        "list": Field.number("The list's number."), "currency": Field("The currency that comes first."),
    ]
}

extension ComparisonReport: Documented {
    package static let about: String? = "A list compared over places, each currency alone. Keys as in docs/api.md."
    package static let fields = [
        "closest": Field("The place with prices of most entries, where no place has enough to be compared."),
        "otherUnits": Field("Entries whose prices are known for other units only."),
    ]
}
