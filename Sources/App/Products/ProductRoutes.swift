import HTTP
import Foundation
import Hummingbird

/// The catalogue's answer to a client.
struct ProductAnswer: Sendable {
    /// HTTP status: 200, 400 for an invalid number, 404 for an unknown one, 503 if the catalogue cannot be read.
    var status: Int
    /// JSON.
    var body: Data
    /// True for problem details.
    var isProblem: Bool

    init(status: Int, body: Data, isProblem: Bool = false) {
        self.status = status
        self.body = body
        self.isProblem = isProblem
    }
}

/// Products by number and by name. `GET /api/v2/product/{code}` (with or without `.json`, `?fields=`) has Open Food
/// Facts' format; `GET /v1/products/{gtin}` and `GET /v1/search?q=&limit=` return food items;
/// `GET /v1/products/{gtin}/assessment?jurisdiction=&language=` returns what is on file about the ingredients.
struct ProductRoutes: APIRoutes {
    private let openFoodFacts: @Sendable (_ code: String, _ fields: String?) async -> ProductAnswer
    private let product: @Sendable (_ code: String) async -> ProductAnswer
    private let search: @Sendable (_ words: String, _ limit: Int) async -> ProductAnswer

    private let assessment:
        @Sendable (_ code: String, _ jurisdiction: String?, _ language: String) async -> ProductAnswer

    /// Jurisdictions of the evidence release, and languages of its sentences.
    private static let jurisdictions = ["EU", "US", "US-CA", "UK"]
    private static let languages = ["en", "de"]

    /// Default number of search results.
    private static let usualLimit = 20
    private static let mostResults = 100

    /// - Parameters:
    ///   - openFoodFacts: returns a product in Open Food Facts' format; `fields` are names separated by commas.
    ///   - product: returns a product as a food item.
    ///   - search: returns matching food items, at most as many as its second argument.
    ///   - assessment: returns what is on file about a product's ingredients.
    init(
        openFoodFacts: @escaping @Sendable (_ code: String, _ fields: String?) async -> ProductAnswer,
        product: @escaping @Sendable (_ code: String) async -> ProductAnswer,
        search: @escaping @Sendable (_ words: String, _ limit: Int) async -> ProductAnswer,
        assessment:
            @escaping @Sendable (_ code: String, _ jurisdiction: String?, _ language: String) async -> ProductAnswer
    ) {
        self.assessment = assessment
        self.openFoodFacts = openFoodFacts
        self.product = product
        self.search = search
    }

    func add(to routes: RouterGroup<APIContext>) {
        routes.get("api/v2/product/{code}") { request, context in
            let code = try context.parameters.require("code")
            return Response(await openFoodFacts(code, request.uri.queryParameters["fields"].map { String($0) }))
        }
        routes.get("v1/products/{gtin}") { _, context in
            Response(await product(try context.parameters.require("gtin")))
        }
        routes.get("v1/products/{gtin}/assessment") { request, context in
            let parameters = request.uri.queryParameters
            let jurisdiction = parameters["jurisdiction"].map { String($0) }
            if let jurisdiction, !Self.jurisdictions.contains(jurisdiction) {
                throw HTTPError(
                    .badRequest, message: "jurisdiction must be one of \(Self.jurisdictions.joined(separator: ", "))")
            }
            let language = parameters["language"].map { String($0) } ?? "en"
            guard Self.languages.contains(language) else {
                throw HTTPError(
                    .badRequest, message: "language must be one of \(Self.languages.joined(separator: ", "))")
            }
            return Response(await assessment(try context.parameters.require("gtin"), jurisdiction, language))
        }
        routes.get("v1/search") { request, _ in
            guard let words = request.uri.queryParameters["q"].map({ String($0) }), !words.isEmpty else {
                throw HTTPError(.badRequest, message: "the search text is missing: use /v1/search?q=…")
            }
            let named = request.uri.queryParameters["limit"]
            guard let limit = named.map({ Int($0) }) ?? Self.usualLimit, (1...Self.mostResults).contains(limit) else {
                throw HTTPError(.badRequest, message: "limit must be a number from 1 to \(Self.mostResults)")
            }
            return Response(await search(words, limit))
        }
    }
}

extension Response {
    fileprivate init(_ answer: ProductAnswer) {
        self.init(
            status: .init(code: answer.status),
            headers: [.contentType: answer.isProblem ? "application/problem+json" : "application/json"],
            body: .init(byteBuffer: .init(data: answer.body)))
    }
}
