import Foundation
import Glibc
import Intake
import Logging
import Metrics
import ServiceLifecycle
import Store
import Vocabulary

/// Everything the daemon writes down, in order, on a thread of its own: SQLite has one writer, and syncing blocks.
///
/// Where the disk is full it waits and tries again; any other failure to write ends the daemon, because after a failed sync
/// nobody knows what is on the disk: the next start looks.
actor Journal {
    private let executor = ThreadExecutor(label: "journal")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let known: KnownFiles
    private let health: DaemonHealth
    private let logger: Logger
    /// Files that are being worked on.
    private var busy: Set<Int64> = []
    /// Boards, each with a photo that is being worked on: their frames come one after the other.
    private var busyBoards: Set<Data> = []
    private let boards: Set<Data>
    /// The folder that had its turn last.
    private var lastTop = Data()
    /// Sidecars on the disk that the database does not know of yet.
    private var written: [Int64] = []
    private var knownVersion: Int?
    private var oldest: (id: Int64, since: ContinuousClock.Instant)?

    init(
        _ store: OutcomeStore, known: KnownFiles, health: DaemonHealth, logger: Logger, boards: [Board] = []
    ) {
        self.boards = Set(boards.map { Data($0.folder.bytes) })
        self.store = store
        self.known = known
        self.health = health
        self.logger = logger
    }

    /// The next file to work on, for one caller alone until it calls ``leave(_:)``.
    func next() throws -> QueuedPhoto? {
        guard let photo = try store.nextQueued(after: lastTop, leavingOut: busy, busyTops: busyBoards) else {
            return nil
        }
        lastTop = photo.top
        busy.insert(photo.id)
        if boards.contains(photo.top) { busyBoards.insert(photo.top) }
        return photo
    }

    func leave(_ photo: QueuedPhoto) {
        busy.remove(photo.id)
        busyBoards.remove(photo.top)
    }

    func enqueue(
        _ files: [FoundFile], _ configuration: WatchConfiguration
    ) async throws {
        try await keep {
            try store.enqueue(
                files, top: { configuration.top(of: $0.path) }, isFrame: { configuration.board(of: $0.path) != nil },
                sidecar: { configuration.sidecar(for: $0) })
        }
        for file in files { known.insert(file.path, file.identity) }
    }

    /// - Throws: ``Superseded`` where the file changed: this try must not begin.
    func charge(_ photo: QueuedPhoto, attempt: Int, content: String) async throws {
        guard try await keep({ try store.charge(photo, attempt: attempt, content: content) }) else {
            throw Superseded()
        }
    }

    func release(_ photo: QueuedPhoto, attempt: Int) async throws {
        try await keep { try store.release(photo, attempt: attempt) }
    }

    /// Takes the file out of the queue; where it is still there, intake finds it anew and waits until it is finished.
    func lookAgain(_ photo: QueuedPhoto) async throws {
        try await keep { try store.forget(photo) }
        known.forget(photo.path)
    }

    func quarantined(_ content: String) throws -> QuarantinedContent? { try store.quarantined(content) }

    func answer(for content: String, asked: String) throws -> ReadAnswer? {
        try store.answer(for: content, asked: asked)
    }

    func finishUnchanged(_ photo: QueuedPhoto, content: String, asked: String) async throws -> Bool {
        try await keep { try store.finishUnchanged(photo, content: content, asked: asked) }
    }

    func quarantine(_ entry: QuarantinedContent) async throws { try await keep { try store.quarantine(entry) } }

    func finish(_ photo: QueuedPhoto, _ finished: FinishedPhoto) async throws -> Bool {
        try await keep {
            let isStored = try store.finish(photo, finished, noting: written)
            written = []
            return isStored
        }
    }

    /// The sidecar lies on the disk; that is noted with the next write.
    func wroteSidecar(_ photo: QueuedPhoto) { written.append(photo.id) }

    /// Once a second: notes what waits to be noted, and tries whether the database can be written.
    ///
    /// - Returns: true where another program changed the database, a retry out of quarantine for one.
    func pulse() -> Bool {
        let isWritable = store.isWritable()
        health.set(\.databaseIsWritable, isWritable)
        if isWritable, !written.isEmpty { try? flush() }
        recordQueue()
        let version = try? store.dataVersion()
        defer { knownVersion = version }
        return knownVersion != nil && version != knownVersion
    }

    func waitingDeliveries(to receiver: String, limit: Int) throws -> [WaitingDelivery] {
        try store.waitingDeliveries(to: receiver, limit: limit)
    }

    func note(_ delivery: WaitingDelivery, failure: String?, isCharged: Bool, isLast: Bool) async throws {
        try await keep { try store.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast) }
    }

    /// Forgets what is kept longer than it has to be.
    func prune(keepingGone count: Int) throws -> [FilePathBytes] {
        try store.pruneEvents(keeping: Self.keptEvents)
        return try store.prune(keeping: count) { path in
            path.withCString { access($0, F_OK) } != 0 && errno == ENOENT
        }
    }

    /// Events that a stream can be taken up after.
    private static let keptEvents = 10_000

    func pendingCount() throws -> Int { try store.pendingCount() }

    private func recordQueue() {
        guard let queue = try? store.queueFigures() else { return }
        Gauge(label: "tablesight_queue_depth").record(queue.waiting)
        if let outbox = try? store.outboxFigures() {
            Gauge(label: "tablesight_outbox_depth").record(outbox.waiting)
            Gauge(label: "tablesight_dead_letters").record(outbox.dead)
        }
        // Counted from when it became the oldest: no clock of the machine decides it, and a restart begins anew.
        if queue.oldest != oldest?.id { oldest = queue.oldest.map { ($0, .now) } }
        Gauge(label: "tablesight_oldest_pending_seconds").record(
            oldest.map { $0.since.duration(to: .now) / .seconds(1) } ?? 0)
    }

    private func flush() throws {
        try store.markSidecarsWritten(written)
        written = []
    }

    /// Does what must be on the disk before anything else goes on; waits while the disk is full.
    func keep<Result>(_ write: () throws -> Result) async throws -> Result {
        while true {
            do {
                let result = try write()
                health.set(\.diskHasRoom, true)
                return result
            } catch let error as StartupError where error.isDiskFull && !Task.isShuttingDownGracefully {
                await waitForRoom(error)
            }
        }
    }

    /// Waits a second for room on the disk, and says so when it begins.
    private func waitForRoom(_ error: StartupError) async {
        if health.set(\.diskHasRoom, false) {
            logger.error("the disk is full: waiting for room", metadata: ["reason": "\(error.message)"])
        }
        try? await Task.sleep(for: .seconds(1))
    }
}

/// The file changed while it was worked on.
struct Superseded: Error {}
