import Core
import Engine
import Foundation
import Intake
import Logging
import ServiceLifecycle
import Settings

/// `tablesight work`: reads photos for a daemon on another machine, with confined worker processes as the daemon itself.
package struct QueueWorker: Sendable {
    /// What the worker needs to know.
    package struct Settings: Sendable {
        package var server: QueueServer
        package var names: QueueNames
        package var origin: PhotoSource.Origin
        /// Photos that are read at the same time.
        package var slots: Int
        /// Name in results and metrics; letters, digits, dots, hyphens and underscores.
        package var name: String
        /// Folder of its own for fetched photos and its crash journal.
        package var folder: URL
        /// Size of the kept photos, bytes.
        package var cacheBytes: Int

        package init(
            server: QueueServer, names: QueueNames, origin: PhotoSource.Origin, slots: Int, name: String, folder: URL,
            cacheBytes: Int
        ) {
            self.server = server
            self.names = names
            self.origin = origin
            self.slots = slots
            self.name = name
            self.folder = folder
            self.cacheBytes = cacheBytes
        }
    }

    private let settings: Settings
    private let engine: TablesightEngine
    private let logger: Logger

    package init(_ settings: Settings, engine: TablesightEngine, logger: Logger) {
        self.settings = settings
        self.engine = engine
        self.logger = logger
    }

    /// Works until SIGINT or SIGTERM, and then until running jobs end.
    ///
    /// - Parameter withoutModels: true recognises text with Tesseract only.
    /// - Throws: ``StartupError`` at the start.
    package func run(withoutModels: Bool = false) async throws {
        guard settings.name.isWorkerName else {
            throw StartupError(
                .usage, "--name must have 1 to 64 letters, digits, dots, hyphens and underscores, not \(settings.name)")
        }
        let cache = try PhotoCache(folder: settings.folder, mostBytes: settings.cacheBytes)
        guard let folder = FilePathBytes(settings.folder.path) else {
            throw StartupError(.usage, "the name of --cache must not be empty")
        }
        let lock = try InstanceLock(at: folder.appending(names: "lock"))
        defer { withExtendedLifetime(lock) {} }
        let journal = try CrashJournalFile(at: folder.appending(names: "last-words"))
        defer { withExtendedLifetime(journal) {} }
        FolderAccess.ignoreHarmlessSignals()
        let pool = WorkerPool(
            size: settings.slots, program: try engine.worker(withoutModels: withoutModels),
            crashJournal: journal)
        let service = QueueWorkerService(
            settings: settings, pool: pool, source: PhotoSource(settings.origin, cache: cache), journal: journal,
            logger: logger)
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "worker")
                ],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await group.run()
    }
}
