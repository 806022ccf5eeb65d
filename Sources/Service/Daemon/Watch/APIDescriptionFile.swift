import App
import Core
import Foundation
import HTTP
import Household
import Intake
import Logging
import ReadJobs
import Store

extension WatchDaemon {
    /// The description of the HTTP API, OpenAPI 3.1, as a daemon with a queue serves it. Nothing is started: the routes
    /// are declared over an empty database, which is deleted again.
    ///
    /// - Throws: ``StartupError`` if a file of the app is missing or the database cannot be made.
    package static func apiDescription(_ engine: TablesightEngine) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tablesight-api-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "inbox"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try WatchConfiguration(
            inboxes: [folder.appending(path: "inbox").path], output: folder.path, profiles: [])
        let logger = Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
        let store = try OutcomeStore(at: folder.appending(path: "tablesight.sqlite"))
        let (live, health, known) = (LiveConfiguration(configuration), DaemonHealth(), KnownFiles())
        let journal = Journal(store, known: known, health: health, logger: logger)
        let workers = WorkerPool(size: 0, program: try engine.worker())
        let app = try WatchDaemon(configuration, engine: engine, logger: logger).app(
            AppParts(
                store: store, live: live, journal: journal, known: known,
                processor: PhotoProcessor(
                    interpreter: try engine.interpreter(), reading: PhotoReading(workers: workers)), jobs: [],
                progress: StageProgress(), health: health,
                boards: BoardSessions(store, models: engine.models, socket: nil),
                cameras: LiveBoards(models: engine.models, socket: nil),
                household: HouseholdUseCases(Household(store)),
                judge: StoredPhotosJudge(store, engine: engine, live: live, journal: journal, logger: logger) { [] },
                figures: ReadingFigures()))
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
        return try APIDescription(
            app.routes + APIServer.health(probe) + [ContentRoute(token: "") { _ in nil }.route]
        ).json
    }
}
