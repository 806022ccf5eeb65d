import HTTP
import Foundation
import HTTPTypes
import Hummingbird

/// A request about accounts, lists and prices.
struct GroceryRequest: Sendable {
    /// What is asked; one for each route, in groups that are answered together.
    enum Operation: Sendable, Hashable {
        case account(AccountOperation)
        case list(ListOperation)
        case item(ItemOperation)
        case price(PriceOperation)
        case place(PlaceOperation)
        case experience(ExperienceOperation)
    }

    enum AccountOperation: Sendable, Hashable {
        case account, exportAccount
    }

    enum ListOperation: Sendable, Hashable {
        case lists, createList, list, removeList, shareList, unshareList, undo, sweep, compare
    }

    enum ItemOperation: Sendable, Hashable {
        case items, addItem, changeItem, removeItem, moveItem
    }

    enum PriceOperation: Sendable, Hashable {
        case prices, addPrice, priceReviews, decidePrice, photoPrices
    }

    enum PlaceOperation: Sendable, Hashable {
        case places, addPlace, markPlace, groceryProducts, setTags
    }

    enum ExperienceOperation: Sendable, Hashable {
        case experiences, postExperience, comment
    }

    var operation: Operation
    /// The member who asks.
    var person: String
    /// The parameters of the path, decoded.
    var path: [String: String]
    /// The parameters of the query, the first of each name.
    var query: [String: String]
    var body: Data
}

/// The answer to a request about accounts, lists and prices.
struct GroceryAnswer: Sendable {
    var status: Int
    /// JSON; nil without a body.
    var json: Data?

    init(status: Int = 200, json: Data? = nil) {
        self.status = status
        self.json = json
    }
}

/// What the routes of lists and prices need of the daemon.
protocol APIGroceries: Sendable {
    /// - Throws: ``Problem`` that names the wrong value.
    func answer(_ request: GroceryRequest) async throws -> GroceryAnswer
}

/// `/v1/me`, `/v1/lists`, `/v1/items`, `/v1/prices`, `/v1/places`, `/v1/compare`,
/// `/v1/experiences` and `/v1/goods`.
///
/// They are the member's who uses the device.
struct GroceryRoutes: APIRoutes {
    private let groceries: any APIGroceries

    init(_ groceries: any APIGroceries) { self.groceries = groceries }

    private static let mostBytes = 64 << 10

    private static let routes: [(HTTPRequest.Method, String, GroceryRequest.Operation)] = [
        (.get, "v1/me", .account(.account)), (.get, "v1/me/export", .account(.exportAccount)),
        (.get, "v1/lists", .list(.lists)), (.post, "v1/lists", .list(.createList)),
        (.get, "v1/lists/{id}", .list(.list)),
        (.delete, "v1/lists/{id}", .list(.removeList)), (.put, "v1/lists/{id}/people/{name}", .list(.shareList)),
        (.delete, "v1/lists/{id}/people/{name}", .list(.unshareList)), (.post, "v1/lists/{id}/undo", .list(.undo)),
        (.post, "v1/lists/{id}/sweep", .list(.sweep)), (.get, "v1/items", .item(.items)),
        (.post, "v1/items", .item(.addItem)),
        (.patch, "v1/items/{id}", .item(.changeItem)), (.delete, "v1/items/{id}", .item(.removeItem)),
        (.post, "v1/items/{id}/move", .item(.moveItem)), (.get, "v1/prices", .price(.prices)),
        (.post, "v1/prices", .price(.addPrice)),
        (.get, "v1/prices/reviews", .price(.priceReviews)), (.post, "v1/prices/reviews/{id}", .price(.decidePrice)),
        (.post, "v1/prices/photos/{id}", .price(.photoPrices)), (.get, "v1/places", .place(.places)),
        (.post, "v1/places", .place(.addPlace)),
        (.patch, "v1/places/{id}", .place(.markPlace)), (.get, "v1/compare", .list(.compare)),
        (.get, "v1/goods", .place(.groceryProducts)),
        (.put, "v1/goods/{id}/tags", .place(.setTags)), (.get, "v1/experiences", .experience(.experiences)),
        (.post, "v1/experiences", .experience(.postExperience)),
        (.post, "v1/experiences/{id}/comments", .experience(.comment)),
    ]

    func add(to routes: RouterGroup<APIContext>) {
        for (method, path, operation) in Self.routes {
            routes.on("\(path)", method: method) { [groceries] request, context in
                let asked = GroceryRequest(
                    operation: operation, person: try context.person(), path: try Self.parameters(context),
                    query: Self.query(request),
                    body: [.post, .put, .patch, .delete].contains(method)
                        ? try await request.bytes(upTo: Self.mostBytes) : Data())
                let answer = try await groceries.answer(asked)
                return Self.response(answer, to: request)
            }
        }
    }

    private static func response(_ answer: GroceryAnswer, to request: Request) -> Response {
        guard let json = answer.json else { return Response(status: .init(code: answer.status)) }
        if answer.status == 200, request.method == .get { return .tagged(json, as: "application/json", for: request) }
        return Response(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: json)))
    }

    private static func parameters(_ context: APIContext) throws -> [String: String] {
        var found: [String: String] = [:]
        for (key, value) in context.parameters {
            guard let text = String(value).removingPercentEncoding, text.utf8.count <= 300 else {
                throw Problem(400, "badRequest", "\(key) is not valid")
            }
            found[String(key)] = text
        }
        return found
    }

    private static func query(_ request: Request) -> [String: String] {
        var found: [String: String] = [:]
        for (key, value) in request.uri.queryParameters where found[String(key)] == nil {
            found[String(key)] = String(value)
        }
        return found
    }
}
