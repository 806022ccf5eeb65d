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
}
