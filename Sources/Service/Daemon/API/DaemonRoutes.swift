import Baskets
import Core
import Foundation
import Games
import Groceries
import HTTPAPI
import Intake
import Store
import Web

extension WatchDaemon {
    /// The running parts that the API asks.
    struct APIParts {
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
        var household: HouseholdService
        var judge: StoredPhotosJudge
        var figures: ReadingFigures
        var queue: QueueBackend?
    }

    /// The API's routes besides health and metrics.
    ///
    /// - Returns: the routes, and the pages among them.
    /// - Throws: ``StartupError`` if a file of the pages is missing.
    func routes(_ parts: APIParts) throws -> (all: [any APIRoutes], pages: WebRoutes) {
        let store = parts.store
        let history = HistoryService(store)
        let groceries = try groceries(parts)
        let images = ImageService(
            store, live: parts.live, journal: parts.journal, known: parts.known, processor: parts.processor,
            jobs: parts.jobs, groceries: groceries.groceries, logger: logger)
        let people = PeopleService(
            store, engine: engine, live: parts.live, journal: parts.journal, judge: parts.judge,
            load: { [environment, live = parts.live] in try environment.people?.load() ?? live.current.profiles })
        let games = gameRoutes(store, parts.boards, parts.cameras)
        let source = PageSource(
            store: store, live: parts.live, engine: engine, health: parts.health, history: history,
            metrics: environment.metrics, figures: parts.figures, games: GameList(models: engine.models),
            products: ProductVerdicts(store, engine: engine),
            cameras: parts.cameras)
        let diary = DiaryService(store, catalogue: engine.catalogue)
        let pages = try WebRoutes(
            source, images: images, people: people, games: games, household: parts.household, diary: diary,
            groceries: groceries,
            models: engine.models, wordings: try engine.wordings(), release: try engine.risk().release,
            access: deviceAccess)
        let all: [any APIRoutes] = [
            EventRoutes(
                latest: { try store.latestEvent() },
                after: { number, limit in
                    try store.events(after: number, limit: limit).map {
                        APIEvent(number: $0.number, kind: $0.kind, body: $0.body)
                    }
                }, progress: parts.progress),
            OutcomeRoutes { try await history.outcome($0) },
            HistoryRoutes(page: { try await history.page($0) }, outcome: { try await history.outcome($0) }),
            ImageRoutes(images), PeopleRoutes(people), games,
            HouseholdRoutes(parts.household), EndedRoutes(), DiaryRoutes(diary),
            GroceryRoutes(groceries),
            CatalogueService(engine.catalogue, risk: try engine.risk()).routes,
            DocumentRoutes(try document()), pages,
        ]
        return (try all + contents(parts), pages)
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

    /// The route for workers of the queue.
    private func contents(_ parts: APIParts) throws -> [any APIRoutes] {
        guard let queue = parts.queue, let settings = configuration.queue else { return [] }
        let token = try settings.workerToken ?? APIService.token(in: configuration.output, name: "worker-token")
        return [ContentRoutes(ContentService(queue), token: token)]
    }

    private func groceries(_ parts: APIParts) throws -> GroceryService {
        let rules = try engine.models.load(GroceryRules.self, from: "groceries/rules.json")
        let groceries = Groceries(parts.store, rules: rules)
        // Other servers are asked for products and their pictures, or for nothing.
        let pictures = configuration.remote.map { _ in
            ProductPictures(
                RemoteImages(groceries), live: parts.live, processor: parts.processor, logger: logger)
        }
        return GroceryService(groceries, parts.store, engine: engine, pictures: pictures)
    }

    /// The description of the API.
    private func document() throws -> Data {
        let file = engine.models.url.appending(path: "web/openapi.json")
        guard let data = try? Data(contentsOf: file) else {
            throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
        }
        return data
    }

    private func gameRoutes(_ store: OutcomeStore, _ boards: BoardSessions, _ cameras: LiveBoards) -> GameRoutes {
        let list = GameList(models: engine.models)
        return GameRoutes(
            games: { try await list.json },
            sessions: { try store.sessions().map { APISession($0) } + (await cameras.list()) },
            lines: { id, number, limit in
                if let lines = await cameras.lines(of: id, after: number, limit: limit) { return lines }
                return try store.lines(ofSession: id, after: number, limit: limit).map {
                    APIEvent(number: $0.number, kind: $0.kind, body: $0.body)
                }
            },
            isKnown: { GameCatalogue.knows($0) || $0 == "pieces" },
            play: { action, puzzle, session in
                guard let action = GameAction(action, puzzle: puzzle) else { return nil }
                do {
                    if let line = try await cameras.play(action, in: session) { return line }
                    return try await boards.play(action, in: session)
                } catch let problem as GameInputProblem {
                    let text =
                        switch problem {
                        case .noGame: "this board plays no game: name one in the setting boards"
                        case .over: "this session is over: only the newest session of a board can be played"
                        }
                    throw Problem(409, "conflict", text)
                } catch let problem as StartupError where problem.exitCode == .usage {
                    throw Problem(400, "badRequest", problem.message)
                }
            })
    }
}
