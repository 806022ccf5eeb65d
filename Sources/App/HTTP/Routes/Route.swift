import Core
import Foundation
import HTTPTypes
import Hummingbird

/// One route of the app: who may use it, what it takes and what it gives. It is declared once; the server, the rights and
/// the API's description follow from the declaration.
package struct Route: Sendable {
    /// What a request may have besides its path and query, for the API's description.
    struct Header: Sendable {
        var name: String
        var about: String?
        var schema: Schema
    }

    struct Body: Sendable {
        /// Content types with the schema's type; nil for bytes.
        var content: [(type: String, schema: Schema?)]
        var type: Any.Type?
        var isRequired = true
    }

    struct Answer: Sendable {
        var about: String
        var contentType: String?
        var type: Any.Type?
        /// Content types that it may have instead.
        var otherTypes: [String] = []
        var headers: [Header] = []
    }

    let method: HTTPRequest.Method
    let path: RoutePath
    /// The least role that may use it; nil for a route that needs no token.
    let least: Identity.Role?
    /// One line for the API's description; nil for pages, which are not described.
    let summary: String?
    var query: Any.Type?
    var headers: [Header] = []
    var body: Body?
    var answers: [Int: Answer] = [:]
    /// Statuses of problems besides those that every route has.
    var refusals: [Int: String] = [:]
    /// True for a route that only says what replaces it.
    var isDeprecated = false
    /// False for answers that no browser stores.
    private(set) var isStored = true
    /// A cookie that answers delete.
    private var deletedCookie: String?
    private let handler: @Sendable (Call) async throws -> Response

    /// Largest JSON body, where a route names no other limit, bytes.
    package static let mostBytes = 64 << 10

    private init(
        _ method: HTTPRequest.Method, _ path: RoutePath, _ least: Identity.Role?, _ summary: String?,
        handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.least = least
        self.summary = summary
        self.handler = handler
    }

    /// A page, or a form of a page. It is not part of the API's description.
    ///
    /// - Parameter least: the least role that may see it; nil for a page without sign-in.
    package static func page(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        Route(method, path, least, nil, handler: handler)
    }

    /// A route with JSON that takes nothing but its path.
    ///
    /// - Parameters:
    ///   - gives: statuses with what they say; the lowest is that of an answer that names none.
    ///   - refuses: statuses of problems with when they occur.
    package init<Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?, _ summary: String,
        gives: [Int: String], refuses: [Int: String] = [:], _ handler: @escaping @Sendable (Call) async throws -> Value
    ) {
        let usual = gives.keys.min() ?? 200
        self.init(method, path, least, summary) { call in
            try Response.answer(try await handler(call), usual: usual, to: call.request)
        }
        declare(Value.self, gives, refuses)
    }

    /// A route with JSON that takes the parameters after the question mark.
    package init<Query: Decodable & Sendable, Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?, _ summary: String,
        query: Query.Type, gives: [Int: String], refuses: [Int: String] = [:],
        _ handler: @escaping @Sendable (Call, Query) async throws -> Value
    ) {
        let usual = gives.keys.min() ?? 200
        self.init(method, path, least, summary) { call in
            let query = try QueryDecoder.decode(query, from: call.request)
            return try Response.answer(try await handler(call, query), usual: usual, to: call.request)
        }
        self.query = query
        declare(Value.self, gives, refuses)
    }

    /// A route with JSON that takes a JSON body.
    ///
    /// - Parameter most: largest body, bytes.
    package init<Body: Decodable & Sendable, Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?, _ summary: String,
        body: Body.Type, upTo most: Int = Route.mostBytes, gives: [Int: String], refuses: [Int: String] = [:],
        _ handler: @escaping @Sendable (Call, Body) async throws -> Value
    ) {
        let usual = gives.keys.min() ?? 200
        self.init(method, path, least, summary) { call in
            let body = try await call.body(body, upTo: most)
            return try Response.answer(try await handler(call, body), usual: usual, to: call.request)
        }
        self.body = .init(content: [("application/json", nil)], type: body)
        declare(Value.self, gives, refuses)
    }

    /// A route whose answer is no JSON: a picture, a file, a stream.
    ///
    /// - Parameter gives: the content type and what it is.
    package init(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?, _ summary: String,
        gives: (type: String, about: String), refuses: [Int: String] = [:],
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.init(method, path, least, summary, handler: handler)
        answers = [200: Answer(about: gives.about, contentType: gives.type)]
        refusals = refuses
    }

    private mutating func declare(_ value: Any.Type, _ gives: [Int: String], _ refuses: [Int: String]) {
        let type = (value as? any SpecialAnswer.Type).map { $0.bodyType } ?? value
        answers = gives.mapValues { Answer(about: $0, contentType: type == nil ? nil : "application/json", type: type) }
        refusals = refuses
    }

    // MARK: Further declarations

    private func changed(_ change: (inout Route) -> Void) -> Route {
        var route = self
        change(&route)
        return route
    }

    /// Names the parameters after the question mark of a route that reads them itself.
    package func taking(query: any Decodable.Type) -> Route { changed { $0.query = query } }

    package func taking(header name: String, _ about: String?, schema: Schema) -> Route {
        changed { $0.headers.append(Header(name: name, about: about, schema: schema)) }
    }

    /// Names a body that is no JSON, or an optional one.
    package func taking(body content: [(type: String, schema: Schema)], isRequired: Bool = true) -> Route {
        changed { $0.body = Body(content: content.map { ($0.type, $0.schema) }, isRequired: isRequired) }
    }

    package func giving(header name: String, _ about: String, schema: Schema, with status: Int) -> Route {
        changed { $0.answers[status]?.headers.append(Header(name: name, about: about, schema: schema)) }
    }

    /// Names another answer that is no JSON.
    ///
    /// - Parameter contentType: nil for an answer without a body.
    package func giving(_ contentType: String?, with status: Int, _ about: String) -> Route {
        changed { $0.answers[status] = Answer(about: about, contentType: contentType) }
    }

    /// Names the type of the JSON that a route answers by itself.
    package func giving(_ type: Any.Type, with status: Int, _ about: String) -> Route {
        changed { $0.answers[status] = Answer(about: about, contentType: "application/json", type: type) }
    }

    /// A route of an earlier version that answers 410.
    package static func ended(_ method: HTTPRequest.Method, _ path: RoutePath, _ detail: String) -> Route {
        var route = Route(method, path, .guest, "Ended: says what replaces it") { _ in
            throw Problem(410, "ended", detail)
        }
        route.refusals = [410: "Ended; the detail says what replaces it."]
        route.isDeprecated = true
        return route
    }

    package func giving(alsoAs contentType: String, with status: Int) -> Route {
        changed { $0.answers[status]?.otherTypes.append(contentType) }
    }

    package func deleting(cookie name: String) -> Route { changed { $0.deletedCookie = name } }

    /// The same route with answers that no browser stores: they are private to one person. They have no entity tag.
    package func unstored() -> Route { changed { $0.isStored = false } }

    // MARK: Answering

    /// Answers whoever may use the route.
    ///
    /// - Parameter refusalPage: answers a browser whose user may not see the page.
    func answer(
        _ call: Call, refusalPage: (@Sendable (Call) async throws -> Response)?
    ) async throws -> Response {
        guard let least else { return try await handle(call) }
        guard let identity = call.context.identity, identity.role >= least else {
            if call.request.method == .get, call.request.accepts(html: true), let refusalPage {
                return try await refusalPage(call)
            }
            throw Problem(
                403, "forbidden",
                call.context.identity?.member == nil && call.context.identity != nil
                    ? "say who uses this device: PUT /v1/session with {\"member\":\"…\"}"
                    : "this needs an adult of the household")
        }
        return try await handle(call)
    }

    private func handle(_ call: Call) async throws -> Response {
        var response = try await handler(isStored ? call : call.unconditional)
        if !isStored {
            response.headers[.cacheControl] = "private, no-store"
            response.headers[.eTag] = nil
        }
        if let deletedCookie { response.setCookie(deletedCookie, "", seconds: 0, for: call.request) }
        return response
    }
}
