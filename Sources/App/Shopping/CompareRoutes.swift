import Foods
import HTTP

// The comparison of a list over all places, as JSON and as the page Compare.
extension ShoppingRoutes {
    var compareRoutes: [Route] {
        [
            Route(
                .get, "v1/compare", for: .adult, "Compares the open entries of a list over all places",
                query: CompareQuery.self, gives: [200: "The comparison."], refuses: Self.unknown
            ) { call, query in try await cases.compare(query.list, currency: query.currency, for: call.person) },

            shell.page(.get, "compare", for: .adult, in: .compare) { visit in
                let query = visit.call.query
                let content = try await cases.compareContent(
                    try query.number("list"), currency: try query.currency, for: visit.call.person)
                return try visit.show(ComparePage(content, visit.texts))
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
