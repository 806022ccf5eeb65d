import Household
import Foundation
import Kinds
import Store
import Core

/// The running sessions of all boards.
///
/// Runs on a thread of its own, because SQLite and games of one's own block.
package actor BoardSessions {
    private let executor = ThreadExecutor(label: "boards")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A capture that is not stored yet, and the session after it.
    package struct Step: Sendable {
        var board: Board
        package var capture: NewCapture
        fileprivate var after: BoardSession
    }

    private let store: OutcomeStore
    private let games: BoardGames
    private let socket: LineSocket?
    private var sessions: [FilePathBytes: BoardSession] = [:]
    /// Boards with a capture that was not stored.
    private var unstored: Set<FilePathBytes> = []

    /// - Parameters:
    ///   - socket: receives lines in addition to the API; nil for none.
    ///   - patience: for games of one's own.
    package init(
        _ store: OutcomeStore, games: GameCatalogue, socket: LineSocket?, patience: GameCatalogue.Patience = .photos
    ) {
        self.store = store
        self.games = BoardGames(catalogue: games, patience: patience)
        self.socket = socket
    }

    /// Adds a photo's pieces to the session of its board. A board has one photo in work at a time.
    package func step(_ capture: PieceFrame, on board: Board, modified: Int64) throws -> Step {
        // The process of a game has seen the capture that was not stored: it continues from what was.
        if unstored.contains(board.folder) { sessions[board.folder] = nil }
        unstored.insert(board.folder)
        var session = try session(of: board, modified)
        let capture = try session.take(capture, modified: modified)
        return Step(board: board, capture: capture, after: session)
    }

    /// Continues the session after the capture is stored, and sends its lines to the socket.
    package func stored(_ step: Step) {
        sessions[step.board.folder] = step.after
        unstored.remove(step.board.folder)
        socket?.publish(step.capture.lines.map(\.body))
    }

    private func session(of board: Board, _ modified: Int64) throws -> BoardSession {
        var last = sessions[board.folder]
        var number = last?.number ?? 0
        if last == nil, let left = try store.lastSession(of: board.folder) {
            number = left.session.number
            last = try restored(left)
        }
        if let last, !last.isOver(for: board) { return last }
        return try BoardSession(board, number: number + 1, began: modified, games: games)
    }

    /// - Returns: nil for a session that another version wrote and that is unreadable; a new one begins then.
    /// - Throws: ``StartupError`` (69) if the game's program does not start: its state waits.
    private func restored(_ left: LeftSession) throws -> BoardSession? {
        do { return try BoardSession(left, games: games) } catch let error as StartupError
            where error.exitCode == .unavailable
        { throw error } catch { return nil }
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
            session = try restored(left)
        }
        guard var session, session.number == record.number, let (said, line, state) = try session.play(input) else {
            throw PlayProblem.over
        }
        try store.append("game", line, to: id, state: state)
        sessions[record.board] = session
        socket?.publish([line])
        return said
    }
}
