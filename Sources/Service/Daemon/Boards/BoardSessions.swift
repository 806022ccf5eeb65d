import Games
import Store
import Core

/// The running sessions of all boards.
actor BoardSessions {
    /// A capture that is not stored yet, and the session after it.
    struct Step: Sendable {
        var board: Board
        var capture: NewCapture
        fileprivate var after: BoardSession
    }

    private let store: OutcomeStore
    private let games: GameCatalogue
    private let socket: LineSocket?
    private var sessions: [FilePathBytes: BoardSession] = [:]

    /// - Parameter socket: receives lines in addition to the API; nil for none.
    init(_ store: OutcomeStore, models: ModelFolder, socket: LineSocket?) {
        self.store = store
        self.games = GameCatalogue(models: models)
        self.socket = socket
    }

    /// Adds a photo's pieces to the session of its board. A board has one photo in work at a time.
    func step(_ capture: PieceFrame, on board: Board, modified: Int64) throws -> Step {
        var session = try session(of: board, modified)
        let capture = try session.take(capture, modified: modified)
        return Step(board: board, capture: capture, after: session)
    }

    /// Continues the session after the capture is stored, and sends its lines to the socket.
    func stored(_ step: Step) {
        sessions[step.board.folder] = step.after
        socket?.publish(step.capture.lines.map(\.body))
    }

    private func session(of board: Board, _ modified: Int64) throws -> BoardSession {
        var last = sessions[board.folder]
        var number = last?.number ?? 0
        if last == nil, let left = try store.lastSession(of: board.folder) {
            number = left.session.number
            // A session that another version wrote may be unreadable; a new one begins then.
            last = try? BoardSession(left, games: games)
        }
        if let last, !last.isOver(for: board) { return last }
        return try BoardSession(board, number: number + 1, began: modified, games: games)
    }
}
