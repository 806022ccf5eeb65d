import App
import Boards
import Core
import Engine
import Foods
import Foundation
import Groceries
import Household
import HTTP
import Logging
import Queue
import Store

extension WatchDaemon {
    func app(_ household: HouseholdActions) throws -> Application {
        let groceries = Groceries(
            store, rules: try engine.models.load(GroceryRules.self, from: "groceries/rules.json"))
        let drawings = DrawingQueue()
        // Other servers are asked for products and their pictures, or for nothing.
        let pictures = configuration.remote.map { _ in
            ProductPictures(
                RemoteImages(groceries), live: live, processor: processor, drawings: drawings, logger: logger)
        }
        let photos = ImageService(
            store, live: live, journal: journal, known: known, processor: processor, drawings: drawings,
            jobs: runners, groceries: groceries, logger: logger)
        // A wrong file of foods stops the start, not the first search.
        _ = try engine.catalogue.generic()
        return try Application(
            store: store, models: engine.models, catalogue: engine.catalogue, allergens: try engine.allergens(),
            wordings: try engine.wordings(), risk: try engine.risk(),
            interpreter: { [engine] in try engine.interpreter() }, household: household, photos: photos,
            codes: { [reader = PictureReader(try readingOfItsOwn())] in try await reader.codes(on: $0) },
            judged: judge, games: games,
            tables: RunningGames(boards: boards, cameras: cameras, reading: try readingOfItsOwn()),
            figures: DaemonFigures(
                shortcomings: { [health] in health.current.shortcomings },
                freeBytes: { [live] in
                    OutcomeStore.freeBytes(beside: URL(filePath: live.current.database.display))
                },
                minutes: { [figures] in figures.lastHour }, metrics: environment.metrics),
            progress: progress, access: deviceAccess, productPicture: { await pictures?.picture($0) },
            others: try contents())
    }

    func api(_ settings: APISettings, _ app: Application, _ household: HouseholdActions) -> APIService {
        var settings = settings
        settings.identities = household
        settings.mostConnections = min(settings.mostConnections, OpenFiles.connections)
        app.addPages(to: &settings)
        let probe = DaemonProbe(
            isAlive: { [health] in health.isAlive }, shortcomings: { [health] in health.current.shortcomings })
        return APIService(
            settings: settings, output: configuration.output, probe: probe, routes: app.routes,
            begin: app.finishDeletions,
            isPortFixed: environment.isPortFixed, logger: logger)
    }

    /// The address that phones use, and the certificate that they trust.
    private var deviceAccess: DeviceAccess {
        let certificate = HouseCertificate(in: HouseCertificate.usualFolder(in: configuration.output))
        return DeviceAccess(address: environment.api?.publicAddress) {
            HouseCertificate.authority(at: certificate.authority).map {
                DeviceAccess.Authority(certificate: $0.certificate, fingerprint: $0.fingerprint)
            }
        }
    }

    /// The photos for workers of the queue.
    private func contents() throws -> [Route] {
        guard let queue, let settings = configuration.queue else { return [] }
        let place = configuration.output.appending(names: "worker-token")
        return [queue.contents(for: try settings.workerToken ?? OutputFolder.token(at: place))]
    }
}

extension WatchDaemon {
    /// The description of the HTTP API, OpenAPI 3.1, as a daemon with a queue serves it. Nothing is started: the routes
    /// are declared over an empty database, which is deleted again.
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
