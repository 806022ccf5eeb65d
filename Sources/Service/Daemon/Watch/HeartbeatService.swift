internal import CLinuxSupport
import Core
import Engine
import Foundation
import Glibc
import Logging
import Metrics
import ServiceLifecycle
import Store

/// Calls every loop of the daemon once a second, while it is idle every five seconds. If one hangs, the heartbeat stops,
/// which probes and systemd detect.
struct HeartbeatService: Service {
    let journal: Journal
    let watch: InboxWatch
    let workers: WorkerPool
    let health: DaemonHealth
    let live: LiveConfiguration
    let crashJournal: CrashJournalFile
    let jobs: [WakeUp]
    /// Rung when files were queued, for a beat before the next is due.
    let pulse: WakeUp
    let people: PeopleWatch?
    let judge: StoredPhotosJudge
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            let spareCheck = WakeUp()
            async let spare: Void = keepSpare(spareCheck)
            try await beat(spareCheck)
            spareCheck.end()
            await spare
        }
    }

    /// Runs beside the heartbeat, because a spare that just got a job answers only when it is done.
    private func keepSpare(_ check: WakeUp) async {
        for await _ in check.rings {
            health.set(\.workerAnswers, await workers.warmUp())
            await workers.endIdle(since: Self.keptIdle)
        }
    }

    /// Workers without a job for this long end and give back their memory; the spare waits for the next photo.
    private static let keptIdle = Duration.seconds(120)

    /// - Throws: ``StartupError`` if results can no longer be stored.
    private func beat(_ spareCheck: WakeUp) async throws {
        var saidRefusals = false
        var isSaidReady = false
        var lastTally = WorkerPool.Tally()
        var lastPeople: (files: [Int64]?, stored: [Data]?, turns: Int) = (people?.signature(), nil, 0)
        var lastWork = ContinuousClock.now
        var nextPrune = ContinuousClock.now + Self.prunePause
        while !Task.isCancelled {
            if await workers.needsCare(since: Self.keptIdle) { spareCheck.ring() }
            // Asked first: somebody whom the app adds and another program removes before the next beat leaves no other trace.
            let turns = await judge.turns
            let beat = try await journal.heartbeat()
            if beat.isChanged { jobs.forEach { $0.ring() } }
            await watch.heartbeat()
            let tally = await workers.tally
            if !saidRefusals, let refused = tally.refused {
                saidRefusals = true
                say(refused)
            }
            note(tally, since: lastTally)
            let now = ContinuousClock.now
            if beat.hasWork || tally.jobs != lastTally.jobs || !health.current.shortcomings.isEmpty {
                lastWork = now
            }
            lastTally = tally
            lookAtDisk()
            if let people, case let now = (people.signature(), beat.people, turns), now != lastPeople {
                lastPeople = now
                try await take(people)
            }
            try await judge.beat()
            crashJournal.trim()
            if now >= nextPrune {
                nextPrune = now + Self.prunePause
                try await prune()
            }
            health.beat()
            SystemdNotice.alive.send()
            if !isSaidReady, health.current.hasScanned {
                isSaidReady = true
                SystemdNotice.ready.send()
            }
            if lastWork.duration(to: .now) > Self.calm {
                await pulse.next(within: Self.idlePause)
            } else {
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private static let pause = Duration.seconds(1)
    /// Well below the ten seconds after which the daemon counts as hung (``DaemonHealth/isAlive``).
    private static let idlePause = Duration.seconds(5)
    /// Time without work after which the daemon is idle.
    private static let calm = Duration.seconds(10)
    private static let prunePause = Duration.seconds(3600)

    private func prune() async throws {
        do {
            let configuration = live.current
            for photo in try await journal.prune(keepingGone: configuration.keptGoneOutcomes, configuration) {
                OutputFolder.removeResults(of: photo, in: configuration.output)
            }
        } catch {
            if let error = error as? StartupError, !error.passesByItself { throw error }
            logger.warning("old outcomes could not be deleted", metadata: ["reason": "\(error)"])
        }
    }

    /// Replaces the people; the next photo is judged for them.
    private func take(_ people: PeopleWatch) async throws {
        do {
            try await judge.take(try people.load())
        } catch {
            // An error of the disk ends the daemon, as everywhere.
            if let error = error as? StartupError, error.exitCode == .inputOutput, !error.passesByItself { throw error }
            logger.warning(
                "people cannot be read: the previous ones stay in use", metadata: ["reason": "\(error)"])
        }
    }

    private func lookAtDisk() {
        let configuration = live.current
        let free = OutcomeStore.freeBytes(beside: URL(filePath: configuration.database.display))
        health.set(\.diskIsAboveMark, free >= configuration.minimumFreeBytes)
        Gauge(label: "tablesight_disk_free_bytes").record(free)
    }

    /// Reports missing confinement once, because the kernel does not change at run time.
    private func say(_ refused: [String]) {
        guard !refused.isEmpty else { return }
        logger.error(
            "WORKERS ARE NOT FULLY CONFINED: the kernel refuses a part. A photo that exploits a worker could do harm",
            metadata: ["refused": "\(refused.joined(separator: "; "))"])
        Gauge(label: "tablesight_confinement_refused").record(refused.count)
    }

    private func note(_ tally: WorkerPool.Tally, since last: WorkerPool.Tally) {
        for (cause, count) in tally.replaced where count > last.replaced[cause, default: 0] {
            let more = count - last.replaced[cause, default: 0]
            Counter(label: "tablesight_worker_restarts_total", dimensions: [("cause", cause)]).increment(
                by: Int64(more))
            if cause != "recycled", cause != WorkerFault.stopped.cause {
                logger.warning("workers were replaced", metadata: ["cause": "\(cause)", "count": "\(more)"])
            }
        }
    }
}

package struct PeopleWatch: Sendable {
    /// A fast check value that changes if people outside the daemon's own database may have changed.
    var signature: @Sendable () -> [Int64]
    var load: @Sendable () throws -> [AllergenProfile]

    package init(
        signature: @escaping @Sendable () -> [Int64], load: @escaping @Sendable () throws -> [AllergenProfile]
    ) {
        self.signature = signature
        self.load = load
    }
}

/// How long the oldest photo of the queue has been waiting, also while photos before it are read.
///
/// Counts from the heartbeat that saw the photo first: no decision depends on wall-clock time, and a restart begins at zero.
struct PendingAge {
    /// When each id was the newest one of the queue, oldest first: photos up to it have been waiting since then at least.
    private var seen: [(newest: Int64, at: ContinuousClock.Instant)] = []
    private static let most = 1000

    /// - Parameters:
    ///   - oldest: the id of the oldest waiting photo; nil if none waits. Ids ascend.
    ///   - newest: the id of the newest one.
    /// - Returns: the time that the oldest photo has been waiting for.
    mutating func note(oldest: Int64?, newest: Int64?, at now: ContinuousClock.Instant) -> Duration {
        guard let oldest, let newest else {
            seen = []
            return .zero
        }
        seen.removeAll { $0.newest < oldest }
        if seen.last.map({ $0.newest < newest }) ?? true { seen.append((newest, now)) }
        // A photo whose own time is left out has the next later one, so that no age is too long.
        if seen.count > Self.most { seen = seen.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
        return seen.first.map { $0.at.duration(to: now) } ?? .zero
    }
}

/// Notifications for systemd (`Type=notify`, `WatchdogSec=`).
enum SystemdNotice: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    /// The daemon's loop is running.
    case alive = "WATCHDOG=1"

    func send() { _ = ts_notify(rawValue) }
}
