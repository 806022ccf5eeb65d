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

@testable import App
@testable import Daemon
@testable import Engine

/// Notes of what was called, in order.
final class Notes: Sendable {
    private let notes = Mutex<[String]>([])
    var all: [String] { notes.withLock { $0 } }
    func add(_ note: String) { notes.withLock { $0.append(note) } }
    /// True the first time that it is called for this note.
    func isFirst(_ note: String) -> Bool { all.count { $0 == note } == 1 }
}

/// A ``PhotoRunner`` with a store, one photo in an inbox, and a reader that answers without a worker.
struct PhotoRun {
    let folder: TemporaryFolder
    let store: OutcomeStore
    let live: LiveConfiguration
    let photo: FilePathBytes
    /// Errors of the log.
    let errors = Notes()
    /// Paths that the reader was asked for.
    let read = Notes()
    let registry = PrometheusRegistry()
    /// Stages and first products, as event streams get them.
    let progress = StageProgress()
    /// Barcodes that the reader notes before it answers.
    var codes: [BarcodeReading] = []
    /// What the reader says of every photo.
    var failure = ItemFailure(stage: .imaging, code: .notAnImage, detail: "not a photo", hint: "take one")

    init() throws {
        folder = try TemporaryFolder()
        photo = try Self.photo("a.jpg", in: folder)
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        live = LiveConfiguration(
            try WatchConfiguration(
                inboxes: [folder.url.appending(path: "inbox").path], output: folder.url.appending(path: "out").path,
                profiles: []))
    }

    private static func photo(_ name: String, in folder: TemporaryFolder) throws -> FilePathBytes {
        try folder.write(Data("not a photo".utf8), to: "inbox/\(name)")
        return try folder.path(below: "inbox/\(name)")
    }

    /// Another photo with the same bytes.
    func copy(_ name: String) throws -> FilePathBytes { try Self.photo(name, in: folder) }

    /// A version of a photo, as a scan finds it.
    func found(_ path: FilePathBytes? = nil, version: UInt64) -> FoundFile {
        FoundFile(
            path: path ?? photo, relativePath: path ?? photo,
            identity: FileIdentity(device: 1, inode: version, size: 11, modified: 1, changed: 1))
    }

    /// Queues a photo.
    ///
    /// - Parameter attempts: attempts that ended the daemon before.
    func enqueue(_ path: FilePathBytes? = nil, attempts: Int = 0) throws {
        try store.enqueue([found(path, version: 1)]) { live.current.sidecar(for: $0) }
        let queued = try store.nextQueued(after: Data(), leavingOut: []).map { [$0.id] } ?? []
        for _ in 0..<attempts { try store.chargeQueued(Set(queued)) }
    }

    /// Processes the queue with these sinks.
    func run(_ sinks: [any OutcomeSink] = []) async throws {
        let (health, errors) = (DaemonHealth(), errors)
        let logger = Logger(label: "test") { _ in LogLines(lines: errors) }
        let journal = Journal(store, known: KnownFiles(), health: health, logger: logger)
        let models = ModelFolder(Repository.models)
        let worker = try WorkerProgram(beside: Program("tablesight").url, models: models, environment: [:])
        var processor = PhotoProcessor(
            interpreter: try .init(models: models), reading: PhotoReading(workers: WorkerPool(size: 1, program: worker))
        )
        processor.reading.backend = Reader(failure: failure, codes: codes, read: read)
        let service = JobService(
            live: live, journal: journal, baseProcessor: processor, health: health,
            crashJournal: try CrashJournalFile(at: try folder.path(below: "last-words")), wakeUps: [],
            progress: progress,
            sinks: OutcomeSinks(list: sinks, journal: journal, health: health, logger: logger, metrics: registry),
            logger: logger)
        let wakeUp = WakeUp()
        wakeUp.end()
        try await PhotoRunner(service).run(wakeUp)
    }

    /// Gives every photo the same answer.
    private struct Reader: ReadingBackend {
        let failure: ItemFailure
        let codes: [BarcodeReading]
        let read: Notes

        func readers() async -> String { "test" }

        func read(
            _ job: ReadJob, of photo: PhotoToRead, noted: @escaping @Sendable (ReadAnswer) -> Void,
            beforeDispatch: @escaping @Sendable () async throws -> Void
        ) async throws -> WorkerReading {
            try await beforeDispatch()
            read.add(job.path.display)
            noted(.decoded)
            if !codes.isEmpty { noted(.note(ReadAnswer(readings: Readings(barcodes: codes)))) }
            return WorkerReading(answer: ReadAnswer(failure: failure))
        }

        func stop() async {}
    }
}

/// Notes the messages of a log.
struct LogLines: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.error
    let lines: Notes

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.message)") }
}
