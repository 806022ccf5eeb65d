import Core
import Foundation
import Kinds
import Store

/// What people do with the games on the boards, for every front end. Runs on a thread of its own, because SQLite blocks.
///
/// A refusal is a ``PlayProblem`` or an `IdentityProblem`. Each front end has one list of what it makes of them.
package actor PlayActions {
    private let executor = ThreadExecutor(label: "play")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    let catalogue: GameCatalogue
    let tables: any GameTables
    package let plays: Plays
    let household: Household
    /// Sets PINs; nil where nobody can choose one.
    let locks: HouseholdActions?
    private var drawn: [String: [PlayFigure]] = [:]
    /// When the newest picture of a play came, and its seconds that are not written yet.
    var lastPictures: [Int64: Date] = [:]
    var unwritten: [Int64: Double] = [:]
    /// The number of the newest saved game of a play that is stored.
    var savedGames: [Int64: Int] = [:]
    /// When the pieces of a play last changed, and how they lie since.
    var lastChanges: [Int64: (at: Date, pieces: [RecognizedPiece])] = [:]

    /// Lines of a game that the board's page and its report look at.
    private static let mostLines = 2000

    package init(
        _ store: OutcomeStore, games: GameCatalogue, tables: any GameTables, locks: HouseholdActions? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.tables = tables
        self.locks = locks
        plays = Plays(store, now: now)
        household = Household(store, now: now)
        catalogue = games
    }

    /// The figures of a game. They are drawn once.
    package func figures(of game: String = tangram) -> [PlayFigure] {
        if let drawn = drawn[game] { return drawn }
        let figures = catalogue.figures(of: game)
        drawn[game] = figures
        return figures
    }

    /// All games.
    package func games() throws -> [GameCatalogue.Entry] { try catalogue.entries() }

    /// The sessions of all boards and cameras, without those of plays in which the person may not play.
    package func sessions(for identity: Identity) async throws -> [PlaySession] {
        let all = try store.sessions().map { PlaySession($0) } + (await tables.liveSessions())
        return try all.filter { try mayUse($0.id, identity) }
    }

    /// A board is for everybody, a play for those who may play it.
    private func mayUse(_ session: String, _ identity: Identity) throws -> Bool {
        guard session.hasPrefix(Self.prefix) else { return true }
        guard let play = try Self.play(of: session).flatMap({ try plays.play($0) }) else { return false }
        return try players(for: identity).contains { $0.id == play.member }
    }

    /// The sessions of boards that play a game.
    ///
    /// - Throws: ``PlayProblem/noGame``.
    package func sessions(of game: String, for identity: Identity) async throws -> [PlaySession] {
        let played = try await sessions(for: identity).filter { $0.game == game }
        guard !played.isEmpty || catalogue.knows(game) || game == PlaySession.noGame else {
            throw PlayProblem.noGame
        }
        return played
    }

    /// - Throws: ``PlayProblem/noSession``.
    package func session(_ id: String, of game: String, for identity: Identity) async throws -> PlaySession {
        guard let found = try await sessions(for: identity).first(where: { $0.id == id && $0.game == game }) else {
            throw PlayProblem.noSession
        }
        return found
    }

    /// Lines of a session after a number, in order.
    package func lines(of session: String, after number: Int64, limit: Int) async throws -> [StreamEvent] {
        if let lines = await tables.liveLines(of: session, after: number, limit: limit) { return lines }
        return try store.lines(ofSession: session, after: number, limit: limit)
    }

    /// Passes a person's request to the game of a session.
    ///
    /// - Throws: ``PlayProblem``.
    package func act(
        _ action: GameAction, in session: String, of game: String, for identity: Identity
    ) async throws -> GameLine {
        let found = try await self.session(session, of: game, for: identity)
        guard let line = try await tables.play(action, in: found.id) else { throw PlayProblem.noSession }
        if let play = Self.play(of: found.id) { try await keep(line, after: action, in: play) }
        return line
    }

    /// A session with its newest photo, its pieces and its lines.
    ///
    /// - Throws: ``PlayProblem/noSession``.
    package func board(_ session: String, of game: String, for identity: Identity) async throws -> ShownBoard {
        guard try mayUse(session, identity) else { throw PlayProblem.noSession }
        var board: ShownBoard
        if let live = await tables.liveBoard(session) {
            board = live
        } else if let stored = try store.sessions().first(where: { $0.session.id == session }) {
            board = try self.board(stored)
        } else {
            throw PlayProblem.noSession
        }
        guard board.session.game == game else { throw PlayProblem.noSession }
        board.puzzles = catalogue.puzzles(of: game)
        return board
    }

    private func board(_ stored: SessionSummary) throws -> ShownBoard {
        let id = stored.session.id
        return ShownBoard(
            session: PlaySession(stored),
            frame: try store.lastLines(ofSession: id, kind: "frame", limit: 1).last.map {
                try JSONCoding.decode(PieceFrame.self, from: $0.body)
            },
            lines: try store.lastLines(ofSession: id, kind: "game", limit: Self.mostLines).map {
                try JSONCoding.decode(GameLine.self, from: $0.body)
            }, photo: try photo(of: stored.session.board))
    }

    private func photo(of board: FilePathBytes) throws -> ShownBoard.Photo? {
        guard let id = try store.newestContent(below: board), let source = try? store.outcome(forContent: id)?.source,
            let width = source.width,
            let height = source.height
        else { return nil }
        return .init(id: id, width: width, height: height)
    }
}
