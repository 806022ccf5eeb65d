import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Testing

@testable import HTTP

/// What a declared route takes, gives and refuses.
@Suite struct RouteTests {
    enum Colour: String, Codable, CaseIterable, Sendable { case red, green }

    struct Query: Decodable, Documented, Sendable {
        var q: String?
        var colour: Colour?
        var limit: Int?
        static let fields = [
            "q": Field("Words.", lengths: 0...5), "limit": Field("At most so many.", range: 1...20, usual: "10"),
        ]
    }

    struct Thing: Codable, Documented, Sendable {
        var name: String
        var count: Int
        var made: Date?
        static let example: String? = #"{"name":"a","count":1}"#
    }

    static let number = PathParameter<Int64>(number: "id", "The number.")

    private static let routes: [Route] = [
        Route(.get, "things", for: .guest, "Things", query: Query.self, gives: [200: "Things."]) { _, query in
            ["\(query.q ?? "-") \(query.colour?.rawValue ?? "-") \(query.limit ?? 10)"]
        },
        Route(.get, "things/\(number)", for: .guest, "A thing", gives: [200: "The thing."]) { call in
            Thing(name: "n", count: Int(try call[number]), made: Date(timeIntervalSince1970: 0))
        },
        Route(
            .post, "things", for: .adult, "Adds", body: Thing.self, gives: [200: "Known.", 201: "New."]
        ) { _, thing in Answered(thing.count > 0 ? 201 : 200, thing) },
        Route(.delete, "things/\(number)", for: .adult, "Removes", gives: [204: "Removed."]) { call in
            guard try call[number] == 1 else { throw NoThing() }
            return Nothing()
        },
        Route(.get, "stored", for: .guest, "As stored", gives: [200: "Bytes."]) { _ in
            StoredJSON<Thing>(Data(#"{"count": 1,"name":"b"}"#.utf8))
        },
        Route(.get, "private", for: .guest, "Private", gives: [200: "Private."]) { _ in ["secret"] }.unstored(),
        .ended(.get, "former", "use GET /things"),
    ]

    /// An error of a feature.
    struct NoThing: AppError {
        var problem: Problem { Problem(404, "notFound", "no such thing") }
    }

    private struct Reply {
        var status: Int
        var text: String
        var headers: HTTPFields
    }

    private static func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", headers: HTTPFields = [:]
    ) async throws -> Reply {
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
        let server = APIServer(APISettings(token: "k"), probe: probe, routes: routes, logger: Logger(label: "test"))
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:1", path: path)
        head.headerFields = headers
        head.headerFields[.authorization] = "Bearer k"
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await server.router().buildResponder().respond(
            to: Request(head: head, body: .init(buffer: .init(string: body))), context: APIContext(source: source))
        let writer = TextWriter()
        try await response.body.write(writer)
        return Reply(status: response.status.code, text: writer.text, headers: response.headers)
    }

    /// Collects a body.
    private final class TextWriter: ResponseBodyWriter {
        private(set) var text = ""
        func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test func `parameters after the question mark are typed, and empty ones are left out`() async throws {
        #expect(try await Self.send(.get, "/things?q=a&colour=red&limit=3").text == #"["a red 3"]"#)
        #expect(try await Self.send(.get, "/things?q=&colour=&limit=").text == #"["- - 10"]"#)
    }

    @Test(arguments: [
        ("limit=0", "limit must be a number from 1 to 20"), ("limit=x", "limit must be a number from 1 to 20"),
        ("colour=blue", "colour must be one of red, green"), ("q=abcdef", "q must be at most 5 characters"),
    ])
    func `a wrong parameter is named with its valid values`(_ query: String, _ detail: String) async throws {
        let reply = try await Self.send(.get, "/things?\(query)")
        #expect(reply.status == 400)
        #expect(reply.text.contains(detail), "\(reply.text)")
    }

    @Test func `a number in the path is typed, and other text is not found`() async throws {
        #expect(try await Self.send(.get, "/things/7").text.contains(#""count":7"#))
        #expect(try await Self.send(.get, "/things/7").text.contains(#""made":"1970-01-01T00:00:00Z""#))
        for other in ["0", "x", "-1", "99999999999999999999"] {
            #expect(try await Self.send(.get, "/things/\(other)").status == 404)
        }
    }

    @Test func `a value names its status, and the lowest stands for one that names none`() async throws {
        #expect(try await Self.send(.post, "/things", #"{"name":"a","count":1}"#).status == 201)
        #expect(try await Self.send(.post, "/things", #"{"name":"a","count":0}"#).status == 200)
        #expect(try await Self.send(.delete, "/things/1").status == 204)
    }

    @Test(arguments: [
        ("", "the body is not JSON"), (#"{"name":"a"}"#, "count is missing or wrong"),
        (#"{"name":1,"count":1}"#, "name is missing or wrong"),
    ])
    func `a wrong body is refused with its key and an example`(_ body: String, _ detail: String) async throws {
        let reply = try await Self.send(.post, "/things", body)
        #expect(reply.status == 400)
        #expect(reply.text.contains(detail) && reply.text.contains("send {"), "\(reply.text)")
    }

    @Test func `a body above the limit is refused`() async throws {
        #expect(try await Self.send(.post, "/things", String(repeating: " ", count: 65_537)).status == 413)
    }

    @Test func `an error of a feature is answered as its problem`() async throws {
        let reply = try await Self.send(.delete, "/things/2")
        #expect(reply.status == 404)
        #expect(reply.text.contains("no such thing"))
        #expect(reply.text.contains(#""title":"Not Found""#))
    }

    @Test func `stored bytes are sent unchanged, with a tag that saves the next answer`() async throws {
        let reply = try await Self.send(.get, "/stored")
        #expect(reply.text == #"{"count": 1,"name":"b"}"#)
        let tag = try #require(reply.headers[.eTag])
        #expect(try await Self.send(.get, "/stored", headers: [.ifNoneMatch: tag]).status == 304)
    }

    @Test func `private answers are not stored, and a former route says what replaces it`() async throws {
        #expect(try await Self.send(.get, "/private").headers[.cacheControl] == "private, no-store")
        let former = try await Self.send(.get, "/former")
        #expect(former.status == 410)
        #expect(former.text.contains("use GET /things"))
    }

    @Test func `the description has what the routes declare`() throws {
        let json = try JSONSerialization.jsonObject(with: try APIDescription(Self.routes).json)
        let document = try #require(json as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(paths.keys) == ["/things", "/things/{id}", "/stored", "/private", "/former"])
        let list = try #require(paths["/things"]?["get"])
        let parameters = try #require(list["parameters"] as? [[String: Any]])
        #expect(parameters.compactMap { $0["name"] as? String } == ["colour", "limit", "q"])
        let limit = try #require(parameters[1]["schema"] as? [String: Any])
        #expect(limit["maximum"] as? Int == 20 && limit["default"] as? Int == 10)
        let colour = try #require(parameters[0]["schema"] as? [String: Any])
        #expect(colour["enum"] as? [String] == ["red", "green"])
        #expect(paths["/former"]?["get"]?["deprecated"] as? Bool == true)
        let answers = try #require(paths["/things"]?["post"]?["responses"] as? [String: Any])
        #expect(Set(answers.keys) == ["200", "201", "400", "401", "403", "413", "500"])
        let components = try #require(document["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        #expect(schemas["Thing"]?["required"] as? [String] == ["count", "name"])
    }

    @Test func `a type that shows no schema is named`() {
        struct Closed: Encodable, Sendable {}
        let route = Route(.get, "closed", for: .guest, "Closed", gives: [200: "Closed."]) { _ in Closed() }
        let error = #expect(throws: (any Error).self) { try APIDescription([route]) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("Closed"))
    }
}
