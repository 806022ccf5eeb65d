import Foundation
import Glibc
import Intake
import Logging
import Metrics
import ServiceLifecycle
import Store
import Core

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
    /// True while a photo is worked on that was running when an earlier run ended by its own fault. It is worked on alone: ends the
    /// daemon again, it is known why, and nobody else is charged.
    private var isSuspectInWork = false
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
    func next() async throws -> QueuedPhoto? {
        guard
            let photo = try await keep({
                isSuspectInWork
                    ? nil : try store.nextQueued(after: lastTop, leavingOut: busy, busyTops: busyBoards)
            })
        else { return nil }
        if photo.attempt > 0 {
            // The others are waited for; whoever leaves last takes it.
            guard busy.isEmpty else { return nil }
            isSuspectInWork = true
        }
        lastTop = photo.top
        busy.insert(photo.id)
        if boards.contains(photo.top) { busyBoards.insert(photo.top) }
        return photo
    }

    func leave(_ photo: QueuedPhoto) {
        busy.remove(photo.id)
        if photo.attempt > 0 { isSuspectInWork = false }
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

    func quarantined(_ content: String) async throws -> QuarantinedContent? {
        try await keep { try store.quarantined(content) }
    }

    func answer(for content: String, asked: String) async throws -> ReadAnswer? {
        try await keep { try store.answer(for: content, asked: asked) }
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
    /// - Throws: ``StartupError`` where writing failed for another reason than a full disk or another program that writes: after
    ///   a failed sync nobody knows what is on the disk.
    func heartbeat() throws -> Bool {
        var isWritable = true
        do {
            try store.beat()
            if !written.isEmpty { try flush() }
        } catch let error as StartupError where error.passesByItself {
            isWritable = false
        }
        health.set(\.databaseIsWritable, isWritable)
        recordQueue()
        let version = try? store.dataVersion()
        defer { knownVersion = version }
        let isChanged = knownVersion != nil && version != knownVersion
        // What a review or a new judgement replaced; photos that are worked on write their own.
        if isChanged, busy.isEmpty {
            for (path, reason) in try store.writeSidecars() {
                logger.error(
                    "a sidecar cannot be written", metadata: ["photo": "\(path.display)", "reason": "\(reason)"])
            }
        }
        return isChanged
    }

    func waitingDeliveries(to receiver: String, limit: Int) throws -> [WaitingDelivery] {
        try store.waitingDeliveries(to: receiver, limit: limit)
    }

    func note(_ delivery: WaitingDelivery, failure: String?, isCharged: Bool, isLast: Bool) async throws {
        try await keep { try store.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast) }
    }

    /// Forgets what is kept longer than it has to be.
    func prune(keepingGone count: Int, _ configuration: WatchConfiguration) throws -> [ForgottenPhoto] {
        try store.pruneEvents(keeping: Self.keptEvents)
        var devices: [FilePathBytes: UInt64] = [:]
        for inbox in configuration.inboxes {
            var status = stat()
            if inbox.withCString({ stat($0, &status) }) == 0 { devices[inbox] = UInt64(status.st_dev) }
        }
        return try store.prune(keeping: count) { path, device in
            // Where another file system lies at the inbox than the photo came from, its share is not mounted: nothing is gone.
            guard let inbox = configuration.inbox(of: path), devices[inbox] == device else { return false }
            return path.withCString { access($0, F_OK) } != 0 && errno == ENOENT
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
            } catch let error as StartupError where error.isBusy && !Task.isCancelled {
                logger.warning("another program holds the database", metadata: ["reason": "\(error.message)"])
                // Waited for already as long as the database allows; the loops of others get their turn.
                await Task.yield()
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

extension StartupError {
    /// True where the same write may succeed in a moment.
    var passesByItself: Bool { isDiskFull || isBusy }
}
