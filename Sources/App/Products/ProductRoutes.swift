import Catalogue
import Core
import Foods
import HTTP

/// Products by number and by name: as food items, as assessments, and in Open Food Facts' format.
struct ProductRoutes {
    let cases: ProductUseCases

    var routes: [Route] {
        [
            Route(
                .get, "v1/products/\(.gtin)", for: .guest, "A food item", gives: [200: "The item."],
                refuses: Self.refusals
            ) { call in try await cases.product(try call[.gtin]) },
            Route(
                .get, "v1/products/\(.gtin)/assessment", for: .guest,
                "What is on file about the ingredients of a product", query: AssessmentQuery.self,
                gives: [200: "The assessment."], refuses: Self.refusals
            ) { call, query in
                try await cases.assessment(
                    try call[.gtin], jurisdiction: query.jurisdiction, language: query.language ?? .en)
            },
            Route(
                .get, "v1/search", for: .guest, "Products by name", query: ProductSearch.self,
                gives: [200: "Products."], refuses: Self.refusals
            ) { _, search in
                try await cases.search(search.q, limit: search.limit ?? ProductSearch.usualLimit)
            },
            Route(
                .get, "api/v2/product/\(.code)", for: .guest,
                "A product in the format of Open Food Facts, with or without `.json`", query: OpenFoodFactsQuery.self,
                gives: [
                    200: "Found.", 404: "Unknown; `status` is 0.", 503: "The catalogue cannot be read.",
                ], refuses: [400: "Not a number."]
            ) { call, query in
                let code = try call[.code]
                do {
                    let answer = try await cases.openFoodFacts(code, fields: query.fields)
                    return Answered(answer.product == nil ? 404 : 200, answer)
                } catch { return Answered(503, OpenFoodFactsAnswer.unreadable(code)) }
            },
        ]
    }

    private static let refusals = [404: "There is nothing under this address.", 503: "Not ready."]
}

extension PathParameter where Value == String {
    fileprivate static var code: Self { .init("code", "Product number.") }
}

extension PathParameter where Value == GTIN {
    static var gtin: Self {
        .init("gtin", "Product number.") { text in
            guard let gtin = GTIN(typed: text) else {
                throw Problem(400, "badRequest", "\(text) is not a product number with a valid check digit")
            }
            return gtin
        }
    }
}

struct AssessmentQuery: Decodable, Sendable, Documented {
    var jurisdiction: Jurisdiction?
    var language: AssessmentLanguage?

    static let fields = [
        "jurisdiction": Field("Jurisdiction whose law decides; without it all law is listed and none decides."),
        "language": Field("Language of the sentences.", usual: AssessmentLanguage.en.rawValue),
    ]
}

struct ProductSearch: Decodable, Sendable, Documented {
    var q: String
    var limit: Int?

    static let usualLimit = 20
    static let fields = [
        "q": Field("Words."), "limit": Field("Number of products.", range: 1...100, usual: "\(usualLimit)"),
    ]
}

struct OpenFoodFactsQuery: Decodable, Sendable, Documented {
    var fields: String?

    static let fields = ["fields": Field("Names separated by commas.")]
}
