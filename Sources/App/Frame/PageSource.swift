import Allergens
import Core
import Foundation
import Games
import HTTP
import Household
import Store

/// The daemon's data for the pages.
struct PageSource {
    let store: OutcomeStore
    let judged: any JudgedPhotos
    let allergens: AllergenInterpreter
    let figures: DaemonFigures
    let history: HistoryService
    let games: GameList
    let products: ProductVerdicts
    let tables: any GameTables

    func outcome(_ id: String) async throws -> Data? { try await history.outcome(id) }

    func history(_ query: APIHistoryQuery) async throws -> APIHistoryPage { try await history.page(query) }

    var people: [AllergenProfile] { judged.people }

    func storedPeople() async throws -> [WebPerson] {
        try Household(store).members().map { WebPerson(profile: $0.profile, role: $0.role.rawValue, colour: $0.colour) }
    }

    func peopleChosenElsewhere() async throws -> [AllergenProfile] { try judged.chosenElsewhere(than: store) }

    func verdicts(ofProducts numbers: [String]) async throws -> [String: Verdicts] {
        try await products.verdicts(of: numbers, for: judged.people)
    }

    func allergens(of regime: String) async throws -> [Allergen] {
        try ((try? allergens.regime(named: regime)) ?? allergens.regime(named: "eu14")).allergens
    }

    func status() async throws -> WebStatus {
        let stored = try await history.figures()
        return WebStatus(
            shortcomings: figures.shortcomings(), waiting: stored.waiting, outcomes: stored.outcomes,
            freeBytes: figures.freeBytes(),
            quarantine: stored.quarantine.map { .init(path: $0.path.display, reason: $0.reason.detail) },
            times: Self.times(figures.metrics()), versions: stored.versions, minutes: figures.minutes())
    }

    // MARK: Games

    func games() async throws -> [GameCatalogue.Entry] {
        try JSONCoding.decode([GameCatalogue.Entry].self, from: try await games.json)
    }

    func sessions() async throws -> [APISession] {
        try store.sessions().map { APISession($0) } + (await tables.liveSessions())
    }

    private var catalogue: GameCatalogue { GameCatalogue(models: games.models) }

    /// Lines of a game that the board's page and its report look at.
    private static let mostLines = 2000

    func board(_ session: String) async throws -> WebBoard? {
        if var live = await tables.liveBoard(session) {
            live.puzzles = catalogue.puzzles(of: live.session.game)
            return live
        }
        guard let found = try store.sessions().first(where: { $0.session.id == session }) else { return nil }
        let frame = try store.lastLines(ofSession: session, kind: "frame", limit: 1).last
        let lines = try store.lastLines(ofSession: session, kind: "game", limit: Self.mostLines)
        var photo: (id: String, width: Int, height: Int)?
        if let id = try store.newestContent(below: found.session.board), let json = try await outcome(id),
            let source = (try? JSONCoding.decode(Outcome.self, from: json))?.source, let width = source.width,
            let height = source.height
        {
            photo = (id, width, height)
        }
        return WebBoard(
            session: APISession(found), frame: try frame.map { try JSONCoding.decode(PieceFrame.self, from: $0.body) },
            lines: try lines.map { try JSONCoding.decode(GameLine.self, from: $0.body) }, photo: photo,
            puzzles: found.session.game.map(catalogue.puzzles) ?? [])
    }

    /// The stage times in Prometheus text.
    static func times(_ text: String) -> [WebStatus.StageTime] {
        var sums: [String: Double] = [:]
        var counts: [String: Int] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("tablesight_stage_seconds_") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let start = line.range(of: "stage=\"")?.upperBound,
                let end = line[start...].firstIndex(of: "\"")
            else { continue }
            let stage = String(line[start..<end])
            if line.hasPrefix("tablesight_stage_seconds_sum") { sums[stage] = Double(parts[1]) }
            if line.hasPrefix("tablesight_stage_seconds_count") { counts[stage] = Int(parts[1]) }
        }
        return counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { stage, count in
            .init(stage: stage, photos: count, milliseconds: (sums[stage] ?? 0) * 1000 / Double(count))
        }
    }
}

extension HistoryService {
    struct Figures: Sendable {
        var waiting, outcomes: Int
        var quarantine: [QuarantinedContent]
        var versions: [(part: String, version: String)]
    }

    /// Numbers for the page about the daemon. Versions are those of the newest outcome.
    func figures() throws -> Figures {
        var versions = [(part: "Tablesight", version: ProgramVersion.current)]
        if let id = try store.latestContents(limit: 1).first, let json = try store.outcomeJSON(forContent: id),
            let outcome = try? JSONCoding.decode(Outcome.self, from: json)
        {
            versions += outcome.versions.models.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            if let lexicon = outcome.versions.lexicon { versions.append(("lexicon", lexicon)) }
            if let catalogue = outcome.versions.catalogue { versions.append(("catalogue", catalogue)) }
        }
        return Figures(
            waiting: try store.pendingCount(), outcomes: try store.outcomeCount(),
            quarantine: try store.quarantine(), versions: versions)
    }
}
