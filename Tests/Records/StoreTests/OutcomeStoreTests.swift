import Foundation
import GRDB
@testable import Store
import TestSupport
import Testing
import Core

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

    private func claim(after top: Data = Data(), busy: Set<Int64> = []) throws -> QueuedPhoto? {
        try store.nextQueued(after: top, leavingOut: busy)
    }

    private func finish(_ photo: QueuedPhoto, json: String = "{}", content: String? = nil) throws {
        try store.finish(
            photo,
            FinishedPhoto(
                content: content, asked: "auto", answer: content == nil ? nil : ReadAnswer(models: ["a": "1"]),
                status: .completed, json: Data(json.utf8)))
    }

    @Test func `a queued file is taken once and is known when it is done`() throws {
        let photo = try file("/in/a.jpg")
        try enqueue(photo)
        let claimed = try #require(try claim())
        #expect(claimed.sidecar.display == "/in/a.jpg.json")
        #expect(claimed.attempt == 0)
        #expect(try claim(busy: [claimed.id]) == nil)
        try finish(claimed)
        #expect(try store.pendingCount() == 0)
        var known: [String] = []
        try store.forEachKnown { path, identity in
            known.append(path.display)
            #expect(identity == photo.identity)
        }
        #expect(known == ["/in/a.jpg"])
    }

    @Test func `a changed file is unknown again, and its new outcome replaces the old one`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try claim()), json: "1")
        let changed = try file("/in/a.jpg", size: 2)
        try enqueue(changed)
        try finish(try #require(try claim()), json: "2")
        #expect(try store.outcomeJSON(forPath: changed.path) == Data("2".utf8))
        #expect(try store.counts() == [.completed: 1])
    }

    @Test func `readings of a file that changed during reading are not stored`() throws {
        try enqueue(try file("/in/a.jpg"))
        let claimed = try #require(try claim())
        try enqueue(try file("/in/a.jpg", size: 2))
        try finish(claimed, content: "sha256:1")
        #expect(try store.answer(for: "sha256:1", asked: "auto") == nil)
    }

    @Test func `opening waits for another program that locks the database`() throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: folder.url.appending(path: "test.sqlite").path, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        // On its own thread, because waiting blocks and tests share few task threads.
        let holder = Thread {
            usleep(400_000)
            try? other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        }
        holder.start()
        let waiting = try OutcomeStore(
            at: folder.url.appending(path: "test.sqlite"), patience: patience / .seconds(1))
        let review = Review(content: "sha256:1", item: "*", allergen: nil, action: .accept, reviewer: "anna", made: 1)
        try waiting.add(review)
        #expect(try waiting.reviews().count == 1)
        while !holder.isFinished { usleep(1000) }
    }

    @Test func `an attempt is on the disk before it begins and is found after a crash`() throws {
        try enqueue(try file("/in/a.jpg"))
        let claimed = try #require(try claim())
        #expect(try store.charge(claimed, attempt: 1, content: "sha256:1"))
        let reopened = try OutcomeStore(at: folder.url.appending(path: "test.sqlite"))
        let interrupted = try reopened.interrupted()
        #expect(interrupted.map(\.photo.attempt) == [1])
        #expect(interrupted.map(\.content) == ["sha256:1"])
        try reopened.release(claimed, attempt: 1)
        #expect(try reopened.nextQueued(after: Data(), leavingOut: [])?.attempt == 1)
    }

    @Test func `a file that changed during reading stays queued, and its stale outcome is dropped`() throws {
        try enqueue(try file("/in/a.jpg"))
        let claimed = try #require(try claim())
        #expect(try store.charge(claimed, attempt: 1, content: "sha256:1"))
        try enqueue(try file("/in/a.jpg", size: 2))
        #expect(
            try store.charge(claimed, attempt: 2, content: "sha256:1") == false, "the old version is not tried again")
        try finish(claimed, json: "stale")
        #expect(try store.outcomeJSON(forPath: claimed.path) == nil)
        #expect(try claim()?.attempt == 0)
    }

    @Test func `unchanged content under the same path keeps one outcome`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try claim()), json: "1", content: "sha256:1")
        try enqueue(try file("/in/a.jpg", size: 2))
        let again = try #require(try claim())
        #expect(try store.finishUnchanged(again, content: "sha256:2", asked: "auto") == false)
        #expect(try store.finishUnchanged(again, content: "sha256:1", asked: "menu") == false)
        #expect(try store.finishUnchanged(again, content: "sha256:1", asked: "auto"))
        #expect(try store.pendingCount() == 0)
    }

    @Test func `folders take turns, and small files come before large ones that arrived a little earlier`() throws {
        let large = try file("/in/a/large.jpg", size: 10 << 20)
        let files = try [large] + (1...3).map { try file("/in/a/\($0).jpg") } + [file("/in/b/1.jpg")]
        try store.enqueue(files, top: { FilePathBytes(Array($0.path.bytes.prefix(5))) }) {
            $0.path.appending(suffix: ".json")
        }
        var order: [String] = []
        var top = Data()
        while let next = try claim(after: top) {
            order.append(next.path.display)
            top = next.top
            try finish(next)
        }
        #expect(order == ["/in/a/1.jpg", "/in/b/1.jpg", "/in/a/2.jpg", "/in/a/3.jpg", "/in/a/large.jpg"])
    }

    @Test func `a large file is not delayed without limit by small ones`() throws {
        try enqueue(try file("/in/large.jpg", size: 1 << 40))
        var turns = 0
        while turns < 3000 {
            try enqueue(try file("/in/\(turns).jpg"))
            let next = try #require(try claim())
            if next.path.display == "/in/large.jpg" { break }
            try finish(next)
            turns += 1
        }
        #expect((1900...2100).contains(turns))
    }

    @Test func `a quarantine entry is found by hash and by name, and a retry queues its files`() throws {
        try enqueue(try file("/in/a.jpg"))
        let photo = try #require(try claim())
        let entry = QuarantinedContent(
            content: "sha256:12", reason: Outcome.Reason(code: "workerCrashed", detail: "d", hint: "h"), attempts: 2,
            path: photo.path, bytes: 1, since: 5)
        try store.quarantine(entry)
        try finish(photo, content: "sha256:12")
        #expect(try store.quarantined("sha256:12") == entry)
        #expect(try store.quarantine(matching: "a.jpg") == [entry])
        #expect(try store.quarantine(matching: "12") == [entry])
        #expect(try store.quarantine(matching: "other").isEmpty)
        #expect(try store.release([entry], again: true) == 1)
        #expect(try store.quarantined("sha256:12") == nil)
        #expect(try claim()?.attempt == 0)
    }

    @Test func `outcomes of deleted files are kept up to a count, independent of the clock`() throws {
        for name in ["a", "b", "c", "d"] {
            try enqueue(try file("/in/\(name).jpg"))
            try finish(try #require(try claim()), content: "sha256:\(name)")
        }
        let pruned = try store.prune(keeping: 1) { path, _ in path.display != "/in/d.jpg" }
        #expect(pruned.map(\.sidecar.display) == ["/in/b.jpg.json", "/in/a.jpg.json"], "c was deleted last, d exists")
        #expect(try store.counts() == [.completed: 2])
        #expect(try store.answer(for: "sha256:a", asked: "auto") == nil)
        #expect(try store.answer(for: "sha256:c", asked: "auto") != nil)
    }

    @Test func `commits are synced to the disk`() throws {
        let level = try store.uncommitted { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(level == 2, "FULL")
    }

    @Test func `files of an unmounted share do not count as deleted`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try claim()), content: "sha256:a")
        var devices: [UInt64] = []
        let pruned = try store.prune(keeping: 0) { _, device in
            devices.append(device)
            return device == 1
        }
        #expect(devices == [.max], "device of the stored file")
        #expect(pruned.isEmpty)
    }

    @Test func `events follow a number in their order, whatever they are called`() throws {
        for name in ["c", "a", "d", "b"] {
            try enqueue(try file("/in/\(name).jpg"))
            let event = NewEvent(id: "evt_\(name)", kind: "completed", body: Data("{}".utf8), receivers: [])
            try store.finish(
                try #require(try claim()),
                FinishedPhoto(
                    content: "sha256:\(name)", asked: "auto", answer: nil, status: .completed, json: Data("{}".utf8),
                    event: event))
        }
        #expect(try store.events(after: 0, limit: 3).map(\.id) == ["evt_c", "evt_a", "evt_d"])
        #expect(try store.events(after: 2, limit: 9).map(\.id) == ["evt_d", "evt_b"])
    }

    @Test func `erased data is gone from the database, its log and its copies`() throws {
        for name in ["a", "b"] {
            try enqueue(try file("/in/\(name).jpg"))
            let event = NewEvent(
                id: "evt_\(name)", kind: "completed", body: Data("{\"id\":\"sha256:\(name)\"}".utf8), receivers: [])
            try store.finish(
                try #require(try claim()),
                FinishedPhoto(
                    content: "sha256:\(name)", asked: "auto", answer: ReadAnswer(models: ["secret": name]),
                    status: .completed, json: Data("{\"secret\":\"of \(name)\"}".utf8), event: event))
            try store.add(
                Review(
                    content: "sha256:\(name)", item: "*", allergen: nil, action: .accept, reviewer: "anna", made: 1))
        }
        try folder.write(Data("older secret of a".utf8), to: "test.sqlite.before-3")
        #expect(try store.erase("sha256:a", isAlone: true).map(\.path.display) == ["/in/a.jpg"])
        #expect(try store.events(after: 0, limit: 9).map(\.id) == ["evt_b"])
        #expect(try store.reviews().map(\.content) == ["sha256:b"])
        #expect(try store.counts() == [.completed: 1])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = try Data(contentsOf: folder.url.appending(path: name))
            #expect(bytes.range(of: Data("secret of a".utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data("sha256:a".utf8)) == nil, "\(name)")
        }
    }

    @Test func `a file of a photo that was erased while it was written is removed, and a stored photo's stays`() throws
    {
        try enqueue(try file("/in/a.jpg"), try file("/in/b.jpg"))
        for name in ["a", "b"] { try finish(try #require(try claim()), content: "sha256:\(name)") }
        let kept = try file("/in/b.jpg")
        let sidecars = try ["a", "b"].map { try #require(FilePathBytes(folder.url.path + "/\($0).json")) }
        func isRemoved(_ name: String, _ sidecar: FilePathBytes) throws -> Bool {
            try SidecarFile.write(Data("{}".utf8), to: sidecar)
            let isRemoved = try store.removeIfErased(sidecar, of: try #require(FilePathBytes("/in/\(name).jpg")))
            #expect(FileManager.default.fileExists(atPath: sidecar.display) == !isRemoved)
            return isRemoved
        }
        #expect(try !isRemoved("a", sidecars[0]))
        _ = try store.erase("sha256:a", isAlone: true)
        #expect(try isRemoved("a", sidecars[0]))
        #expect(try !isRemoved("b", sidecars[1]))
        // A file that stays in its folder keeps a row without an outcome.
        _ = try store.erase("sha256:b", isAlone: true)
        try store.keepErased([kept]) { $0.path.appending(suffix: ".json") }
        #expect(try isRemoved("b", sidecars[1]))
    }

    @Test func `the newest reading is chosen by version number, not alphabetically`() throws {
        try enqueue(try file("/in/a.jpg"))
        for version in ["0.10.0", "0.9.1"] {
            let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
            try store.finish(
                photo,
                FinishedPhoto(
                    content: "sha256:a", asked: version + " auto - x", answer: ReadAnswer(models: ["v": version]),
                    status: .completed, json: Data("{}".utf8)))
            try enqueue(try file("/in/a.jpg", size: Int64(version.count)))
        }
        // The photo's own reading is gone, so another version's is used.
        let photo = try #require(try claim())
        try store.finish(
            photo,
            FinishedPhoto(
                content: "sha256:a", asked: "0.11.0 auto - x", answer: nil, status: .completed, json: Data("{}".utf8)))
        let row = try #require(try store.storedRows(after: 0, limit: 9).rows.first)
        #expect(row.asked == "0.10.0 auto - x")
        #expect(String(decoding: row.answer, as: UTF8.self).contains("0.10.0"))
    }

    @Test func `an event is stored with its outcome and waits for each receiver`() throws {
        try enqueue(try file("/in/a.jpg"))
        let photo = try #require(try claim())
        let event = NewEvent(id: "evt_1", kind: "completed", body: Data("{}".utf8), receivers: ["a", "b"])
        let finished = FinishedPhoto(
            content: nil, asked: "auto", answer: nil, status: .completed, json: Data("{}".utf8), event: event)
        try store.finish(photo, finished)
        #expect(try store.events(after: 0, limit: 10).map(\.id) == ["evt_1"])
        #expect(try store.events(after: 1, limit: 10).isEmpty)
        let waiting = try store.waitingDeliveries(to: "a", limit: 10)
        #expect(waiting.map(\.attempts) == [0])
        try store.note(try #require(waiting.first), failure: "it answered 500", isLast: false)
        #expect(try store.waitingDeliveries(to: "a", limit: 10).map(\.attempts) == [1])
        try store.note(try #require(waiting.first), failure: nil, isLast: false)
        #expect(try store.waitingDeliveries(to: "a", limit: 10).isEmpty)
        try store.pruneEvents(keeping: 0)
        #expect(try store.events(after: 0, limit: 10).count == 1, "b has not received it yet")
        try store.note(
            try #require(try store.waitingDeliveries(to: "b", limit: 1).first), failure: "gone", isLast: true)
        #expect(try store.outboxFigures() == (waiting: 0, dead: 1))
        try store.pruneEvents(keeping: 0)
        #expect(try store.events(after: 0, limit: 10).isEmpty)
    }

    @Test func `a backup is complete and never overwrites a file`() throws {
        try enqueue(try file("/in/a.jpg"))
        let copy = folder.url.appending(path: "copy.sqlite")
        try store.backUp(to: copy)
        #expect(try OutcomeStore(at: copy).pendingCount() == 1)
        #expect { try store.backUp(to: copy) } throws: { ($0 as? StartupError)?.exitCode == .usage }
    }

    @Test func `a database of version 1 is migrated, and a copy of it is kept`() throws {
        let url = folder.url.appending(path: "old.sqlite")
        do {
            let old = try DatabaseQueue(path: url.path)
            try Migrations.first.migrate(old)
            try old.write {
                try $0.execute(
                    sql: """
                        INSERT INTO photo (path, sidecar, device, inode, size, modified, changed, state)
                        VALUES (x'2F61', x'2F62', 1, 2, 3, 4, 5, 'queued')
                        """)
            }
        }
        let store = try OutcomeStore(at: url)
        #expect(try store.nextQueued(after: Data(), leavingOut: [])?.path.display == "/a")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.contains { $0.hasPrefix("old.sqlite.before-") })
        #expect(try store.faults().isEmpty)
    }

    @Test func `a new database can be opened by several at once`() async throws {
        for round in 0..<5 {
            let url = folder.url.appending(path: "shared-\(round).sqlite")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try OutcomeStore(at: url).pendingCount() } }
                for try await count in group { #expect(count == 0) }
            }
            #expect(try OutcomeStore(at: url).faults().isEmpty)
        }
    }

    @Test func `an unwritten sidecar is found after a restart`() throws {
        try enqueue(try file("/in/a.jpg"), try file("/in/b.jpg"))
        let first = try #require(try claim())
        let second = try #require(try claim(busy: [first.id]))
        try finish(first)
        try finish(second, json: "[]")
        try store.markSidecarsWritten([WrittenSidecar(photo: first.id, json: Data("{}".utf8))])
        let unwritten = try store.unwrittenSidecars()
        #expect(unwritten.map(\.photo.path) == [second.path])
        #expect(unwritten.map(\.json) == [Data("[]".utf8)])
    }

    @Test func `readings are found by content and request`() throws {
        try enqueue(try file("/in/a.jpg"))
        try finish(try #require(try claim()), content: "sha256:1")
        #expect(try store.answer(for: "sha256:1", asked: "auto")?.models == ["a": "1"])
        #expect(try store.answer(for: "sha256:1", asked: "menu") == nil)
        #expect(try store.answer(for: "sha256:2", asked: "auto") == nil)
    }

    @Test func `a database of a newer version is refused`() throws {
        let url = folder.url.appending(path: "newer.sqlite")
        _ = try OutcomeStore(at: url)
        try DatabaseQueue(path: url.path).write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
        }
        #expect { try OutcomeStore(at: url) } throws: {
            ($0 as? StartupError)?.exitCode == .configuration && "\($0)".contains("newer")
        }
    }

    @Test func `the error about a file that is not a database names it`() throws {
        let url = try folder.write(Data(repeating: 7, count: 4096), to: "broken.sqlite")
        #expect { try OutcomeStore(at: url) } throws: { "\($0)".contains("broken.sqlite") }
    }
    @Test func `one statement finds any number of rows`() throws {
        let all = "[\((0..<200).map(String.init).joined(separator: ","))]"
        for count in [0, 1, 50, 3] {
            let wanted = (0..<count).map { Int64($0 * 3) }
            let found = try store.read(
                Int64.fetchAll, "SELECT value FROM json_each(\(all)) WHERE value IN \(SQL.any(of: wanted))")
            #expect(found == wanted)
        }
    }
}
