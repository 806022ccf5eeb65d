import Foundation
import Intake
import Logging
import Store
import Synchronization
import TestSupport
import Testing
import Core

@testable import App
@testable import Daemon

@Suite struct OutboxServiceTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    /// Stores one photo's outcome with an event for this receiver.
    private func store(eventFor receiver: String) throws {
        let path = try folder.path(below: "a.png")
        let file = FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1))
        try store.enqueue([file]) { $0.path.appending(suffix: ".json") }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        #expect(try store.charge(photo, attempt: 1, content: "sha256:a"))
        let event = NewEvent(id: "evt_1", kind: "completed", body: Data("{}".utf8), receivers: [receiver])
        let finished = FinishedPhoto(
            content: "sha256:a", asked: "", answer: nil, status: .completed, json: Data("{}".utf8), event: event)
        #expect(try store.finish(photo, finished, noting: []))
    }

    /// Entries of the log: a failed attempt is logged after it is recorded.
    private let log = Notes()

    private func outbox(to receiver: String, lookUp: @escaping @Sendable (String) async -> [[UInt8]]) -> OutboxService {
        var settings = WebhookSettings()
        settings.receivers = [receiver]
        settings.allowsPrivate = true
        let log = log
        let logger = Logger(label: "test") { _ in LogLines(logLevel: .trace, lines: log) }
        let journal = Journal(store, known: KnownFiles(), health: DaemonHealth(), logger: logger)
        return OutboxService(settings: settings, journal: journal, logger: logger, lookUp: lookUp)
    }

    /// Runs the outbox until `condition` holds, then stops it like a kill.
    private func run(_ outbox: OutboxService, until condition: @escaping @Sendable () throws -> Bool) async throws {
        let running = Task { try await outbox.run() }
        defer { running.cancel() }
        #expect(try await eventually(condition))
        running.cancel()
        try await running.value
    }

    @Test func `repeated kills do not use up an event's attempts`() async throws {
        let receiver = try HTTPReceiver(answering: 500)
        let address = "http://127.0.0.1:\(receiver.port)/"
        try store(eventFor: address)
        let log = log
        for number in 1...OutboxService.mostAttempts + 3 {
            try await run(outbox(to: address, lookUp: { _ in [[127, 0, 0, 1]] })) { log.all.count >= number }
        }
        #expect(receiver.received.count >= OutboxService.mostAttempts + 3)
        #expect(try store.outboxFigures().dead == 0)
        #expect(try store.waitingDeliveries(to: address, limit: 1).count == 1)
    }

    @Test func `the status of an endless answer counts, and its body is not read`() async throws {
        let receiver = try StubServer(.drips("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"))
        let address = "http://127.0.0.1:\(receiver.port)/"
        try store(eventFor: address)
        let store = store
        try await run(outbox(to: address, lookUp: { _ in [[127, 0, 0, 1]] })) { try store.outboxFigures().waiting == 0 }
        #expect(try store.outboxFigures().dead == 0)
    }

    @Test func `a silent name server does not delay other receivers`() async throws {
        let receiver = try HTTPReceiver(answering: 200)
        let address = "http://slow.invalid:\(receiver.port)/"
        try store(eventFor: address)
        let asked = Mutex(false)
        let outbox = outbox(to: address) { _ in
            asked.withLock { $0 = true }
            try? await Task.sleep(for: .seconds(3600))
            return []
        }
        // As many as there are task threads: if one of them were blocked, this test would hang.
        let running = Task { try await outbox.run() }
        while !asked.withLock({ $0 }) { await Task.yield() }
        running.cancel()
        try await running.value
    }

    @Test func `pauses grow with the attempts, also across restarts`() {
        for (attempts, seconds) in [(1, 1.0), (2, 2.0), (10, 512.0), (30, 3600.0)] {
            let pause = OutboxService.pause(after: attempts)
            #expect((seconds * 0.5...seconds * 1.5).contains(pause), "\(attempts) attempts: \(pause) s")
        }
    }

    @Test func `a message goes to the checked address, and the name is not resolved again`() async throws {
        let receiver = try HTTPReceiver(answering: 200)
        // No resolver knows this name, so only the checked address can be reached.
        let address = "http://receiver.invalid:\(receiver.port)/hook"
        try store(eventFor: address)
        let lookUps = Mutex(0)
        let store = store
        let outbox = outbox(to: address) { name in
            #expect(name == "receiver.invalid")
            return lookUps.withLock { count -> [[UInt8]] in
                count += 1
                return count == 1 ? [[127, 0, 0, 1]] : [[192, 0, 2, 1]]
            }
        }
        try await run(outbox) { try store.outboxFigures().waiting == 0 }
        #expect(lookUps.withLock { $0 } == 1)
        let request = try #require(receiver.received.first)
        #expect(receiver.received.count == 1)
        #expect(request.hasPrefix("POST /hook HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\nhost: receiver.invalid:\(receiver.port)\r\n"))
    }
}
