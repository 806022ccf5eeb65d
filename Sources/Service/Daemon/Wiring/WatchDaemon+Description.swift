import App
import Engine
import Foundation
import HTTP
import Household
import Logging
import Queue

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
        let daemon = try WatchDaemon(
            configuration, engine: engine, logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() })
        let app = try daemon.app(HouseholdActions(Household(daemon.store)))
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
        return try APIDescription(
            app.routes + APIServer.health(probe) + [ContentRoute(token: "") { _ in nil }.route]
        ).json
    }
}
