import App
import Boards
import Catalogue
import Core
import Engine
import Foundation
import HTTP
import Household
import Intake
import Kinds
import Logging
import Queue
import ServiceLifecycle
import Store
import UnixSignals

/// `tablesight watch`: reads every photo in the watched folders until it is stopped. The composition root of the daemon:
/// it makes each part once, and from them the app, the services and what follows an outcome.
package struct WatchDaemon: Sendable {
    /// What the daemon gets from the program or a test around it.
    package struct Environment: Sendable {
        package var api: APISettings?
        package var isPortFixed = false
        package var metrics = PrometheusRegistry()
        /// Reads the configuration again on SIGHUP; nil if there is nothing to read.
        package var reload: (@Sendable () async throws -> WatchConfiguration)?
        /// Detects changed people while the daemon runs; nil if this is not wanted.
        package var people: PeopleWatch?

        package init() {}
    }

    let configuration: WatchConfiguration
    let engine: TablesightEngine
    let environment: Environment
    let logger: Logger

    private let lock: InstanceLock
    private let crashJournal: CrashJournalFile
    let store: OutcomeStore
    let live: LiveConfiguration
    let health = DaemonHealth()
    let figures = ReadingFigures()
    let known = KnownFiles()
    let journal: Journal
    private let workers: WorkerPool
    let processor: PhotoProcessor
    let queue: QueueBackend?
    /// One for each runner of jobs.
    let runners: [WakeUp]
    private let pulse = WakeUp()
    let progress = StageProgress()
    /// The games of the program and the household's own, as they were at the start.
    let games: GameCatalogue
    let boards: BoardSessions
    let cameras: LiveBoards
    let judge: StoredPhotosJudge

    /// Makes the parts; nothing runs.
    ///
    /// - Throws: ``StartupError`` if another daemon uses the output folder, or a part is missing or damaged.
    package init(
        _ configuration: WatchConfiguration, engine: TablesightEngine, environment: Environment = Environment(),
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.engine = engine
        self.environment = environment
        self.logger = logger
        lock = try InstanceLock(at: configuration.lock)
        // Short, because the journal tries again and the daemon's other loops run in between.
        let store = try OutcomeStore(at: URL(filePath: configuration.database.display), patience: 2)
        self.store = store
        crashJournal = try CrashJournalFile(at: configuration.crashJournal)
        let live = LiveConfiguration(configuration)
        self.live = live
        // The people of other places are taken over into the database, which exists from now on.
        if let people = environment.people { live.setProfiles(try people.load()) }
        journal = Journal(
            store, known: known, health: health, logger: logger, boards: configuration.boards, figures: figures)

        let limits = configuration.workerLimits
        let workers = WorkerPool(
            size: configuration.workers, program: try engine.worker(), limits: limits, crashJournal: crashJournal)
        self.workers = workers
        var processor = PhotoProcessor(
            interpreter: try engine.interpreter(),
            reading: PhotoReading(
                workers: workers, photoLimits: configuration.photoLimits, processorSeconds: limits.processorSeconds))
        processor.reviews = { (try? store.reviews(of: $0)) ?? [] }
        processor.kitchen = KitchenDishes(store)
        processor.wording = try engine.wordings()["en"]
        processor.remote = configuration.remote.map { RemoteCatalogue($0, keptIn: engine.catalogue) }
        queue = configuration.queue.map {
            QueueBackend($0, pool: workers, readsHere: configuration.workers > 0, limits: limits, logger: logger)
        }
        if let queue { processor.reading.backend = queue }
        self.processor = processor
        // One runner more than photos in work: it hashes and stores while the workers read.
        let most = max(1, configuration.workers) + (configuration.queue?.mostOutstanding ?? 0)
        runners = (0...most).map { _ in WakeUp() }

        let socket = Self.lineSocket(configuration, logger)
        games = configuration.gameCatalogue(engine.models)
        boards = BoardSessions(store, games: games, socket: socket)
        cameras = LiveBoards(games: games, socket: socket)
        for fault in games.own.sentences {
            logger.warning("a game cannot be played", metadata: ["reason": "\(fault)"])
        }
        judge = StoredPhotosJudge(store, engine: engine, live: live, journal: journal, logger: logger) {
            try environment.people?.load() ?? live.current.profiles
        }
    }

    /// Runs until SIGINT or SIGTERM, and then until running jobs end; with `once` until the queue is empty.
    ///
    /// - Parameter announce: called for each outcome after it and its sidecar are written.
    /// - Returns: number of files by status, over all runs on this output folder.
    /// - Throws: ``StartupError`` at the start, or if results can no longer be stored.
    package func run(
        announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) async throws -> [Outcome.Status: Int] {
        crashJournal.noteCrashes()
        FolderAccess.ignoreHarmlessSignals()
        OpenFiles.raiseLimit()
        try Recovery(store: store, logger: logger).run(crashJournal.notes)
        try store.forEachKnown { known.insert($0, $1) }
        let group = ServiceGroup(
            configuration: .init(
                services: try services(announce).map {
                    .init(
                        service: $0,
                        successTerminationBehavior: $0 is JobService ? .gracefullyShutdownGroup : .ignore,
                        // Without a name the library prints the service, with all that it holds.
                        serviceName: "\(type(of: $0))")
                }, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        defer { SystemdNotice.stopping.send() }
        try await group.run()
        return try store.counts()
    }

    /// The services in the order in which they start. They stop in reverse order: intake first, so that nothing is
    /// queued while jobs end.
    private func services(
        _ announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) throws -> [any Service] {
        let lookUp = WakeUp()
        let watch = try InboxWatch(live, journal: journal, known: known, health: health, logger: logger) {
            lookUp.ring()
        }
        var services: [any Service] = [
            HeartbeatService(
                journal: journal, watch: watch, workers: workers, health: health, live: live,
                crashJournal: crashJournal, jobs: runners, pulse: pulse, people: environment.people, judge: judge,
                logger: logger)
        ]
        if let queue {
            health.set(\.queueIsConnected, false)
            services.append(
                QueueService(queue, logger: logger) { [health] in health.set(\.queueIsConnected, $0) })
        }
        var sinks = try sinks(announce)
        if let settings = environment.api {
            let household = HouseholdActions(Household(store), key: settings.token)
            let app = try app(household)
            services.append(api(settings, app, household))
            sinks.append(PlayInbox(app: app, logger: logger))
        }
        if !configuration.receivers.isEmpty, !configuration.once { services.append(outbox) }
        if let reload = environment.reload {
            services.append(ReloadService(live: live, load: reload, logger: logger))
        }
        if !configuration.once {
            services += try configuration.cameras.map {
                CameraService($0, boards: cameras, reading: try readingOfItsOwn(), logger: logger)
            }
        }
        services.append(
            JobService(
                live: live, journal: journal, baseProcessor: processor, health: health, crashJournal: crashJournal,
                wakeUps: runners, progress: progress,
                sinks: OutcomeSinks(list: sinks, journal: journal, health: health, logger: logger), logger: logger))
        services.append(
            IntakeService(watch: watch, wakeUp: lookUp, jobs: runners, pulse: pulse, once: configuration.once))
        return services
    }

    /// What follows an outcome, in this order.
    private func sinks(
        _ announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) throws -> [any OutcomeSink] {
        [
            BoardSink(sessions: boards), EventSink(),
            DiaryInbox(store, catalogue: engine.catalogue, logger: logger),
            try GroceryPrices(store, engine: engine, logger: logger), SidecarSink(),
            DoneSink(progress: progress, logger: logger), OverlaySink(processor: processor),
            AnnouncementSink(announce: announce),
        ]
    }

    /// Sends outcomes to webhooks and the broker.
    private var outbox: OutboxService {
        let broker = configuration.mqtt.map { [store, health] in
            MQTTSender($0, counts: { try store.countsByDomain() }, health: { health.current.shortcomings })
        }
        return OutboxService(settings: configuration.webhooks, journal: journal, logger: logger, broker: broker)
    }

    /// A reader with one worker, for pictures that must not wait for photos.
    func readingOfItsOwn() throws -> PhotoReading {
        PhotoReading(
            workers: WorkerPool(size: 1, program: try engine.worker(), limits: configuration.workerLimits),
            photoLimits: configuration.photoLimits, processorSeconds: configuration.workerLimits.processorSeconds)
    }

    /// The socket for the boards' lines; without it the daemon still runs.
    private static func lineSocket(_ configuration: WatchConfiguration, _ logger: Logger) -> LineSocket? {
        guard !configuration.boards.isEmpty || !configuration.cameras.isEmpty, !configuration.once else { return nil }
        do throws(StartupError) { return try LineSocket(at: configuration.lineSocket) } catch {
            logger.warning("cannot create the socket for the boards' lines", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }
}
