import Foundation
import Logging
import Metrics
import ServiceLifecycle
import Store
import Vocabulary

/// Takes queued photos one by one, and gives each its outcome: row, sidecar, done.
struct JobService: Service {
    let live: LiveConfiguration
    var configuration: WatchConfiguration { live.current }
    let journal: Journal
    let baseProcessor: PhotoProcessor
    let health: DaemonHealth
    /// One for each runner; they end when nothing more will come.
    let wakeUps: [WakeUp]
    let boards: BoardSessions
    let logger: Logger
    let announce: @Sendable (Outcome, WatchedPlaces) -> Void

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
            try await withThrowingTaskGroup(of: Void.self) { runners in
                for wakeUp in wakeUps {
                    runners.addTask { try await PhotoRunner(self).run(wakeUp) }
                }
                try await runners.waitForAll()
            }
        } onGracefulShutdown: {
            Task {
                try? await Task.sleep(for: Self.grace)
                await workers.stop()
            }
        }
        await workers.stop()
        _ = await journal.pulse()
    }
}

/// Where the results of one photo lie.
public struct WatchedPlaces: Sendable, Hashable {
    public var sidecar: FilePathBytes
    public var overlay: FilePathBytes?
}
