import Foundation
import Intake
import Logging
import ServiceLifecycle
import Store
import UnixSignals
import Vocabulary

/// `tablesight watch`: folders in, one outcome for each file out, until it is told to stop.
public struct WatchDaemon: Sendable {
    let configuration: WatchConfiguration
    let installation: Installation
    let logger: Logger

    public init(_ configuration: WatchConfiguration, installation: Installation, logger: Logger) {
        self.configuration = configuration
        self.installation = installation
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
        let lastWords = try LastWordsFile(at: configuration.lastWords)
        defer { withExtendedLifetime(lastWords) {} }
        try Recovery(store: store, interpreter: installation.interpreter, logger: logger)
            .run(survivors: lastWords.survivors, profiles: configuration.profiles)

        let known = KnownFiles()
        try store.forEachKnown { known.insert($0, $1) }
        let health = DaemonHealth()
        let journal = Journal(store, known: known, health: health, logger: logger)
        let workers = WorkerPool(
            size: configuration.workers, program: installation.worker, limits: configuration.workerLimits,
            lastWords: lastWords.descriptor)
        let processor = PhotoProcessor(
            interpreter: installation.interpreter, workers: workers, photoLimits: configuration.photoLimits,
            processorSeconds: configuration.workerLimits.processorSeconds)

        let wakeUps = (0..<max(1, configuration.workers)).map { _ in WakeUp() }
        let lookUp = WakeUp()
        let watch = try InboxWatch(
            configuration, journal: journal, known: known, health: health, logger: logger
        ) { lookUp.ring() }
        let intake = IntakeService(watch: watch, wakeUp: lookUp, jobs: wakeUps, once: configuration.once)
        let jobs = JobService(
            configuration: configuration, journal: journal, processor: processor, health: health, wakeUps: wakeUps,
            logger: logger, announce: announce)
        let pulse = PulseService(
            journal: journal, watch: watch, workers: workers, health: health, jobs: wakeUps, logger: logger)
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    // Stopped in reverse: intake first, so that nothing new is queued while jobs end.
                    .init(service: pulse, successTerminationBehavior: .ignore),
                    .init(service: jobs, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: intake, successTerminationBehavior: .ignore),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await group.run()
        return try store.counts()
    }
}
