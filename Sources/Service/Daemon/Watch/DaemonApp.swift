import App
import Core
import Foundation
import Baskets
import Groceries
import HTTP
import Intake
import Store

extension WatchDaemon {
    /// The running parts that the app asks.
    struct AppParts {
        var store: OutcomeStore
        var live: LiveConfiguration
        var journal: Journal
        var known: KnownFiles
        var processor: PhotoProcessor
        var jobs: [WakeUp]
        var progress: StageProgress
        var health: DaemonHealth
        var boards: BoardSessions
        var cameras: LiveBoards
        var household: HouseholdUseCases
        var judge: StoredPhotosJudge
        var figures: ReadingFigures
        var queue: QueueBackend?
    }

    /// The app of this daemon.
    ///
    /// - Throws: ``StartupError`` if a file of the app is missing.
    func app(_ parts: AppParts) throws -> Application {
        let groceries = Groceries(
            parts.store, rules: try engine.models.load(GroceryRules.self, from: "groceries/rules.json"))
        // Other servers are asked for products and their pictures, or for nothing.
        let pictures = configuration.remote.map { _ in
            ProductPictures(
                RemoteImages(groceries), live: parts.live, processor: parts.processor, logger: logger)
        }
        let photos = ImageService(
            parts.store, live: parts.live, journal: parts.journal, known: parts.known, processor: parts.processor,
            jobs: parts.jobs, groceries: groceries, logger: logger)
        return try Application(
            DaemonParts(
                store: parts.store, models: engine.models, catalogue: engine.catalogue,
                allergens: try engine.allergens(), wordings: try engine.wordings(), risk: try engine.risk(),
                interpreter: { [engine] in try engine.interpreter() }, household: parts.household, photos: photos,
                judged: parts.judge,
                tables: RunningGames(
                    boards: parts.boards, cameras: parts.cameras, reader: try pictureReader()),
                figures: DaemonFigures(
                    shortcomings: { [health = parts.health] in health.current.shortcomings },
                    freeBytes: { [live = parts.live] in
                        OutcomeStore.freeBytes(beside: URL(filePath: live.current.database.display))
                    },
                    minutes: { [figures = parts.figures] in figures.lastHour }, metrics: environment.metrics),
                progress: parts.progress, access: deviceAccess, productPicture: { await pictures?.picture($0) },
                others: try contents(parts)))
    }

    /// A reader of its own for pictures of browsers' cameras.
    private func pictureReader() throws -> PictureReader {
        PictureReader(
            PhotoReading(
                workers: WorkerPool(size: 1, program: try engine.worker(), limits: configuration.workerLimits),
                photoLimits: configuration.photoLimits, processorSeconds: configuration.workerLimits.processorSeconds))
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
    private func contents(_ parts: AppParts) throws -> [Route] {
        guard let queue = parts.queue, let settings = configuration.queue else { return [] }
        let token = try settings.workerToken ?? APIService.token(in: configuration.output, name: "worker-token")
        let photos = ContentService(queue)
        return [ContentRoute(token: token) { await photos.content($0) }.route]
    }
}
