import Intake
import Logging
import Metrics
import Store
import Core

/// Scans the inboxes on its own thread and queues new, complete files.
actor InboxWatch {
    private let executor = ThreadExecutor(label: "intake")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let live: LiveConfiguration
    private var configuration: WatchConfiguration { live.current }
    private let journal: Journal
    private let known: KnownFiles
    private let health: DaemonHealth
    private let logger: Logger
    private let events: FolderEvents
    private var settling: Settling
    private var nextRescan = ContinuousClock.now
    private var hasScanned = false
    private var unwatched: Set<FilePathBytes> = []

    private static let overflows = Counter(label: "tablesight_inotify_overflows_total")
    private static let foundByRescan = Counter(label: "tablesight_files_found_by_rescan_total")
    private static let queued = Counter(label: "tablesight_files_queued_total")

    /// Files per transaction; new events are processed in between.
    private static let batch = 5000

    init(
        _ live: LiveConfiguration, journal: Journal, known: KnownFiles, health: DaemonHealth, logger: Logger,
        onEvent: @escaping @Sendable () -> Void
    ) throws {
        self.live = live
        self.journal = journal
        self.known = known
        self.health = health
        self.logger = logger
        events = try FolderEvents(onEvent: onEvent)
        let fixed = live.current
        settling = Settling(interval: fixed.settle) { path in
            fixed.inbox(of: path).map { Settling.observe(at: path, below: $0) } ?? .gone
        }
    }

    /// The next step after a scan.
    struct Next: Sendable {
        /// Time until the next scan without events.
        var pause: Duration
        /// True if files were queued.
        var hasQueued: Bool
        /// True if no file is waiting.
        var isSettled: Bool
    }

    /// Scans the changed folders, or everything if it is due; queues complete files.
    func inspect() async throws -> Next {
        let now = ContinuousClock.now
        settling.interval = configuration.settle
        let dirty = events.takeDirty()
        if dirty.overflowed { Self.overflows.increment() }
        if dirty.overflowed || now >= nextRescan {
            scanAll(countingFound: hasScanned && !dirty.overflowed && dirty.isEmpty, at: now)
            nextRescan = now + rescanInterval
        } else {
            scan(dirty, at: now)
        }
        let hasQueued = try await queueSettled()
        if settling.takesMore() { nextRescan = .now }
        let left = max(.zero, nextRescan - .now)
        return Next(
            // After a batch more files may be ready: process events, then continue at once.
            pause: settling.isWaiting ? (hasQueued ? .zero : min(configuration.settle, left)) : left,
            hasQueued: hasQueued,
            isSettled: !settling.isWaiting && !settling.hasLeftOut && left > .zero)
    }

    private var rescanInterval: Duration {
        let isRemote = configuration.inboxes.contains { FolderAccess.needsPolling($0) }
        return isRemote || !unwatched.isEmpty ? min(configuration.poll, configuration.rescan) : configuration.rescan
    }

    private func scanAll(countingFound: Bool, at now: ContinuousClock.Instant) {
        unwatched = []
        let before = settling.waitingCount
        var isLive = true
        for inbox in configuration.inboxes { isLive = scan(inbox, from: inbox, isDeep: true, at: now) && isLive }
        if countingFound, settling.waitingCount > before {
            Self.foundByRescan.increment(by: Int64(settling.waitingCount - before))
        }
        if let first = unwatched.first {
            logger.warning(
                "folders without events are scanned every \(configuration.poll); raise fs.inotify.max_user_watches",
                metadata: ["count": "\(unwatched.count)", "first": "\(first.display)"])
        }
        health.set(\.watcherIsLive, isLive)
        if !hasScanned { health.set(\.hasScanned, true) }
        hasScanned = true
    }

    private func scan(_ dirty: FolderEvents.Dirty, at now: ContinuousClock.Instant) {
        for (folders, isDeep) in [(dirty.trees, true), (dirty.folders.subtracting(dirty.trees), false)] {
            for folder in folders {
                guard let inbox = configuration.inbox(of: folder) else { continue }
                scan(inbox, from: folder, isDeep: isDeep, arrived: dirty.arrived, at: now)
            }
        }
    }

    /// - Returns: false if the first folder cannot be listed.
    @discardableResult
    private func scan(
        _ inbox: FilePathBytes, from folder: FilePathBytes, isDeep: Bool, arrived: Set<FilePathBytes> = [],
        at now: ContinuousClock.Instant
    ) -> Bool {
        do throws(ScanError) {
            let unreadable = try FolderScan.visit(
                inbox, from: folder, isDeep: isDeep,
                // Watch first, then list: a file that arrives between the two is found by one of them.
                // A refused folder is unreadable and reported below, or gone.
                enter: { if events.watch($0) == .limitReached { unwatched.insert($0) } },
                file: { path, identity in
                    guard !known.contains(path, identity) else { return }
                    settling.note(path, identity, at: now, isWhole: arrived.contains(path))
                })
            for (folder, reason) in unreadable {
                logger.warning(
                    "cannot list a folder", metadata: ["folder": "\(folder.display)", "reason": "\(reason)"])
            }
            return true
        } catch {
            // A folder from an event may be gone; an inbox must exist.
            if folder == inbox {
                logger.warning(
                    "cannot list an inbox", metadata: ["inbox": "\(inbox.display)", "reason": "\(error.reason)"])
                nextRescan = min(nextRescan, now + configuration.poll)
            }
            return false
        }
    }

    /// Returns if the actor is not blocked.
    func heartbeat() {}

    private func queueSettled() async throws -> Bool {
        var files = settling.takeSettled(at: .now, limit: Self.batch).map { path, identity in
            FoundFile(path: path, relativePath: path, identity: identity)
        }
        // Photos of a board are its frames, in the order of their modification times.
        if !configuration.boards.isEmpty {
            files.sort { ($0.identity.modified, $0.path.display) < ($1.identity.modified, $1.path.display) }
        }
        guard !files.isEmpty else { return false }
        try await journal.enqueue(files, configuration)
        Self.queued.increment(by: Int64(files.count))
        return true
    }
}
