import Foundation
import HTTPTypes
import Hummingbird

/// A request about accounts, lists and prices.
public struct GroceryRequest: Sendable {
    /// What is asked; one for each route.
    public enum Operation: String, Sendable, CaseIterable {
        case accounts, createAccount, account, exportAccount, eraseAccount, changePassword
        case session, openSession, closeSession
        case lists, createList, list, removeList, shareList, unshareList, undo, sweep
        case items, addItem, changeItem, removeItem, moveItem
        case prices, addPrice, priceReviews, decidePrice, photoPrices
        case places, addPlace, markPlace, compare, groceryProducts, setTags
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
    private static let cookieName = "tablesight-session"
    public static let header = "X-Tablesight-Session"

    private static let routes: [(HTTPRequest.Method, String, GroceryRequest.Operation)] = [
        (.get, "v1/accounts", .accounts), (.post, "v1/accounts", .createAccount), (.get, "v1/accounts/me", .account),
        (.get, "v1/accounts/me/export", .exportAccount), (.delete, "v1/accounts/me", .eraseAccount),
        (.put, "v1/accounts/me/password", .changePassword),
        (.get, "v1/session", .session), (.post, "v1/session", .openSession), (.delete, "v1/session", .closeSession),
        (.get, "v1/lists", .lists), (.post, "v1/lists", .createList), (.get, "v1/lists/{id}", .list),
        (.delete, "v1/lists/{id}", .removeList), (.put, "v1/lists/{id}/people/{name}", .shareList),
        (.delete, "v1/lists/{id}/people/{name}", .unshareList), (.post, "v1/lists/{id}/undo", .undo),
        (.post, "v1/lists/{id}/sweep", .sweep), (.get, "v1/items", .items), (.post, "v1/items", .addItem),
        (.patch, "v1/items/{id}", .changeItem), (.delete, "v1/items/{id}", .removeItem),
        (.post, "v1/items/{id}/move", .moveItem), (.get, "v1/prices", .prices), (.post, "v1/prices", .addPrice),
        (.get, "v1/prices/reviews", .priceReviews), (.post, "v1/prices/reviews/{id}", .decidePrice),
        (.post, "v1/prices/photos/{id}", .photoPrices), (.get, "v1/places", .places), (.post, "v1/places", .addPlace),
        (.patch, "v1/places/{id}", .markPlace), (.get, "v1/compare", .compare), (.get, "v1/goods", .groceryProducts),
        (.put, "v1/goods/{id}/tags", .setTags), (.get, "v1/experiences", .experiences),
        (.post, "v1/experiences", .postExperience), (.post, "v1/experiences/{id}/comments", .comment),
    ]

    public func add(to routes: RouterGroup<APIContext>) {
        for (method, path, operation) in Self.routes {
            routes.on("\(path)", method: method) { [groceries] request, context in
                let asked = GroceryRequest(
                    operation: operation, session: Self.session(of: request), path: try Self.parameters(context),
                    query: Self.query(request),
                    body: [.post, .put, .patch, .delete].contains(method) ? try await Self.body(request) : Data())
                let answer = try await groceries.answer(asked)
                return Self.response(answer, to: request)
            }
        }
    }

    private static func response(_ answer: GroceryAnswer, to request: Request) -> Response {
        guard let json = answer.json else { return cookied(Response(status: .noContent), answer) }
        if answer.status == 200, request.method == .get { return .tagged(json, as: "application/json", for: request) }
        let response = Response(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: json)))
        return cookied(response, answer)
    }

    private static func cookied(_ response: Response, _ answer: GroceryAnswer) -> Response {
        guard let session = answer.session else { return response }
        var response = response
        response.headers[.setCookie] = cookie(session)
        return response
    }

    /// The cookie of a session; an empty token ends it.
    public static func cookie(_ token: String) -> String {
        "\(cookieName)=\(token); Path=/; Max-Age=\(token.isEmpty ? 0 : 90 * 86_400); HttpOnly; SameSite=Strict"
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

    private static func body(_ request: Request) async throws -> Data {
        do {
            let buffer = try await request.body.collect(upTo: mostBytes)
            return Data(buffer.readableBytesView)
        } catch {
            throw Problem(413, "tooLarge", "the body is too large", limitBytes: mostBytes)
        }
    }
}
