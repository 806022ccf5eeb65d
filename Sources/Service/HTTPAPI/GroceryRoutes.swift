import Foundation
import HTTPTypes
import Hummingbird

/// A request about accounts, lists and prices.
public struct GroceryRequest: Sendable {
    /// What is asked; one for each route, in groups that are answered together.
    public enum Operation: Sendable, Hashable {
        case account(AccountOperation)
        case list(ListOperation)
        case item(ItemOperation)
        case price(PriceOperation)
        case place(PlaceOperation)
        case experience(ExperienceOperation)
    }

    public enum AccountOperation: Sendable, Hashable {
        case accounts, createAccount, account, exportAccount, eraseAccount, changePassword, session
        case openSession, closeSession
    }

    public enum ListOperation: Sendable, Hashable {
        case lists, createList, list, removeList, shareList, unshareList, undo, sweep, compare
    }

    public enum ItemOperation: Sendable, Hashable {
        case items, addItem, changeItem, removeItem, moveItem
    }

    public enum PriceOperation: Sendable, Hashable {
        case prices, addPrice, priceReviews, decidePrice, photoPrices
    }

    public enum PlaceOperation: Sendable, Hashable {
        case places, addPlace, markPlace, groceryProducts, setTags
    }

    public enum ExperienceOperation: Sendable, Hashable {
        case experiences, postExperience, comment
    }

    public var operation: Operation
    /// The token of the session; nil without one.
    public var session: String?
    /// The parameters of the path, decoded.
    public var path: [String: String]
    /// The parameters of the query, the first of each name.
    public var query: [String: String]
    public var body: Data
    /// Who guesses a password.
    public var guesser: String
}

/// The answer to a request about accounts, lists and prices.
public struct GroceryAnswer: Sendable {
    public var status: Int
    /// JSON; nil without a body.
    public var json: Data?
    /// The token of a new session, empty for a closed one; nil leaves the cookie.
    public var session: String?

    public init(status: Int = 200, json: Data? = nil, session: String? = nil) {
        self.status = status
        self.json = json
        self.session = session
    }
}

/// What the routes of lists and prices need of the daemon.
public protocol APIGroceries: Sendable {
    /// - Throws: ``Problem`` that names the wrong value.
    func answer(_ request: GroceryRequest) async throws -> GroceryAnswer
}

/// `/v1/accounts`, `/v1/session`, `/v1/lists`, `/v1/items`, `/v1/prices`, `/v1/places`, `/v1/compare`,
/// `/v1/experiences` and `/v1/goods`.
///
/// They need the daemon's token like all routes. What belongs to a person needs a session as well: the header
/// `X-Tablesight-Session` or the cookie `tablesight-session`.
public struct GroceryRoutes: APIRoutes {
    private let groceries: any APIGroceries

    public init(_ groceries: any APIGroceries) { self.groceries = groceries }

    private static let mostBytes = 64 << 10
    static let cookieName = "tablesight-session"
    public static let header = "X-Tablesight-Session"

    private static let routes: [(HTTPRequest.Method, String, GroceryRequest.Operation)] = [
        (.get, "v1/accounts", .account(.accounts)), (.post, "v1/accounts", .account(.createAccount)),
        (.get, "v1/accounts/me", .account(.account)),
        (.get, "v1/accounts/me/export", .account(.exportAccount)), (.delete, "v1/accounts/me", .account(.eraseAccount)),
        (.put, "v1/accounts/me/password", .account(.changePassword)),
        (.get, "v1/session", .account(.session)), (.post, "v1/session", .account(.openSession)),
        (.delete, "v1/session", .account(.closeSession)),
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

    public func add(to routes: RouterGroup<APIContext>) {
        for (method, path, operation) in Self.routes {
            routes.on("\(path)", method: method) { [groceries] request, context in
                let asked = GroceryRequest(
                    operation: operation, session: Self.session(of: request), path: try Self.parameters(context),
                    query: Self.query(request),
                    body: [.post, .put, .patch, .delete].contains(method)
                        ? try await request.bytes(upTo: Self.mostBytes) : Data(),
                    guesser: context.guesser(request))
                let answer = try await groceries.answer(asked)
                return Self.response(answer, to: request)
            }
        }
    }

    private static func response(_ answer: GroceryAnswer, to request: Request) -> Response {
        guard let json = answer.json else { return cookied(Response(status: .noContent), answer, request) }
        if answer.status == 200, request.method == .get { return .tagged(json, as: "application/json", for: request) }
        let response = Response(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: json)))
        return cookied(response, answer, request)
    }

    private static func cookied(_ response: Response, _ answer: GroceryAnswer, _ request: Request) -> Response {
        answer.session.map { response.keeping(session: $0, for: request) } ?? response
    }

    /// The token of the request's session; nil without one.
    public static func session(of request: Request) -> String? {
        let name = HTTPField.Name(header)
        let token = name.flatMap { request.headers[$0] } ?? request.cookies[cookieName]?.value
        return token.flatMap { (20...100).contains($0.utf8.count) ? $0 : nil }
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

extension Response {
    /// With the cookie of a session; an empty token ends it.
    public func keeping(session: String, for request: Request) -> Response {
        var response = self
        response.setCookie(GroceryRoutes.cookieName, session, seconds: 90 * 86_400, for: request)
        return response
    }
}
