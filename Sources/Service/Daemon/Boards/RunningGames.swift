import App
import Core
import Games
import HTTP

/// The games of boards and cameras for the app.
struct RunningGames: GameTables {
    let boards: BoardSessions
    let cameras: LiveBoards

    func liveSessions() async -> [PlaySession] { await cameras.list() }

    func liveLines(of session: String, after number: Int64, limit: Int) async -> [APIEvent]? {
        await cameras.lines(of: session, after: number, limit: limit)
    }

    func liveBoard(_ session: String) async -> ShownBoard? { await cameras.board(session) }

    func play(_ action: GameAction, in session: String) async throws -> GameLine? {
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
    }
}
