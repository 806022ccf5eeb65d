import Games
import Store
import Core

/// The running sessions of all boards.
actor BoardSessions {
    /// A capture that is not stored yet, and the session as it will be when it is.
    struct Step: Sendable {
        var board: Board
        var capture: NewCapture
        fileprivate var after: BoardSession
    }

    private let store: OutcomeStore
    private let games: GameCatalogue
    private let socket: LineSocket?
    private var sessions: [FilePathBytes: BoardSession] = [:]

    /// - Parameter socket: where lines are elapsed beside the API; nil for nowhere.
    init(_ store: OutcomeStore, models: ModelFolder, socket: LineSocket?) {
        self.store = store
        self.games = GameCatalogue(models: models)
        self.socket = socket
    }

    /// What this photo's pieces add to the session of its board. A board has one photo in work at a time.
    func step(_ capture: PieceFrame, on board: Board, modified: Int64) throws -> Step {
        var session = try session(of: board, modified)
        let capture = try session.take(capture, modified: modified)
        return Step(board: board, capture: capture, after: session)
    }

    /// The capture is on the disk: the session goes on from it, and whoever listens hears of it.
    func stored(_ step: Step) {
        sessions[step.board.folder] = step.after
        socket?.tell(step.capture.lines.map(\.body))
    }

    private func session(of board: Board, _ modified: Int64) throws -> BoardSession {
        var last = sessions[board.folder]
        var number = last?.number ?? 0
        if last == nil, let left = try store.lastSession(of: board.folder) {
            number = left.session.number
            // What another version wrote may not be readable any more: its session is over then.
            last = try? BoardSession(left, games: games)
        }
        if let last, !last.isOver(for: board) { return last }
        return try BoardSession(board, number: number + 1, began: modified, games: games)
    }
}
