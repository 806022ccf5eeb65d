import Allergens
import Core
import Foundation
import HTTP
import Intake
import Logging
import ReadJobs
import Store
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import Engine

/// The rule of order and failure of ``OutcomeSink``: the runner processes one photo, and sinks note their calls.
@Suite struct OutcomeSinkTests {
    private struct NotingSink: OutcomeSink {
        let name: String
        let notes: Notes
        var before: @Sendable (inout JudgedPhoto) throws -> Void = { _ in }
        var after: @Sendable (JudgedPhoto) throws -> FilePathBytes? = { _ in nil }

        func prepare(_ photo: inout JudgedPhoto) throws {
            notes.add("\(name) before")
            try before(&photo)
        }

        func follow(_ photo: JudgedPhoto) throws -> FilePathBytes? {
            notes.add("\(name) after")
            return try after(photo)
        }
    }

    private let photoRun: PhotoRun
    private let notes = Notes()
    private var folder: TemporaryFolder { photoRun.folder }
    private var store: OutcomeStore { photoRun.store }
    private var live: LiveConfiguration { photoRun.live }
    private var photo: FilePathBytes { photoRun.photo }
    private var errors: Notes { photoRun.errors }
    private var registry: PrometheusRegistry { photoRun.registry }
    private var sidecar: URL { folder.url.appending(path: "out/outcomes/inbox/a.jpg.json") }

    init() throws { photoRun = try PhotoRun() }

    /// Processes the photo with these sinks.
    private func run(_ sinks: [any OutcomeSink]) async throws {
        try photoRun.enqueue()
        try await photoRun.run(sinks)
    }

    private func sink(_ name: String) -> NotingSink { NotingSink(name: name, notes: notes) }

    // MARK: Order

    @Test func `sinks are called in the order of the list, before the outcome is stored and after it`() async throws {
        let (store, photo, notes) = (store, photo, notes)
        var first = sink("first")
        first.before = { _ in notes.add(try store.outcomeJSON(forPath: photo) == nil ? "not stored" : "stored") }
        first.after = { _ in
            notes.add(try store.outcomeJSON(forPath: photo) == nil ? "not stored" : "stored")
            return nil
        }
        try await run([first, sink("second")])
        #expect(
            notes.all == ["first before", "not stored", "second before", "first after", "stored", "second after"])
    }

    @Test func `what a sink adds before is stored with the outcome`() async throws {
        try await run([EventSink()])
        let events = try store.events(after: 0, limit: 9)
        #expect(events.map(\.kind) == ["completed"])
    }

    @Test func `a photo that changes meanwhile is judged again, and only the new version is followed`() async throws {
        let (store, notes, live) = (store, notes, live)
        let changed = photoRun.found(version: 2)
        var sink = sink("sink")
        sink.before = { _ in
            guard notes.isFirst("sink before") else { return }
            try store.enqueue([changed]) { live.current.sidecar(for: $0) }
        }
        try await run([sink])
        #expect(notes.all == ["sink before", "sink before", "sink after"])
    }

    @Test func `a photo is judged again for people who change meanwhile, and followed once`() async throws {
        let (live, notes) = (live, notes)
        let anna = AllergenProfile(name: "Anna", allergens: [.milk: .severe])
        var sink = sink("sink")
        sink.before = { _ in live.setProfiles([anna]) }
        sink.after = { photo in
            notes.add(photo.configuration.profiles.map(\.name).joined())
            return nil
        }
        try await run([sink])
        #expect(notes.all == ["sink before", "sink before", "sink after", "Anna"])
    }

    @Test func `the file of a photo that is erased meanwhile is removed, and no further sink is called`() async throws {
        let (store, folder) = (store, folder)
        var writer = sink("writer")
        writer.after = { photo in
            let file = try folder.write(Data(), to: "out/made")
            _ = try store.erase(try #require(photo.outcome.id), isAlone: false)
            return FilePathBytes(file.path)
        }
        try await run([writer, sink("later")])
        #expect(notes.all == ["writer before", "later before", "writer after"])
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "out/made").path))
    }

    // MARK: Failure

    @Test func `a sink that fails is logged and counted, and stops neither the others nor the photo`() async throws {
        struct Broken: Error {}
        var broken = sink("broken")
        broken.before = { _ in throw Broken() }
        broken.after = { _ in throw StartupError(.inputOutput, "a folder has this name", concernsOnePath: true) }
        try await run([broken, sink("other")])
        #expect(notes.all == ["broken before", "other before", "broken after", "other after"])
        #expect(errors.all == ["the broken of a photo failed", "the broken of a photo failed"])
        #expect(registry.text.contains("tablesight_outcome_sinks_failed_total{sink=\"broken\"} 2"), "\(registry.text)")
        #expect(try store.outcomeJSON(forPath: photo) != nil)
        #expect(try store.pendingCount() == 0)
    }

    @Test func `a record that the database refuses fails one photo and does not end the run`() async throws {
        let store = store
        var sink = sink("sink")
        sink.before = { _ in try store.write { try $0.execute(sql: "INSERT INTO photo (path) VALUES (NULL)") } }
        try await run([sink])
        #expect(notes.all == ["sink before", "sink after"])
        #expect(try store.outcomeJSON(forPath: photo) != nil)
    }

    @Test func `a sink is repeated while the disk is full or the database is locked`() async throws {
        let notes = notes
        var waiting = sink("waiting")
        waiting.before = { _ in
            if notes.isFirst("waiting before") { throw StartupError(.inputOutput, "full", isDiskFull: true) }
        }
        waiting.after = { _ in
            if notes.isFirst("waiting after") { throw StartupError(.inputOutput, "locked", isBusy: true) }
            return nil
        }
        try await run([waiting, sink("other")])
        #expect(
            notes.all == [
                "waiting before", "waiting before", "other before", "waiting after", "waiting after", "other after",
            ])
        #expect(!registry.text.contains("sinks_failed"))
    }

    @Test(arguments: [false, true])
    func `an error of the whole disk ends the run, and no further sink is called`(_ isStored: Bool) async throws {
        var failing = sink("failing")
        let error = StartupError(.inputOutput, "a sync failed")
        if isStored { failing.after = { _ in throw error } } else { failing.before = { _ in throw error } }
        await #expect {
            try await run([failing, sink("other")])
        } throws: {
            ($0 as? StartupError)?.message == error.message
        }
        #expect(notes.all == ["failing before"] + (isStored ? ["other before", "failing after"] : []))
        #expect(try (store.outcomeJSON(forPath: photo) != nil) == isStored)
    }

    // MARK: The sidecar

    @Test(arguments: [false, true])
    func `a refused sidecar leaves the outcome stored and announced`(_ isRefused: Bool) async throws {
        // A folder has the name of the sidecar.
        if isRefused { try folder.write(Data(), to: "out/outcomes/inbox/a.jpg.json/x") }
        let notes = notes
        try await run([
            SidecarSink(), AnnouncementSink { _, result in notes.add(result.sidecar?.display ?? "no sidecar") },
        ])
        #expect(notes.all.map { $0.hasSuffix("a.jpg.json") } == [!isRefused])
        let json = try #require(try store.outcomeJSON(forPath: photo))
        #expect((try? Data(contentsOf: sidecar)) == (isRefused ? nil : json + [0x0A]))
        #expect(errors.all.count == (isRefused ? 1 : 0))
    }
}
