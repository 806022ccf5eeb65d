import Foundation
import Logging
import ServiceLifecycle
import Store
import UnixSignals
import Vocabulary

/// `tablesight watch`: folders in, one outcome for each file out, until it is told to stop.
public struct WatchDaemon: Sendable {
    let configuration: WatchConfiguration
    let processor: PhotoProcessor
    let logger: Logger

    public init(_ configuration: WatchConfiguration, installation: Installation, logger: Logger) {
        self.configuration = configuration
        processor = installation.processor(workers: configuration.workers)
        self.logger = logger
    }

    /// Runs until SIGINT or SIGTERM, which let running jobs end first; with `once` until nothing waits.
    ///
    /// - Parameter announce: called for each outcome once it is stored and its sidecar written.
    /// - Returns: how many files ended in each status, over all runs on this output folder.
    /// - Throws: ``StartupError``, at start or where results can no longer be kept.
    public func run(
        announce: @escaping @Sendable (Outcome, WatchedPlaces) -> Void
    ) async throws -> [Outcome.Status: Int] {
        let lock = try InstanceLock(at: configuration.lock)
        defer { withExtendedLifetime(lock) {} }
        let store = try OutcomeStore(at: URL(filePath: configuration.database.display))
        try recover(store)

        let wakeUps = (0..<max(1, configuration.workers)).map { _ in WakeUp() }
        let intake = IntakeService(configuration: configuration, store: store, jobs: wakeUps, logger: logger)
        let jobs = JobService(
            configuration: configuration, store: store, processor: processor, wakeUps: wakeUps, logger: logger,
            announce: announce)
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    // Stopped in reverse: intake first, so that nothing new is queued while jobs end.
                    .init(service: jobs, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: intake, successTerminationBehavior: .ignore),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await group.run()
        return try store.counts()
    }

    /// Finishes what a run that was killed left half done.
    private func recover(_ store: OutcomeStore) throws {
        let interrupted = try store.requeueInterrupted()
        let unwritten = try store.unwrittenSidecars()
        for (photo, json) in unwritten {
            try SidecarFile.write(json + [0x0A], to: photo.sidecar)
            try store.markSidecarWritten(photo)
        }
        if interrupted + unwritten.count > 0 {
            logger.notice(
                "took up what an earlier run left",
                metadata: ["jobs": "\(interrupted)", "sidecars": "\(unwritten.count)"])
        }
    }
}
