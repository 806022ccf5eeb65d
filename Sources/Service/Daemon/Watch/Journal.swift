import Boards
import Foundation
import Glibc
import Intake
import Logging
import Metrics
import ServiceLifecycle
import Store
import Core

/// Serialises all writes of the daemon on its own thread, because SQLite has one writer and syncing blocks.
///
/// On a full disk it waits and tries again. Any other write error ends the daemon: after a failed sync the state of the
/// disk is unknown, and the next start reads it again.
actor Journal {
    private let executor = ThreadExecutor(label: "journal")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let known: KnownFiles
    private let health: DaemonHealth
    private let logger: Logger
    private var busy: Set<Int64> = []
    /// Boards with a photo in work; frames of a board are processed one at a time.
    private var busyBoards: Set<Data> = []
    private let boards: Set<Data>
    private let figures: ReadingFigures
    private var taken: [Int64: ContinuousClock.Instant] = [:]
    /// True while a photo is in work that may have crashed an earlier run. It runs alone: if the daemon crashes again,
    /// the cause is known, and no other photo is charged.
    private var isSuspectInWork = false
    /// The folder of the last photo.
    private var lastTop = Data()
    /// Written sidecars that are not yet marked in the database.
    private var written: [WrittenSidecar] = []
    private var knownVersion: Int?
    /// True where another program changed outcomes whose sidecars are not written yet.
    private var hasStaleSidecars = false
    /// True until a look at all outcomes finds none without a summary. Outcomes of this program get theirs at once.
    private var mayLackSummaries = true
    private var hasWaiting = false
    private var age = PendingAge()

    init(
        _ store: OutcomeStore, known: KnownFiles, health: DaemonHealth, logger: Logger, boards: [Board] = [],
        figures: ReadingFigures = ReadingFigures()
    ) {
        self.figures = figures
        self.boards = Set(boards.map { Data($0.folder.bytes) })
        self.store = store
        self.known = known
        self.health = health
        self.logger = logger
    }

    /// The next photo; it belongs to the caller until ``leave(_:)``.
    func next() async throws -> QueuedPhoto? {
        guard
            let photo = try await keep({
                isSuspectInWork
                    ? nil : try store.nextQueued(after: lastTop, leavingOut: busy, busyTops: busyBoards)
            })
        else { return nil }
        if photo.attempt > 0 {
            // Wait for the others; the last one to leave takes the photo.
            guard busy.isEmpty else { return nil }
            isSuspectInWork = true
        }
        lastTop = photo.top
        busy.insert(photo.id)
        taken[photo.id] = .now
        if boards.contains(photo.top) { busyBoards.insert(photo.top) }
        return photo
    }

    func leave(_ photo: QueuedPhoto) {
        busy.remove(photo.id)
        taken[photo.id] = nil
        if photo.attempt > 0 { isSuspectInWork = false }
        busyBoards.remove(photo.top)
    }

    func enqueue(
        _ files: [FoundFile], _ configuration: WatchConfiguration
    ) async throws {
        try await keep {
            try store.enqueue(
                files, top: { configuration.top(of: $0.path) }, kitchen: { configuration.kitchen(of: $0.path) },
                isFrame: { configuration.board(of: $0.path) != nil }, sidecar: { configuration.sidecar(for: $0) })
        }
        for file in files { known.insert(file.path, file.identity) }
        // Frames of a board arrive by the second and have their own stream.
        let events = try files.filter { configuration.board(of: $0.path) == nil }.map {
            try QueuedEvent($0, id: configuration.uploadedContent($0.path), at: Date()).stored
        }
        try await keep { try store.publish(events) }
    }

    /// Replaces outcomes that were judged again, and publishes what changed. Their sidecars follow.
    ///
    /// - Parameter row: as of ``OutcomeStore/replace(_:publishing:judgedUpTo:)``.
    func replace(
        _ outcomes: [NewOutcome], publishing events: [NewEvent], judgedUpTo row: Int64? = nil
    ) async throws {
        try await keep { try store.replace(outcomes, publishing: events, judgedUpTo: row) }
        if !outcomes.isEmpty { hasStaleSidecars = true }
    }

    /// - Throws: ``Superseded`` if the file changed; the attempt must not start.
    func charge(_ photo: QueuedPhoto, attempt: Int, content: String) async throws {
        guard try await keep({ try store.charge(photo, attempt: attempt, content: content) }) else {
            throw Superseded()
        }
    }

    func release(_ photo: QueuedPhoto, attempt: Int) async throws {
        try await keep { try store.release(photo, attempt: attempt) }
    }

    /// Removes the file from the queue. If it still exists, intake finds it again and waits until it is complete.
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
        let isStored = try await keep {
            let isStored = try store.finish(photo, finished, noting: written)
            written = []
            return isStored
        }
        if isStored, let since = taken[photo.id] { figures.note(answered: since.duration(to: .now)) }
        return isStored
    }

    /// Called for each file that was made from an outcome. Marks a sidecar as written, with the next write.
    ///
    /// - Returns: false if the photo was erased meanwhile; the file is then removed, and what else was stored since.
    func keeps(_ file: FilePathBytes, of judged: JudgedPhoto) throws -> Bool {
        let photo = judged.photo
        if try store.removeIfErased(file, of: photo.path) {
            // Prices of the photo may have been recorded after it was erased.
            if let content = judged.outcome.id, try store.photos(ofContent: content).isEmpty {
                _ = try store.erase(content, isAlone: false)
            }
            return false
        }
        if file == photo.sidecar {
            written.append(WrittenSidecar(photo: photo.id, json: judged.finished.json))
        }
        return true
    }

    /// What a heartbeat found in the database.
    struct Beat {
        /// True if another program changed the database, for example with `quarantine retry`.
        let isChanged: Bool
        /// True while photos wait or are read.
        let hasWork: Bool
        /// The stored people as JSON, to notice a change; nil if they cannot be read.
        let people: [Data]?
    }

    /// Called with each heartbeat. Writes pending marks and checks that the database is writable.
    ///
    /// - Throws: ``StartupError`` if writing failed for a reason other than a full disk or a lock: after a failed sync
    ///   the state of the disk is unknown.
    func heartbeat() throws -> Beat {
        var isWritable = true
        do {
            try store.beat()
            if !written.isEmpty { try flush() }
        } catch let error as StartupError where error.passesByItself {
            isWritable = false
        }
        let version = try? store.dataVersion()
        defer { knownVersion = version }
        let isChanged = knownVersion != nil && version != knownVersion
        if isChanged { (hasStaleSidecars, mayLackSummaries) = (true, true) }
        if isWritable { refreshSummaries() }
        health.set(\.databaseIsWritable, isWritable)
        recordQueue()
        // Write sidecars that a review or `rejudge` replaced; photos in work write their own.
        if hasStaleSidecars, busy.isEmpty { try writeStaleSidecars() }
        return Beat(isChanged: isChanged, hasWork: hasWork, people: try? store.profileRecords())
    }

    /// An old database gets its summaries little by little; a search computes what it misses. Looking for missing ones
    /// reads all outcomes, so it ends with the last one.
    private func refreshSummaries() {
        let limit = Self.refreshedSummaries
        guard let made = try? store.refreshSummaries(limit: limit, findsMissing: mayLackSummaries) else { return }
        if made < limit { mayLackSummaries = false }
    }

    private func writeStaleSidecars() throws {
        do {
            try SidecarSink.writeMissing(store, logger)
            hasStaleSidecars = false
        } catch let error as StartupError where error.passesByItself {
            // The next heartbeat tries again.
            health.set(\.databaseIsWritable, false)
        }
    }

    func waitingDeliveries(to receiver: String, limit: Int) throws -> [WaitingDelivery] {
        try store.waitingDeliveries(to: receiver, limit: limit)
    }

    func note(_ delivery: WaitingDelivery, failure: String?, isCharged: Bool, isLast: Bool) async throws {
        try await keep { try store.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast) }
    }

    func prune(keepingGone count: Int, _ configuration: WatchConfiguration) throws -> [ForgottenPhoto] {
        try store.pruneEvents(keeping: Self.keptEvents)
        var devices: [FilePathBytes: UInt64] = [:]
        for inbox in configuration.inboxes {
            var status = stat()
            if inbox.withCString({ stat($0, &status) }) == 0 { devices[inbox] = UInt64(status.st_dev) }
        }
        defer { deletePictures(below: configuration.output.appending(names: "pictures")) }
        return try store.prune(keeping: count) { path, device in
            // If the device differs from the photo's, its share is not mounted, so its photos are not deleted.
            guard let inbox = configuration.inbox(of: path), devices[inbox] == device else { return false }
            return path.withCString { access($0, F_OK) } != 0 && errno == ENOENT
        }
    }

    /// Deletes cached pictures of contents that are no longer stored.
    private func deletePictures(below folder: FilePathBytes) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.display)) ?? [] {
            guard let hash = name.split(separator: "-").first, hash.utf8.count == 64,
                (try? store.isKnown("sha256:" + hash)) == false
            else { continue }
            folder.appending(names: name).withCString { _ = unlink($0) }
        }
    }

    /// Number of events kept for streams that reconnect.
    private static let keptEvents = 10_000

    /// Summaries computed in one heartbeat: a tenth of a second's work.
    private static let refreshedSummaries = 20

    func pendingCount() throws -> Int { try store.pendingCount() }

    /// True if a photo waits or is in work, as of the last heartbeat.
    var hasWork: Bool { !busy.isEmpty || hasWaiting }

    private func recordQueue() {
        guard let queue = try? store.queueFigures() else { return }
        Gauge(label: "tablesight_queue_depth").record(queue.waiting)
        figures.note(waiting: queue.waiting)
        if let outbox = try? store.outboxFigures() {
            Gauge(label: "tablesight_outbox_depth").record(outbox.waiting)
            Gauge(label: "tablesight_dead_letters").record(outbox.dead)
        }
        hasWaiting = queue.oldest != nil
        Gauge(label: "tablesight_oldest_pending_seconds").record(
            age.note(oldest: queue.oldest, newest: queue.newest, at: .now) / .seconds(1))
    }

    private func flush() throws {
        try store.markSidecarsWritten(written)
        written = []
    }

    /// Runs a write that must succeed before work continues; waits while the disk is full.
    func keep<Result>(_ write: () throws -> Result) async throws -> Result {
        while true {
            do {
                let result = try write()
                health.set(\.diskHasRoom, true)
                return result
            } catch { try await health.waitOut(error, logger) }
        }
    }
}

/// The file changed while it was in work.
struct Superseded: Error {}

extension StartupError {
    /// True if the same write may succeed later.
    var passesByItself: Bool { isDiskFull || isBusy }
}
