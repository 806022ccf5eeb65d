import Foundation
import Logging
import Metrics
import ServiceLifecycle
import Store
import Core

/// Takes queued photos one by one, and gives each its outcome: row, sidecar, done.
struct JobService: Service {
    let live: LiveConfiguration
    var configuration: WatchConfiguration { live.current }
    let journal: Journal
    let baseProcessor: PhotoProcessor
    let health: DaemonHealth
    let crashJournal: CrashJournalFile
    /// One for each runner; they end when nothing more will come.
    let wakeUps: [WakeUp]
    let boards: BoardSessions
    let logger: Logger
    let announce: @Sendable (Outcome, WatchedResult) -> Void

    /// With the limits that hold now.
    var processor: PhotoProcessor {
        var processor = baseProcessor
        processor.photoLimits = live.current.photoLimits
        return processor
    }

    /// How long running jobs may go on after the daemon was asked to stop; then they wait for its next start.
    private static let grace = Duration.seconds(6)

    func run() async throws {
        let workers = baseProcessor.workers
        try await withGracefulShutdownHandler {
            try await Self.runAll(wakeUps.map { wakeUp in { try await PhotoRunner(self).run(wakeUp) } }) {
                // What cannot be kept any more need not be read to its end.
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

    /// Runs all of them beside each other until the last has ended. The first that throws ends the others too, at once: a daemon
    /// whose results cannot be kept must not go on with fewer runners.
    ///
    /// - Parameter failed: called once, before the others are waited for.
    /// - Throws: what the first of them threw.
    static func runAll(
        _ runners: [@Sendable () async throws -> Void], failed: @Sendable () async -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask(operation: runner) }
            do {
                // `waitForAll` would tell of an error only when all have ended.
                while try await group.next() != nil {}
            } catch {
                group.cancelAll()
                await failed()
                throw error
            }
        }
    }
}

/// What goes with the outcome of one photo.
public struct WatchedResult: Sendable, Hashable {
    /// Whom it was judged for.
    public var people: [AllergenProfile]
    /// Nil where it could not be written: the outcome is in the database all the same.
    public var sidecar: FilePathBytes?
    public var overlay: FilePathBytes?
}
