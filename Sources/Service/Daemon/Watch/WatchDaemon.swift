import Catalogue
import Foundation
import Glibc
import HTTPAPI
import Intake
import Logging
import ServiceLifecycle
import Store
import UnixSignals
import Core

/// `tablesight watch`: folders in, one outcome for each file out, until it is told to stop.
public struct WatchDaemon: Sendable {
    /// What stands around the daemon.
    public struct Environment: Sendable {
        /// Nil: no API.
        public var api: APISettings?
        public var isPortFixed = false
        /// What was recorded, as Prometheus text.
        public var metrics: @Sendable () -> String = { "" }
        /// Reads the configuration anew, on SIGHUP; nil where there is nothing to read.
        public var reload: (@Sendable () async throws -> WatchConfiguration)?
        /// Looks for people who were added, changed or removed while the daemon runs; nil where that is not wanted.
        public var people: PeopleWatch?

        public init() {}
    }

    /// Where the people of the configuration come from.
    public struct PeopleWatch: Sendable {
        /// Cheap, and another when somebody may have been changed.
        var signature: @Sendable () -> [Int64]
        /// The people that are configured, as they are now.
        var load: @Sendable () throws -> [AllergenProfile]

        public init(
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

    public init(
        _ configuration: WatchConfiguration, engine: TablesightEngine, environment: Environment = Environment(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.engine = engine
        self.environment = environment
        self.logger = logger
    }

    /// Runs until SIGINT or SIGTERM, which let running jobs end first; with `once` until nothing waits.
    ///
    /// - Parameter announce: called for each outcome once it is stored and its sidecar written.
    /// - Returns: how many files ended in each status, over all runs on this output folder.
    /// - Throws: ``StartupError``, at start or where results can no longer be kept.
    public func run(
        announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) async throws -> [Outcome.Status: Int] {
        let lock = try InstanceLock(at: configuration.lock)
        defer { withExtendedLifetime(lock) {} }
        // A short patience: the journal asks again, and the daemon's loops go round in between.
        let store = try OutcomeStore(at: URL(filePath: configuration.database.display), patience: 2)
        let crashJournal = try CrashJournalFile(at: configuration.crashJournal)
        defer { withExtendedLifetime(crashJournal) {} }
        crashJournal.noteCrashes()
        FolderAccess.ignoreHarmlessSignals()
        Self.raiseDescriptors()
        try Recovery(store: store, logger: logger).run(crashJournal.words)
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

    /// Lets this process have as many files open as it may: sockets, photos and the database share them.
    private static func raiseDescriptors() {
        var limit = rlimit()
        let files = __rlimit_resource_t(7)  // RLIMIT_NOFILE, which Swift does not import by name
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(mostDescriptors))
        setrlimit(files, &limit)
    }

    private static let mostDescriptors = 65_536

    /// A quarter of the files that may be open is for connections, at most 64.
    private static var connections: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 16 }
        return max(4, min(64, Int(clamping: limit.rlim_cur) / 4))
    }

    private func services(
        _ store: OutcomeStore, _ known: KnownFiles, _ crashJournal: CrashJournalFile,
        _ announce: @escaping @Sendable (Outcome, WatchedResult) -> Void
    ) throws -> [ServiceGroupConfiguration.ServiceConfiguration] {
        let live = LiveConfiguration(configuration)
        let health = DaemonHealth()
        let journal = Journal(store, known: known, health: health, logger: logger, boards: configuration.boards)
        let workers = WorkerPool(
            size: configuration.workers, program: try engine.worker(), limits: configuration.workerLimits,
            crashJournal: crashJournal.descriptor)
        var processor = PhotoProcessor(
            interpreter: try engine.interpreter(), workers: workers, photoLimits: configuration.photoLimits,
            processorSeconds: configuration.workerLimits.processorSeconds)
        processor.reviews = { (try? store.reviews(of: $0)) ?? [] }
        processor.remote = configuration.remote.map { RemoteCatalogue($0, keptIn: engine.catalogue) }
        // One runner more than workers: it hashes and stores while the others' photos are read.
        let wakeUps = (0...max(1, configuration.workers)).map { _ in WakeUp() }
        let lookUp = WakeUp()
        let watch = try InboxWatch(live, journal: journal, known: known, health: health, logger: logger) {
            lookUp.ring()
        }

        // Stopped in reverse: intake first, so that nothing new is queued while jobs end.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(
                service: HeartbeatService(
                    journal: journal, watch: watch, workers: workers, health: health, live: live, crashJournal: crashJournal,
                    jobs: wakeUps, people: environment.people,
                    logger: logger), successTerminationBehavior: .ignore)
        ]
        if var api = environment.api {
            api.mostConnections = min(api.mostConnections, Self.connections)
            let probe = DaemonProbe(
                isAlive: { health.isAlive }, shortcomings: { health.current.shortcomings },
                metrics: environment.metrics)
            services.append(
                .init(
                    service: APIService(
                        settings: api, output: configuration.output, probe: probe, routes: routes(store),
                        isPortFixed: environment.isPortFixed, logger: logger), successTerminationBehavior: .ignore))
        }
        if !configuration.webhooks.receivers.isEmpty, !configuration.once {
            services.append(
                .init(
                    service: OutboxService(settings: configuration.webhooks, journal: journal, logger: logger),
                    successTerminationBehavior: .ignore))
        }
        if let reload = environment.reload {
            services.append(
                .init(
                    service: ReloadService(live: live, load: reload, logger: logger),
                    successTerminationBehavior: .ignore))
        }
        let jobs = JobService(
            live: live, journal: journal, baseProcessor: processor, health: health, crashJournal: crashJournal,
            wakeUps: wakeUps,
            boards: BoardSessions(store, models: engine.models, socket: lineSocket()), logger: logger,
            announce: announce)
        let intake = IntakeService(watch: watch, wakeUp: lookUp, jobs: wakeUps, once: configuration.once)
        services.append(.init(service: jobs, successTerminationBehavior: .gracefullyShutdownGroup))
        services.append(.init(service: intake, successTerminationBehavior: .ignore))
        return services
    }

    /// What the API serves beside health and metrics.
    private func routes(_ store: OutcomeStore) -> [any APIRoutes] {
        [
            EventRoutes(
                latest: { try store.latestEvent() },
                after: { number, limit in
                    try store.events(after: number, limit: limit).map {
                        APIEvent(number: $0.number, kind: $0.kind, body: $0.body)
                    }
                }),
            OutcomeRoutes { try store.outcomeJSON(forContent: $0) },
            gameRoutes(store),
            CatalogueService(engine.catalogue).routes,
        ]
    }

    private func gameRoutes(_ store: OutcomeStore) -> GameRoutes {
        let list = GameList(models: engine.models)
        return GameRoutes(
            games: { try await list.json },
            sessions: { try store.sessions().map { APISession($0) } },
            lines: { id, number, limit in
                try store.lines(ofSession: id, after: number, limit: limit).map {
                    APIEvent(number: $0.number, kind: $0.kind, body: $0.body)
                }
            })
    }

    /// Where sessions are told beside the API; a socket that cannot be made costs the socket, not the daemon.
    private func lineSocket() -> LineSocket? {
        guard !configuration.boards.isEmpty, !configuration.once else { return nil }
        do throws(StartupError) { return try LineSocket(at: configuration.lineSocket) } catch {
            logger.warning("no socket for the boards' lines", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }
}
