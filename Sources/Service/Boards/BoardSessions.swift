import Household
import Foundation
import Kinds
import Store
import Core

/// The running sessions of all boards.
package actor BoardSessions {
    /// A capture that is not stored yet, and the session after it.
    package struct Step: Sendable {
        var board: Board
        package var capture: NewCapture
        fileprivate var after: BoardSession
    }

    private let store: OutcomeStore
    private let games: GameCatalogue
    private let socket: LineSocket?
    private var sessions: [FilePathBytes: BoardSession] = [:]

    /// - Parameter socket: receives lines in addition to the API; nil for none.
    package init(_ store: OutcomeStore, models: ModelFolder, socket: LineSocket?) {
        self.store = store
        self.games = GameCatalogue(models: models)
        self.socket = socket
    }

    /// Adds a photo's pieces to the session of its board. A board has one photo in work at a time.
    package func step(_ capture: PieceFrame, on board: Board, modified: Int64) throws -> Step {
        var session = try session(of: board, modified)
        let capture = try session.take(capture, modified: modified)
        return Step(board: board, capture: capture, after: session)
    }

    /// Continues the session after the capture is stored, and sends its lines to the socket.
    package func stored(_ step: Step) {
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

    // MARK: Inputs of people

    /// Passes a person's request to the game of a running session and stores its line.
    ///
    /// - Returns: the line; nil if no board has this session.
    /// - Throws: ``PlayProblem`` if the session cannot take it.
    func play(_ input: GameAction, in id: String) throws -> GameLine? {
        guard let record = try store.sessions().map(\.session).first(where: { $0.id == id }) else { return nil }
        guard record.game != nil else { throw PlayProblem.onlyPieces }
        var session = sessions[record.board]
        if session == nil, let left = try store.lastSession(of: record.board) {
            session = try? BoardSession(left, games: games)
        }
        guard var session, session.number == record.number, let (said, state) = try session.play(input) else {
            throw PlayProblem.over
        }
        let line = try JSONCoding.encode(said)
        try store.append("game", line, to: id, state: state)
        sessions[record.board] = session
        socket?.publish([line])
        return said
    }
}

extension GameSession {
    /// Passes a person's request to the game.
    ///
    /// - Throws: ``StartupError`` (64) for a puzzle that the game does not have.
    mutating func take(_ action: GameAction, at time: Int) throws -> GameLine {
        switch action {
        case .hint: hint(at: time)
        case .reset: reset(at: time)
        case .choose(let puzzle): try choose(puzzle: puzzle, at: time)
        }
    }
}
