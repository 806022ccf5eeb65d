import Catalogue
import Core
import Diary
import Foundation
import GRDB
import HTTPTypes
import Household
import Hummingbird
import Intake
import Logging
import NIOCore
import NIOEmbedded
import ReadJobs
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import HTTP
@testable import Store
@testable import Boards
@testable import Engine
@testable import Queue

/// A house with its people, and all routes of the daemon without a socket.
///
/// Suites with houses are serialised: each house holds files open, and Foundation loses the end of a process where a
/// test run has more than 1,024 files open.
final class House: Sendable {
    struct Reply: Sendable {
        var status: Int
        var data: Data
        var headers: HTTPFields

        var text: String { String(decoding: data, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:] }
        var array: [[String: Any]] { (try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]) ?? [] }
        /// The stable name of a problem.
        var code: String? { json["code"] as? String }
        var id: Int64 { (json["id"] as? NSNumber)?.int64Value ?? 0 }
        var location: String? { headers[.location] }
        /// The token that the cookie carries; nil if none is set.
        var cookie: String? {
            headers[.setCookie].flatMap { $0.firstMatch(of: /tablesight=([^;]*)/) }.map { String($0.1) }
        }
    }

    /// The daemon's own key.
    static let key = "the-own-key-of-the-daemon"
    static let workerToken = "the-token-of-queue-workers"
    static let host = "127.0.0.1:8765"

    let folder: TemporaryFolder
    let store: OutcomeStore
    let household: Household
    let clock: TestClock
    private let server: APIServer
    private let responder: RouterResponder<APIContext>
    /// How many addresses have asked.
    private let peers = Atomic<UInt32>(0)
    /// All houses share what only reads files.
    private static let engine = TablesightEngine(
        models: ModelFolder(Repository.models),
        catalogue: Catalogue(folder: FileManager.default.temporaryDirectory.appending(path: "tablesight-no-catalogue")),
        program: Program("tablesight").url)
    /// A cheap PIN: tests check who may, not how long a guess takes.
    private static let cost = SecretHash.Parameters(cost: 4, blockSize: 8, lanes: 1)

    /// - Parameters:
    ///   - minimumFreeBytes: what the disk keeps free; nil for the usual reserve.
    ///   - games: the folder with games of one's own; nil for none.
    init(minimumFreeBytes: Int? = nil, games: URL? = nil) throws {
        folder = try TemporaryFolder()
        // Parts with a clock of their own must agree on the day.
        let clock = TestClock(.now)
        self.clock = clock
        let inbox = folder.url.appending(path: "inbox")
        for place in [inbox, folder.url.appending(path: "out")] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        var configuration = try WatchConfiguration(
            inboxes: [inbox.path], output: folder.url.appending(path: "out").path, profiles: [])
        if let minimumFreeBytes { configuration.minimumFreeBytes = minimumFreeBytes }
        configuration.games = games
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let daemon = try WatchDaemon(configuration, engine: Self.engine, logger: logger)
        store = daemon.store
        household = Household(store, parameters: Self.cost) { clock.date }
        let service = HouseholdActions(household, key: Self.key) { clock.date }
        let app = try daemon.app(service)
        var settings = APISettings(token: Self.key)
        settings.identities = service
        app.addPages(to: &settings)
        server = APIServer(
            settings, probe: DaemonProbe(isAlive: { true }, shortcomings: { [] }),
            routes: app.routes + [ContentRoute(token: Self.workerToken) { _ in nil }.route], logger: logger)
        responder = server.router().buildResponder()
    }

    // MARK: Devices

    /// A device that somebody uses.
    ///
    /// - Parameter opens: true if the private pages are open on it.
    /// - Returns: its token.
    func device(of member: String? = nil, opens: Bool = false) throws -> String {
        let token = try household.addDevice(name: "phone")
        if let member {
            let device = try #require(try household.device(ofToken: token))
            try household.use(device.id, by: try id(member), opens: opens)
        }
        return token
    }

    func id(_ name: String) throws -> Int64 { try #require(try household.member(named: name)).id }

    /// The number of the device with this token.
    func number(ofDevice token: String) throws -> Int64 { try #require(try household.device(ofToken: token)).id }

    // MARK: Requests

    /// All routes, and the answers to requests. Each call has limits of wrong tokens of its own.
    func router() -> Router<APIContext> { server.router() }

    /// Sends a request as a client of the API.
    ///
    /// - Parameters:
    ///   - token: of a device, or the daemon's own key; nil for none.
    ///   - body: JSON.
    ///   - peer: the address that the request comes from; nil for one that never asked, where `router` is nil too.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, as token: String?, headers: [String: String] = [:],
        from peer: String? = nil, at router: Router<APIContext>? = nil
    ) async throws -> Reply {
        var headers = headers
        if let token { headers["Authorization"] = "Bearer \(token)" }
        return try await send(method, path, Data((body ?? "").utf8), headers, from: peer, at: router)
    }

    /// Sends a request as a browser on a page of this server.
    ///
    /// - Parameter form: the fields of a form.
    func browse(
        _ method: String, _ path: String, _ form: String? = nil, cookie: String?, headers: [String: String] = [:],
        from peer: String? = nil, at router: Router<APIContext>? = nil
    ) async throws -> Reply {
        var headers = ["Accept": "text/html", "Origin": "http://\(Self.host)"].merging(headers) { $1 }
        if let cookie { headers["Cookie"] = "tablesight=\(cookie)" }
        if form != nil, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
        return try await send(method, path, Data((form ?? "").utf8), headers, from: peer, at: router)
    }

    func send(
        _ method: String, _ path: String, _ body: Data, _ headers: [String: String], from peer: String? = nil,
        at router: Router<APIContext>? = nil, host: String = House.host
    ) async throws -> Reply {
        let response = try await respond(method, path, body, headers, from: peer, at: router, host: host)
        let collected = Collected()
        // A stream of events does not end.
        if response.headers[.contentType]?.hasPrefix("text/event-stream") != true {
            try await response.body.write(collected)
        }
        return Reply(status: response.status.code, data: collected.data, headers: response.headers)
    }

    /// A stream of events that is open.
    struct Stream: Sendable {
        fileprivate let collected: Collected
        let task: Task<Void, any Error>

        var text: String { String(decoding: collected.data, as: UTF8.self) }
        var hasEnded: Bool { collected.hasEnded }
    }

    /// Opens a stream of events; the caller cancels its task.
    func stream(_ path: String, as token: String) async throws -> Stream {
        let headers = ["Authorization": "Bearer \(token)"]
        let response = try await respond("GET", path, Data(), headers, from: nil, at: nil)
        try #require(response.status == .ok)
        let collected = Collected()
        return Stream(collected: collected, task: Task { try await response.body.write(collected) })
    }

    private func respond(
        _ method: String, _ path: String, _ body: Data, _ headers: [String: String], from peer: String?,
        at router: Router<APIContext>?, host: String = House.host
    ) async throws -> Response {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
        for (name, value) in headers { head.headerFields[try #require(HTTPField.Name(name))] = value }
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(
            ipAddress: peer ?? (router == nil ? newPeer() : "192.0.2.1"), port: 5000)
        let source = ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test"))
        let request = Request(head: head, body: .init(buffer: ByteBuffer(bytes: body)))
        return try await (router?.buildResponder() ?? responder)
            .respond(to: request, context: APIContext(source: source))
    }

    private func newPeer() -> String {
        let number = peers.add(1, ordering: .relaxed).newValue
        return "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }

    fileprivate final class Collected: ResponseBodyWriter, Sendable {
        private let bytes = Mutex(Data())
        private let isEnded = Mutex(false)
        var hasEnded: Bool { isEnded.withLock { $0 } }
        var data: Data { bytes.withLock { $0 } }

        func write(_ buffer: ByteBuffer) async throws {
            bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws { isEnded.withLock { $0 = true } }
    }

    /// Guesses until the server looks at none any more.
    ///
    /// The minute of a limit is that of the machine, and may end at any moment.
    ///
    /// - Parameter guess: gives the status of the answer to a wrong guess.
    func expectRefused(_ name: String, each most: Int = 60, _ guess: (Int) async throws -> Int) async throws {
        let start = ContinuousClock.now
        var looked = 0
        while true {
            let status = try await guess(looked)
            let windows = 2 + Int(start.duration(to: .now) / .seconds(60))
            guard status != 429, looked <= most * windows else {
                #expect(status == 429 && looked <= most * windows, "\(name): \(looked) guesses, then \(status)")
                return
            }
            #expect(status == 401, "\(name)")
            looked += 1
        }
    }

    // MARK: What is stored

    /// The rows of each table as a text, and the files. When a device was last seen is left out: every request notes that.
    func contents() throws -> [String: String] {
        var found = try store.read { database in
            var found: [String: String] = [:]
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
            for table in tables {
                // SQLite writes the text: a debug build takes ten times as long for each value.
                let columns = try database.columns(in: table).map(\.name).filter { $0 != "seen" }
                let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
                found[table] = try String.fetchOne(
                    database, sql: "SELECT group_concat(\(row), char(10)) FROM \(table)")
            }
            return found
        }
        found["files"] = files().joined(separator: "\n")
        return found
    }

    /// The paths of all files but those of the database, sorted.
    func files() -> [String] {
        let database = folder.url.appending(path: "out").path + "/tablesight.sqlite"
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?.allObjects ?? []
        return files.compactMap { ($0 as? URL)?.path }.filter { !$0.hasPrefix(database) }.sorted()
    }

    /// The tables that differ.
    static func differences(_ before: [String: String], _ after: [String: String]) -> [String] {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    /// What is stored now, to go back to.
    func saved() throws -> DatabaseQueue {
        let copy = try DatabaseQueue()
        try store.database.backup(to: copy)
        return copy
    }

    func restore(_ saved: DatabaseQueue) throws { try saved.backup(to: store.database) }
}
