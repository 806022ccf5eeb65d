import Foundation
import Glibc
import Logging
import Metrics
import ServiceLifecycle
import Store

/// Goes once a second through every loop of the daemon: where one hangs, the pulse stops, and whoever watches it knows.
struct PulseService: Service {
    let journal: Journal
    let watch: InboxWatch
    let workers: WorkerPool
    let health: DaemonHealth
    let live: LiveConfiguration
    let lastWords: LastWordsFile
    let jobs: [WakeUp]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let spare: Void = keepSpare()
            await beat()
            await spare
        }
    }

    /// Beside the beat: a spare may just have been given a job, and then answers when that is done.
    private func keepSpare() async {
        while !Task.isCancelled {
            health.set(\.workerAnswers, await workers.warmUp())
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func beat() async {
        var saidRefusals = false
        var isSaidReady = false
        var beats = 0
        var lastTally = WorkerPool.Tally()
        while !Task.isCancelled {
            if await journal.pulse() { jobs.forEach { $0.ring() } }
            await watch.pulse()
            let tally = await workers.tally
            if !saidRefusals, let refused = tally.refused {
                saidRefusals = true
                say(refused)
            }
            note(tally, since: lastTally)
            lastTally = tally
            lookAtDisk()
            lastWords.trim()
            beats += 1
            if beats.isMultiple(of: Self.pruneBeats) { await prune() }
            health.beat()
            SystemdNotice.alive.send()
            if !isSaidReady, health.current.hasScanned {
                isSaidReady = true
                SystemdNotice.ready.send()
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Beats between two looks at what may be forgotten: an hour's.
    private static let pruneBeats = 3600

    private func prune() async {
        do {
            for sidecar in try await journal.prune(keepingGone: live.current.keptGoneOutcomes) {
                sidecar.withCString { _ = unlink($0) }
            }
        } catch {
            logger.warning("nothing could be forgotten", metadata: ["reason": "\(error)"])
        }
    }

    private func lookAtDisk() {
        let configuration = live.current
        let free = OutcomeStore.freeBytes(beside: URL(filePath: configuration.database.display))
        health.set(\.diskIsAboveMark, free >= configuration.minimumFreeBytes)
        Gauge(label: "tablesight_disk_free_bytes").record(free)
    }

    /// Once: what a kernel does not have will not come.
    private func say(_ refused: [String]) {
        guard !refused.isEmpty else { return }
        logger.warning(
            "the kernel refuses a part of the workers' confinement: going on without it",
            metadata: ["refused": "\(refused.joined(separator: "; "))"])
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
