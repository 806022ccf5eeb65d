import Foundation
import Synchronization
import TestSupport
import Testing
import Core

@testable import Catalogue

/// Rules of requests to another server, with a test server and a test clock.
@Suite struct RemoteCatalogueTests {
    /// Gives its answers in turn and repeats the last one; records the requests.
    private final class Server: RemoteTransport {
        private let state: Mutex<(asked: [URL], agents: [String], replies: [Result<RemoteReply, RemoteFailure>])>

        init(_ replies: Result<RemoteReply, RemoteFailure>...) { state = Mutex(([], [], replies)) }

        func get(_ url: URL, userAgent: String, timeout: Duration) async throws(RemoteFailure) -> RemoteReply {
            let reply = state.withLock { state in
                state.asked.append(url)
                state.agents.append(userAgent)
                return state.replies.count > 1 ? state.replies.removeFirst() : state.replies[0]
            }
            return try reply.get()
        }

        var asked: [URL] { state.withLock { $0.asked } }
        var agents: [String] { state.withLock { $0.agents } }
    }

    /// Sleeping advances the clock at once.
    private final class Clock: Sendable {
        private let state = Mutex((now: Date(timeIntervalSince1970: 1_800_000_000), slept: [Double]()))

        var system: RemoteClock {
            RemoteClock(
                now: { self.state.withLock { $0.now } },
                sleep: { pause in
                    self.state.withLock {
                        $0.slept.append(pause / .seconds(1))
                        $0.now += pause / .seconds(1)
                    }
                }, spread: { 1 })
        }

