import App
import Catalogue
import Foundation
import Glibc
import HTTP
import Household
import Intake
import Logging
import ServiceLifecycle
import Store
import UnixSignals
import Core

/// `tablesight watch`: reads every photo in the watched folders until it is stopped.
package struct WatchDaemon: Sendable {
    /// What the daemon gets from the program or a test around it.
    package struct Environment: Sendable {
        /// The API's settings; nil for no API.
        package var api: APISettings?
        package var isPortFixed = false
        package var metrics = PrometheusRegistry()
        /// Reads the configuration again on SIGHUP; nil if there is nothing to read.
        package var reload: (@Sendable () async throws -> WatchConfiguration)?
        /// Detects changed people while the daemon runs; nil if this is not wanted.
        package var people: PeopleWatch?

        package init() {}
    }

    /// The source of the configured people.
    package struct PeopleWatch: Sendable {
        /// A fast check value that changes if people outside the daemon's own database may have changed.
        var signature: @Sendable () -> [Int64]
        /// Loads the configured people.
        var load: @Sendable () throws -> [AllergenProfile]

        package init(
            signature: @escaping @Sendable () -> [Int64], load: @escaping @Sendable () throws -> [AllergenProfile]
        ) {
            self.signature = signature
            self.load = load
        }
    }

    let configuration: WatchConfiguration
    let engine: TablesightEngine
    let environment: Environment
    let logger: Logger

    package init(
        _ configuration: WatchConfiguration, engine: TablesightEngine, environment: Environment = Environment(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.engine = engine
        self.environment = environment
        self.logger = logger
    }

    /// Runs until SIGINT or SIGTERM, and then until running jobs end; with `once` until the queue is empty.
    ///
    /// - Parameter announce: called for each outcome after it and its sidecar are written.
    /// - Returns: number of files by status, over all runs on this output folder.
    /// - Throws: ``StartupError`` at the start, or if results can no longer be stored.
    package func run(
        announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) async throws -> [Outcome.Status: Int] {
        let lock = try InstanceLock(at: configuration.lock)
        defer { withExtendedLifetime(lock) {} }
        // Short, because the journal tries again and the daemon's other loops run in between.
        let store = try OutcomeStore(at: URL(filePath: configuration.database.display), patience: 2)
        let crashJournal = try CrashJournalFile(at: configuration.crashJournal)
        defer { withExtendedLifetime(crashJournal) {} }
        crashJournal.noteCrashes()
        FolderAccess.ignoreHarmlessSignals()
        Self.raiseDescriptors()
        try Recovery(store: store, logger: logger).run(crashJournal.notes)
        let known = KnownFiles()
        try store.forEachKnown { known.insert($0, $1) }

        let services = try services(store, known, crashJournal, announce)
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        do { try await group.run() } catch {
            SystemdNotice.stopping.send()
            throw error
        }
        SystemdNotice.stopping.send()
        return try store.counts()
    }

    /// Raises the limit of open files to its maximum: sockets, photos and the database share it.
    private static func raiseDescriptors() {
        var limit = rlimit()
        let files = __rlimit_resource_t(7)  // RLIMIT_NOFILE, which Swift does not import by name
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(mostDescriptors))
        setrlimit(files, &limit)
    }

    private static let mostDescriptors = 65_536

    /// Maximum connections: a quarter of the open files, at most 512.
    private static var connections: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 16 }
        return max(4, min(512, Int(clamping: limit.rlim_cur) / 4))
    }

    private func services(
        _ store: OutcomeStore, _ known: KnownFiles, _ crashJournal: CrashJournalFile,
        _ announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) throws -> [ServiceGroupConfiguration.ServiceConfiguration] {
        let live = LiveConfiguration(configuration)
        // The people of other places are taken over into the database, which exists from now on.
        if let people = environment.people { live.setProfiles(try people.load()) }
        let health = DaemonHealth()
        let figures = ReadingFigures()
        let journal = Journal(
            store, known: known, health: health, logger: logger, boards: configuration.boards, figures: figures)
        let workers = WorkerPool(
            size: configuration.workers, program: try engine.worker(), limits: configuration.workerLimits,
            crashJournal: crashJournal)
        var processor = PhotoProcessor(
            interpreter: try engine.interpreter(),
            reading: PhotoReading(
                workers: workers, photoLimits: configuration.photoLimits,
                processorSeconds: configuration.workerLimits.processorSeconds))
        processor.reviews = { (try? store.reviews(of: $0)) ?? [] }
        processor.kitchen = KitchenDishes(store)
        processor.wording = try engine.wordings()["en"]
        processor.remote = configuration.remote.map { RemoteCatalogue($0, keptIn: engine.catalogue) }
        let queue = configuration.queue.map {
            QueueBackend(
                $0, pool: workers, readsHere: configuration.workers > 0, limits: configuration.workerLimits,
                logger: logger)
        }
        if let queue { processor.reading.backend = queue }
        // One runner more than photos in work: it hashes and stores while the workers read.
        let most = max(1, configuration.workers) + (configuration.queue?.mostOutstanding ?? 0)
        let wakeUps = (0...most).map { _ in WakeUp() }
        let lookUp = WakeUp()
        let pulse = WakeUp()
        let progress = StageProgress()
        let socket = lineSocket()
        let boards = BoardSessions(store, models: engine.models, socket: socket)
        let cameras = LiveBoards(models: engine.models, socket: socket)
        let watch = try InboxWatch(live, journal: journal, known: known, health: health, logger: logger) {
            lookUp.ring()
        }

        let judge = StoredPhotosJudge(store, engine: engine, live: live, journal: journal, logger: logger) {
            [environment] in
            try environment.people?.load() ?? live.current.profiles
        }

        // Services stop in reverse order: intake first, so that nothing is queued while jobs end.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(
                service: HeartbeatService(
                    journal: journal, watch: watch, workers: workers, health: health, live: live,
                    crashJournal: crashJournal,
                    jobs: wakeUps, pulse: pulse, people: environment.people, judge: judge,
                    logger: logger), successTerminationBehavior: .ignore)
        ]
        if let queue {
            health.set(\.queueIsConnected, false)
            let service = QueueService(backend: queue, health: health, logger: logger)
            services.append(.init(service: service, successTerminationBehavior: .ignore))
        }
        var plays: [any OutcomeSink] = []
        if var api = environment.api {
            let household = HouseholdUseCases(Household(store), key: api.token)
            api.identities = household
            api.mostConnections = min(api.mostConnections, Self.connections)
            let probe = DaemonProbe(
                isAlive: { health.isAlive }, shortcomings: { health.current.shortcomings })
            let app = try app(
                AppParts(
                    store: store, live: live, journal: journal, known: known, processor: processor, jobs: wakeUps,
                    progress: progress, health: health, boards: boards, cameras: cameras,
                    household: household, judge: judge, figures: figures, queue: queue))
            app.addPages(to: &api)
            plays = [PlayInbox(app: app, logger: logger)]
            services.append(
                .init(
                    service: APIService(
                        settings: api, output: configuration.output, probe: probe, routes: app.routes,
                        isPortFixed: environment.isPortFixed, logger: logger), successTerminationBehavior: .ignore))
        }
        if !configuration.receivers.isEmpty, !configuration.once {
            let broker = configuration.mqtt.map {
                MQTTSender($0, counts: { try store.countsByDomain() }, health: { health.current.shortcomings })
            }
            services.append(
                .init(
                    service: OutboxService(
                        settings: configuration.webhooks, journal: journal, logger: logger, broker: broker),
                    successTerminationBehavior: .ignore))
        }
        if let reload = environment.reload {
            services.append(
                .init(
                    service: ReloadService(live: live, load: reload, logger: logger),
                    successTerminationBehavior: .ignore))
        }
        // What follows an outcome, in this order.
        let sinks: [any OutcomeSink] =
            [
                BoardSink(sessions: boards), EventSink(),
                DiaryInbox(store, catalogue: engine.catalogue, logger: logger),
                try GroceryPrices(store, engine: engine, logger: logger), SidecarSink(),
                DoneSink(progress: progress, logger: logger), OverlaySink(processor: processor),
                AnnouncementSink(announce: announce),
            ] + plays
        let jobs = JobService(
            live: live, journal: journal, baseProcessor: processor, health: health, crashJournal: crashJournal,
            wakeUps: wakeUps, progress: progress,
            sinks: OutcomeSinks(list: sinks, journal: journal, health: health, logger: logger), logger: logger)
        let intake = IntakeService(watch: watch, wakeUp: lookUp, jobs: wakeUps, pulse: pulse, once: configuration.once)
        try addCameras(to: &services, cameras)
        services.append(.init(service: jobs, successTerminationBehavior: .gracefullyShutdownGroup))
        services.append(.init(service: intake, successTerminationBehavior: .ignore))
        return services
    }

    /// A service for each camera, with a worker of its own.
    private func addCameras(
        to services: inout [ServiceGroupConfiguration.ServiceConfiguration], _ boards: LiveBoards
    ) throws {
        guard !configuration.once else { return }
        for camera in configuration.cameras {
            let workers = WorkerPool(size: 1, program: try engine.worker(), limits: configuration.workerLimits)
            let reading = PhotoReading(
                workers: workers, photoLimits: configuration.photoLimits,
                processorSeconds: configuration.workerLimits.processorSeconds)
            services.append(
                .init(
                    service: CameraService(camera: camera, boards: boards, reading: reading, logger: logger),
                    successTerminationBehavior: .ignore))
        }
    }

    /// The socket for the boards' lines; without it the daemon still runs.
    private func lineSocket() -> LineSocket? {
        guard !configuration.boards.isEmpty || !configuration.cameras.isEmpty, !configuration.once else {
            return nil
        }
        do throws(StartupError) { return try LineSocket(at: configuration.lineSocket) } catch {
            logger.warning("cannot create the socket for the boards' lines", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }
}
