import Foundation
import GRDB
import Store
import TestSupport
import Testing
import Vocabulary

@Suite struct OutcomeStoreTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "test.sqlite"))
    }

    private func file(_ name: String, size: Int64 = 1) throws -> FoundFile {
        let path = try #require(FilePathBytes(name))
        // The device's highest bit is set: SQLite's integers are signed.
        return FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: .max, inode: 2, size: size, modified: 3, changed: 4))
    }

    private func enqueue(_ files: FoundFile...) throws {
        try store.enqueue(files) { $0.path.appending(suffix: ".json") }
    }

    private func finish(_ photo: QueuedPhoto, json: String = "{}", content: String? = nil) throws {
        try store.finish(
            photo, content: content, asked: "auto", answer: content == nil ? nil : ReadAnswer(models: ["a": "1"]),
            status: .completed, json: Data(json.utf8))
    }

    @Test func `a file is claimed once, and is known when it is done`() throws {
        let photo = try file("/in/a.jpg")
        #expect(try store.unknown(among: [photo]) == [photo])
        try enqueue(photo)
        let claimed = try #require(try store.claimNext())
        #expect(claimed.sidecar.display == "/in/a.jpg.json")
        #expect(claimed.attempt == 1)
        #expect(try store.claimNext() == nil)
        try finish(claimed)
        #expect(try store.unknown(among: [photo]).isEmpty)
        #expect(try store.pendingCount() == 0)
    }

    @Test func `a file that changed is unknown again, and its new outcome takes the old one's place`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try store.claimNext()), json: "1")
        let changed = try file("/in/a.jpg", size: 2)
        #expect(try store.unknown(among: [changed]) == [changed])
        try enqueue(changed)
        try finish(try #require(try store.claimNext()), json: "2")
        #expect(try store.outcomeJSON(forPath: changed.path) == Data("2".utf8))
        #expect(try store.counts() == [.completed: 1])
    }

    @Test func `what a killed run had begun is queued again, with its attempt counted`() throws {
        try enqueue(try file("/in/a.jpg"))
        _ = try store.claimNext()
        let reopened = try OutcomeStore(at: folder.url.appending(path: "test.sqlite"))
        #expect(try reopened.requeueInterrupted() == 1)
        #expect(try reopened.claimNext()?.attempt == 2)
    }

    @Test func `a file that changed while it was read keeps waiting, and the stale outcome is dropped`() throws {
        try enqueue(try file("/in/a.jpg"))
        let claimed = try #require(try store.claimNext())
        try enqueue(try file("/in/a.jpg", size: 2))
        try finish(claimed, json: "stale")
        #expect(try store.outcomeJSON(forPath: claimed.path) == nil)
        #expect(try store.claimNext() != nil)
    }

    @Test func `a sidecar that was not written is found after a restart`() throws {
        try enqueue(try file("/in/a.jpg"), try file("/in/b.jpg"))
        let first = try #require(try store.claimNext())
        let second = try #require(try store.claimNext())
        try finish(first)
        try finish(second, json: "[]")
        try store.markSidecarWritten(first)
        let unwritten = try store.unwrittenSidecars()
        #expect(unwritten.map(\.photo.path) == [second.path])
        #expect(unwritten.map(\.json) == [Data("[]".utf8)])
    }

    @Test func `readings are found by content and by what was asked`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try store.claimNext()), content: "sha256:1")
        #expect(try store.answer(for: "sha256:1", asked: "auto")?.models == ["a": "1"])
        #expect(try store.answer(for: "sha256:1", asked: "menu") == nil)
        #expect(try store.answer(for: "sha256:2", asked: "auto") == nil)
    }

    @Test func `a database of a newer version is refused, not downgraded`() throws {
        let url = folder.url.appending(path: "newer.sqlite")
        _ = try OutcomeStore(at: url)
        try DatabaseQueue(path: url.path).write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
        }
        #expect { try OutcomeStore(at: url) } throws: {
            ($0 as? StartupError)?.exitCode == .configuration && "\($0)".contains("newer")
        }
    }

    @Test func `a file that is no database is named`() throws {
        let url = try folder.write(Data(repeating: 7, count: 4096), to: "broken.sqlite")
        #expect { try OutcomeStore(at: url) } throws: { "\($0)".contains("broken.sqlite") }
    }
}