        var slept: [Double] { state.withLock { $0.slept } }
        func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }
    }

    private let folder: TemporaryFolder
    private let clock = Clock()
    private let gtin: GTIN

    init() throws {
        folder = try TemporaryFolder()
        gtin = try #require(GTIN("3017620422003"))
    }

    private func remote(_ server: Server, patience: Duration = .seconds(10)) throws -> RemoteCatalogue {
        let settings = try RemoteSettings(
            address: "https://food.example", contact: "cook@kitchen.example", patience: patience)
        return RemoteCatalogue(settings, keptIn: Catalogue(folder: folder.url), transport: server, clock: clock.system)
    }

    private static func product(_ code: String = "3017620422003", name: String = "Spread") -> RemoteReply {
        let body = """
            {"code":"\(code)","status":1,"product":{"code":"\(code)","product_name":"\(name)","brands":"Examplia",\
            "allergens_tags":["en:milk"],"nutriments":{"energy-kcal_100g":539},"last_modified_t":1700000000}}
            """
        return RemoteReply(status: 200, body: Data(body.utf8))
    }

    @Test func `a product is requested once, with program name and contact, and cached with its age`() async throws {
        let server = Server(.success(Self.product()))
        let remote = try remote(server)
        let first = await remote.product(gtin)
        #expect(first.product?.name == "Spread")
        #expect(first.product?.nutrients.energyKcal == 539)
        #expect(first.product?.trust == .crowd)
        #expect(!first.isCached)
        clock.pass(86_400 * 3)
        let second = await remote.product(gtin)
        #expect(second.isCached && second.failure == nil)
        #expect(second.product?.retrieved == 1_800_000_000)
        #expect(server.asked.map(\.path) == ["/api/v2/product/3017620422003"])
        #expect(server.asked.allSatisfy { $0.query?.contains("allergens_tags") == true })
        #expect(server.agents == ["Tablesight/\(ProgramVersion.current) (cook@kitchen.example)"])
        // The cached record is also found without a request.
        let found = try Catalogue(folder: folder.url).product(gtin)
        #expect(found?.retrievedDay == "2027-01-15")
        #expect(found.map { FoodItem($0, asOf: clock.system.now()).retrieved } == "2027-01-15")
    }

    @Test func `a record is refreshed after a week, and without an answer the cached one is used and marked`()
        async throws
    {
        let server = Server(.success(Self.product()), .failure(.unreachable("no network")))
        let remote = try remote(server)
        _ = await remote.product(gtin)
        clock.pass(8 * 86_400)
        let later = await remote.product(gtin)
        #expect(later.product?.name == "Spread")
        #expect(later.isCached)
        #expect(later.failure == .unreachable("no network"))
        #expect(server.asked.count == 2)
    }

    @Test func `an unknown number is requested at most once a day`() async throws {
        let server = Server(.success(RemoteReply(status: 404, body: Data(#"{"status":0}"#.utf8))))
        let remote = try remote(server)
        let first = await remote.product(gtin)
        #expect(first.product == nil && first.failure == nil)
        _ = await remote.product(gtin)
        #expect(server.asked.count == 1)
        clock.pass(86_401)
        _ = await remote.product(gtin)
        #expect(server.asked.count == 2)
        #expect(clock.slept.isEmpty)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `a busy server is tried three times with doubling pauses and then not contacted`(status: Int) async throws {
        let server = Server(.success(RemoteReply(status: status)))
        let remote = try remote(server)
        #expect(await remote.product(gtin).failure == .status(status))
        #expect(server.asked.count == 3)
        // 0.6 s and its double, each a fifth longer by the test's spread.
        #expect(clock.slept.map { ($0 * 100).rounded() / 100 } == [0.72, 1.44])
        #expect(await remote.product(gtin).failure == .resting)
        #expect(server.asked.count == 3)
        clock.pass(61)
        _ = await remote.product(gtin)
        #expect(server.asked.count == 6)
    }

    @Test func `a pause that the server requests holds for all programs`() async throws {
        let server = Server(.success(RemoteReply(status: 503, retryAfter: 300)))
        #expect(await (try remote(server)).product(gtin).failure == .status(503))
        #expect(server.asked.count == 1)
        clock.pass(299)
        #expect(await (try remote(server)).product(gtin).failure == .resting)
        clock.pass(2)
        _ = await (try remote(server)).product(gtin)
        #expect(server.asked.count == 2)
    }

    @Test func `an answer after a failed attempt is used`() async throws {
        let server = Server(.success(RemoteReply(status: 503)), .success(Self.product()))
        #expect(await (try remote(server)).product(gtin).product?.name == "Spread")
        #expect(server.asked.count == 2)
    }

    @Test(arguments: [301, 400, 401, 403, 410])
    func `other statuses are not retried`(status: Int) async throws {
        let server = Server(.success(RemoteReply(status: status)))
        #expect(await (try remote(server)).product(gtin).failure == .status(status))
        #expect(server.asked.count == 1)
    }

    @Test(arguments: [
        "", "<html>", "[]", "{}", #"{"status":1}"#, #"{"status":1,"product":[]}"#, "{\"status\":1,\"product\":{",
        #"{"status":1,"product":{"code":"9520100001017","product_name":"Another"}}"#,
    ])
    func `an answer with another product is rejected and not cached`(body: String) async throws {
        let server = Server(.success(RemoteReply(status: 200, body: Data(body.utf8))))
        let answer = await (try remote(server)).product(gtin)
        #expect(answer.product == nil && answer.failure == .garbled)
        #expect(try Catalogue(folder: folder.url).product(gtin) == nil)
    }

    @Test(arguments: ["2012345678903", "9780306406157", "0201234015994"])
    func `restricted numbers are never requested`(text: String) async throws {
        let server = Server(.success(Self.product()))
        let number = try #require(GTIN(text))
        #expect(await (try remote(server)).product(number).failure == .restricted)
        #expect(server.asked.isEmpty)
    }

    @Test func `limits of 15 products and 10 searches per minute include retries and all programs`()
        async throws
    {
        let server = Server(.success(RemoteReply(status: 404)))
        let numbers = (0..<20).compactMap { number in
            (0...9).lazy.compactMap { GTIN("30176204\(2000 + number)\($0)") }.first
        }
        #expect(numbers.count == 20)
        for number in numbers.prefix(15) {
            #expect(await (try remote(server)).product(number).failure == nil)
        }
        let impatient = try remote(server, patience: .seconds(5))
        #expect(await impatient.product(numbers[15]).failure == .budgetSpent)
        #expect(server.asked.count == 15)
        // With enough time a request waits until a minute after the first.
        let patient = try remote(server, patience: .seconds(90))
        #expect(await patient.product(numbers[16]).failure == nil)
        #expect(clock.slept.map { $0.rounded() } == [60])
        clock.pass(61)
        let finder = Server(.success(RemoteReply(status: 200, body: Data(#"{"products":[]}"#.utf8))))
        for _ in 0..<10 { #expect(try await remote(finder).search("spread", limit: 5).isEmpty) }
        await #expect(throws: RemoteFailure.budgetSpent) { try await remote(finder).search("spread", limit: 5) }
    }

    @Test func `each product of a search is cached`() async throws {
        let body = """
            {"count":2,"products":[{"code":"3017620422003","product_name":"Spread"},{"code":"1","product_name":"No number"}]}
            """
        let server = Server(.success(RemoteReply(status: 200, body: Data(body.utf8))))
        let found = try await remote(server).search("spread", limit: 5)
        #expect(found.map(\.name) == ["Spread"])
        #expect(try Catalogue(folder: folder.url).product(gtin)?.name == "Spread")
        #expect(server.asked.first?.path == "/cgi/search.pl")
    }

    @Test(
        arguments: [
            ("http://food.example", "a@b.example"), ("ftp://food.example", "a@b.example"),
            ("https://food.example/x", "a@b.example"),
            ("https://food.example", nil), ("https://food.example", ""), ("https://food.example", "nobody"),
            ("https://food.example", "a@b.example)\r\nX: y"),
        ] as [(String, String?)])
    func `an address without https and an invalid contact are refused at the start`(address: String, contact: String?) {
        #expect {
            try RemoteSettings(address: address, contact: contact)
        } throws: { ($0 as? StartupError)?.exitCode == .configuration }
    }
}
