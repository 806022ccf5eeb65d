import App
import Foods
import Boards
import Core
import Engine
import Foundation
import Groceries
import HTTP
import Household
import Queue
import Store

extension WatchDaemon {
    /// The app of this daemon.
    ///
    /// - Throws: ``StartupError`` if a file of the app is missing.
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
            judged: judge, tables: RunningGames(boards: boards, cameras: cameras, reading: try readingOfItsOwn()),
            figures: DaemonFigures(
                shortcomings: { [health] in health.current.shortcomings },
                freeBytes: { [live] in
                    OutcomeStore.freeBytes(beside: URL(filePath: live.current.database.display))
                },
                minutes: { [figures] in figures.lastHour }, metrics: environment.metrics),
            progress: progress, access: deviceAccess, productPicture: { await pictures?.picture($0) },
            others: try contents())
    }

    /// Serves the app.
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
