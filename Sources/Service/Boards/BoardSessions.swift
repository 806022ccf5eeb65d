import Household
import Foundation
import Kinds
import Store
import Core

/// The running sessions of all boards.
///
/// The database decides what belongs to a session. A photo's step and a person's request are made from the newest
/// session that is known here; they are stored if nothing else was stored meanwhile, and else made again.
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
    /// Boards whose stored session may differ from the one in memory. The process of a game may have seen what was not
    /// stored.
    private var outdated: Set<FilePathBytes> = []

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
    ///
    /// If the database refuses the capture with `SessionChanged`, this is called again.
    package func step(_ capture: PieceFrame, on board: Board, modified: Int64) throws -> Step {
        var session = try session(of: board, modified)
        outdated.insert(board.folder)
        let capture = try session.take(capture, modified: modified)
        return Step(board: board, capture: capture, after: session)
    }

    /// Continues the session after the capture is stored, and sends its lines to the socket.
    package func stored(_ step: Step) {
        keep(step.after, of: step.board.folder)
        socket?.publish(step.capture.lines.map(\.body))
    }

    /// Continues with a session that is stored, unless a request has changed it already.
    private func keep(_ session: BoardSession, of board: FilePathBytes) {
        outdated.remove(board)
        if let known = sessions[board], known.isNewer(than: session) { return }
        sessions[board] = session
    }

    private func session(of board: Board, _ modified: Int64) throws -> BoardSession {
        let last = try newest(of: board.folder)
        if let last, !last.isOver(for: board) { return last }
        let number = try last?.number ?? store.lastSession(of: board.folder)?.session.number ?? 0
        return try BoardSession(board, number: number + 1, began: modified, games: games)
    }

    /// - Returns: nil for a board without a session, and for one that ``restored(_:)`` cannot read.
    private func newest(of board: FilePathBytes) throws -> BoardSession? {
        if outdated.contains(board) { sessions[board] = nil }
        return try sessions[board] ?? store.lastSession(of: board).flatMap(restored)
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
        while true {
            guard let record = try store.sessions().map(\.session).first(where: { $0.id == id }) else { return nil }
            guard record.game != nil else { throw PlayProblem.onlyPieces }
            guard var session = try newest(of: record.board), session.number == record.number,
                let (said, line, state) = try session.play(input)
            else { throw PlayProblem.over }
            do { try store.append(line, to: id, state: state) } catch is SessionChanged {
                outdated.insert(record.board)
                continue
            }
            keep(session, of: record.board)
            socket?.publish([line.body])
            return said
        }
    }
}
