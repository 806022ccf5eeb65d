import Engine
import Foundation
import HTTP
import Logging
import Metrics
import ServiceLifecycle

struct JobService: Service {
    let live: LiveConfiguration
    var configuration: WatchConfiguration { live.current }
    let journal: Journal
    let baseProcessor: PhotoProcessor
    let health: DaemonHealth
    let crashJournal: CrashJournalFile
    /// One for each runner; a runner ends when its stream ends.
    let wakeUps: [WakeUp]
    let progress: StageProgress
    let sinks: OutcomeSinks
    let logger: Logger

    /// The processor with the current limits.
    var processor: PhotoProcessor { baseProcessor.limited(to: live.current.photoLimits) }

    /// Maximum time for running jobs after a stop request; afterwards they wait for the next start.
    private static let grace = Duration.seconds(6)

    func run() async throws {
        let workers = baseProcessor.reading.backend
        try await withGracefulShutdownHandler {
            try await Self.runAll(wakeUps.map { wakeUp in { try await PhotoRunner(self).run(wakeUp) } }) {
                // Results can no longer be stored, so running jobs are cancelled.
                health.set(\.hasFailed, true)
                await workers.stop()
            }
        } onGracefulShutdown: {
            Task {
                try? await Task.sleep(for: Self.grace)
                await workers.stop()
            }
        }
        await workers.stop()
        _ = try await journal.heartbeat()
    }

    /// Runs all runners in parallel until the last one ends. The first error ends the others at once: a daemon that
    /// cannot store results must not continue with fewer runners.
    ///
    /// - Parameter failed: called once, before the others are awaited.
    static func runAll(
        _ runners: [@Sendable () async throws -> Void], failed: @Sendable () async -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask(operation: runner) }
            do {
                // `waitForAll` would throw only after all runners have ended.
                while try await group.next() != nil {}
            } catch {
                group.cancelAll()
                await failed()
                throw error
            }
        }
    }
}
