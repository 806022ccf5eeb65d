import HTTP
import Foundation
import HTTPTypes
import Hummingbird

/// One line of the history.
struct APIHistoryItem: Sendable, Codable {
    /// Nil if the content could not be read.
    var id: String?
    var path: String
    /// When it was read, ISO 8601.
    var read: String
    var title: String?
    var status: String
    var reason: String?
    var domains: [String]
    var level: String
    var dishes: Int
    /// Number of dishes, labels and products by their most serious verdict.
    var worst: [String: Int]
    /// The verdicts that occur, by person.
    var people: [String: [String]]
    var contradiction: Bool

    init(
        id: String?, path: String, read: String, title: String?, status: String, reason: String?, domains: [String],
        level: String, dishes: Int, worst: [String: Int], people: [String: [String]], contradiction: Bool
    ) {
        self.id = id
        self.path = path
        self.read = read
        self.title = title
        self.status = status
        self.reason = reason
        self.domains = domains
        self.level = level
        self.dishes = dishes
        self.worst = worst
        self.people = people
        self.contradiction = contradiction
    }
}

/// What is searched for. Nil means any; the values are those of outcomes.
struct APIHistoryQuery: Sendable, Hashable {
    var words = ""
    var domain, status, level, person, verdict: String?
    /// ISO 8601, `2026-11-08` or with a time.
    var since, until: String?
    /// Continues after this page.
    var cursor: String?
    var limit = 20

    init() {}

    static let mostItems = 100

    /// - Throws: ``Problem`` (400) for a limit out of range.
    init(_ request: Request) throws {
        let query = request.uri.queryParameters
        func value(_ name: String) -> String? {
            query[Substring(name)].map { String($0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        words = value("q") ?? ""
        guard words.utf8.count <= 200 else { throw Problem(400, "badRequest", "q must have at most 200 bytes") }
        (domain, status, level) = (value("domain"), value("status"), value("level"))
        (person, verdict) = (value("person"), value("verdict"))
        (since, until, cursor) = (value("since"), value("until"), value("cursor"))
        if let text = value("limit") {
            guard let number = Int(text), (1...Self.mostItems).contains(number) else {
                throw Problem(400, "badRequest", "limit must be a number from 1 to \(Self.mostItems)")
            }
            limit = number
        }
    }
}

/// A page of the history.
struct APIHistoryPage: Sendable {
    var items: [APIHistoryItem]
    /// Number of all matches.
    var total: Int
    /// Continues after the last item; nil on the last page.
    var next: String?

    init(items: [APIHistoryItem], total: Int, next: String?) {
        self.items = items
        self.total = total
        self.next = next
    }
}

/// `GET /v1/history` and `GET /v1/outcomes`: what was read, newest first, in pages.
struct HistoryRoutes: APIRoutes {
    private let page: @Sendable (APIHistoryQuery) async throws -> APIHistoryPage
    private let outcome: @Sendable (String) async throws -> Data?

    /// - Parameters:
    ///   - page: finds a page; throws ``Problem`` (400) for an unknown value or cursor.
    ///   - outcome: the outcome of a content as JSON.
    init(
        page: @escaping @Sendable (APIHistoryQuery) async throws -> APIHistoryPage,
        outcome: @escaping @Sendable (String) async throws -> Data?
    ) {
        self.page = page
        self.outcome = outcome
    }

    private struct Page: Codable {
        var items: [APIHistoryItem]
        var total: Int
        var next: String?
    }

    func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/history") { request, _ in
            let found = try await page(try APIHistoryQuery(request))
            var response = try Response.json(Page(items: found.items, total: found.total, next: found.next))
            response.headers[.link] = link(request, found.next)
            return response
        }
        routes.get("v1/outcomes") { request, _ in
            let found = try await page(try APIHistoryQuery(request))
            var body = Data("{\"items\":[".utf8)
            var isFirst = true
            for id in found.items.compactMap(\.id) {
                guard let json = try await outcome(id) else { continue }
                if !isFirst { body.append(UInt8(ascii: ",")) }
                body.append(json)
                isFirst = false
            }
            body.append(Data("],\"total\":\(found.total)".utf8))
            if let next = found.next { body.append(Data(",\"next\":\"\(next)\"".utf8)) }
            body.append(UInt8(ascii: "}"))
            var response = Response(
                status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: .init(data: body)))
            response.headers[.link] = link(request, found.next)
            return response
        }
    }

    /// The address of the next page, with the other parameters unchanged.
    private func link(_ request: Request, _ next: String?) -> String? {
        guard let next else { return nil }
        let others = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
        let query = (others.map(String.init) + ["cursor=\(next)"]).joined(separator: "&")
        return "<\(request.uri.path)?\(query)>; rel=\"next\""
    }
}

extension HTTPField.Name {
    static let link: HTTPField.Name = HTTPField.Name("Link") ?? .location
}
