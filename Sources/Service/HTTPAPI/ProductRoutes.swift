import Foundation
import Hummingbird

/// An answer of the catalogue, as it goes to the client.
public struct ProductAnswer: Sendable {
    /// HTTP status: 200, 400 for what is no number, 404 for what nobody knows, 503 where the catalogue cannot be read.
    public var status: Int
    /// JSON.
    public var body: Data

    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// Products by number and by name:
/// `GET /api/v2/product/{code}` (with or without `.json`, `?fields=`), as Open Food Facts' clients ask for it;
/// `GET /v1/products/{gtin}` and `GET /v1/search?q=&limit=`, as food items.
public struct ProductRoutes: APIRoutes {
    private let openFoodFacts: @Sendable (_ code: String, _ fields: String?) async -> ProductAnswer
    private let product: @Sendable (_ code: String) async -> ProductAnswer
    private let search: @Sendable (_ words: String, _ limit: Int) async -> ProductAnswer

    /// How many a search answers where nobody says: Open Food Facts' own page is 24.
    private static let usualLimit = 20
    private static let mostResults = 100

    /// - Parameters:
    ///   - openFoodFacts: a product in the shape of Open Food Facts; `fields` are names separated by commas.
    ///   - product: a product as a food item.
    ///   - search: at most so many food items that are named so.
    public init(
        openFoodFacts: @escaping @Sendable (_ code: String, _ fields: String?) async -> ProductAnswer,
        product: @escaping @Sendable (_ code: String) async -> ProductAnswer,
        search: @escaping @Sendable (_ words: String, _ limit: Int) async -> ProductAnswer
    ) {
        self.openFoodFacts = openFoodFacts
        self.product = product
        self.search = search
    }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("api/v2/product/{code}") { request, context in
            let code = try context.parameters.require("code")
            return Response(await openFoodFacts(code, request.uri.queryParameters["fields"].map { String($0) }))
        }
        routes.get("v1/products/{gtin}") { _, context in
            Response(await product(try context.parameters.require("gtin")))
        }
        routes.get("v1/search") { request, _ in
            guard let words = request.uri.queryParameters["q"].map({ String($0) }), !words.isEmpty else {
                throw HTTPError(.badRequest, message: "name what is looked for: /v1/search?q=…")
            }
            let named = request.uri.queryParameters["limit"]
            guard let limit = named.map({ Int($0) }) ?? Self.usualLimit, (1...Self.mostResults).contains(limit) else {
                throw HTTPError(.badRequest, message: "limit is a number from 1 to \(Self.mostResults)")
            }
            return Response(await search(words, limit))
        }
    }
}

extension Response {
    fileprivate init(_ answer: ProductAnswer) {
        self.init(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: answer.body)))
    }
}
