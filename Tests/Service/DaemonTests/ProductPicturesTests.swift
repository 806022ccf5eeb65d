import Foods
import Catalogue
import Core
import Foundation
import Groceries
import Logging
import Store
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import Engine

/// Pictures of products come from another server, through a worker, and nobody waits for them.
@Suite struct ProductPicturesTests {
    /// A server that answers with the same bytes, after a test opened it.
    private final class Server: RemoteTransport {
        private let body: Data
        private let count = Mutex(0)
        private let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        var asked: Int { count.withLock { $0 } }

        init(_ body: Data) { self.body = body }

        func open() { opening.finish() }

        func get(_ url: URL, userAgent: String, timeout: Duration) async throws(RemoteFailure) -> RemoteReply {
            count.withLock { $0 += 1 }
            for await _ in gate {}
            return RemoteReply(status: 200, body: body)
        }
    }

    private let folder: TemporaryFolder
    private let address = "https://pictures.example.org/oats.jpg"

    init() throws { folder = try TemporaryFolder() }

    private func pictures(_ server: Server) throws -> ProductPictures {
        let models = ModelFolder(Repository.models)
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let worker = try WorkerProgram(beside: Program("tablesight").url, models: models, environment: [:])
        let processor = PhotoProcessor(
            interpreter: try .init(models: models), reading: PhotoReading(workers: WorkerPool(size: 1, program: worker))
        )
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let groceries = Groceries(store, rules: try models.load(GroceryRules.self, from: "groceries/rules.json"))
        return ProductPictures(
            RemoteImages(groceries, transport: server),
            live: LiveConfiguration(try WatchConfiguration(inboxes: [inbox.path], output: nil, profiles: [])),
            processor: processor, drawings: DrawingQueue(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `a picture is fetched in the background and drawn small`() async throws {
        let photo = try Data(contentsOf: Repository.samples.appending(path: "labels/oat-cookies.jpg"))
        let server = Server(photo)
        let pictures = try pictures(server)
        // It would not return if it waited for the server.
        #expect(await pictures.picture(address) == nil)
        server.open()
        #expect(try await eventually { await pictures.picture(address) != nil })
        let shown = try #require(await pictures.picture(address))
        #expect(shown.starts(with: [0xFF, 0xD8, 0xFF]) && shown.count < photo.count)
        #expect(server.asked == 1)
    }

    @Test func `bytes that only begin like a picture are not shown`() async throws {
        let server = Server(Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 7, count: 500))
        let pictures = try pictures(server)
        #expect(await pictures.picture(address) == nil)
        server.open()
        #expect(try await eventually { await pictures.isIdle })
        #expect(await pictures.picture(address) == nil)
        #expect(await pictures.isIdle && server.asked == 1, "neither the server nor the worker is asked again")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: "inbox.tablesight/pictures").path)
        #expect(left == [], "\(left)")
    }
}
