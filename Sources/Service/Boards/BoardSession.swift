import Household
import Hashing
import Foundation
import Kinds
import Streaming
import Store
import Core

/// One board's session; turns captures into lines of its stream.
///
/// It is a value, so that a capture whose outcome could not be stored leaves no trace in it.
struct BoardSession: Sendable {
    private let record: StoredSession
    private var table: PlayTable
    private var captures = 0

    /// Minimum interval of two captures, as in `tablesight pieces`. Copied photos have the times of the copying.
    private static let usualInterval = 1_000_000_000
    private static let longestPause = 86_400 * 1_000_000_000
    /// Maximum captures of one session; then a new one begins, because every start tracks all of them again.
    private static let longest = 10_000

    /// Begins a session with a photo of this modification time.
    init(_ board: Board, number: Int64, began: Int64, games: BoardGames) throws {
        let digest = SHA256.hexadecimal(SHA256.digest(of: board.folder.bytes).prefix(3))
        let name = board.folder.lastComponent.display.lowercased().map {
            $0.isASCII && $0.isLetter || $0.isNumber ? $0 : "-"
        }
        let record = StoredSession(
            id: "\(String(name))-\(digest)-\(number)", board: board.folder, number: number, pieceSet: board.pieceSet,
            game: board.game, began: began)
        try self.init(record, games)
    }

    /// Continues a session of an earlier run.
    init(_ left: LeftSession, games: BoardGames) throws {
        try self.init(left.session, games)
        for (time, capture) in left.captures {
            _ = table.take(try JSONCoding.decode(PieceFrame.self, from: capture), at: time) { _ in false }
        }
        captures = left.captures.count
        table.lastLine = left.lastLine
        if let state = left.state { try table.load(state) }
    }

    private init(_ record: StoredSession, _ games: BoardGames) throws {
        self.record = record
        let game = try record.game.map {
            try games.catalogue.session(record.id, of: $0, with: record.pieceSet, patience: games.patience)
        }
        table = PlayTable(session: record.id, interval: Self.usualInterval, game: game)
    }

    var number: Int64 { record.number }

    /// True if this session has other lines after the newest one of `other`.
    func isNewer(than other: BoardSession) -> Bool {
        (number, table.lastLine) > (other.number, other.table.lastLine)
    }

    /// True if the next capture of this board belongs to a new session.
    func isOver(for board: Board) -> Bool {
        captures >= Self.longest || record.pieceSet != board.pieceSet || record.game != board.game
    }

    /// Adds the session's next capture.
    ///
    /// - Parameter modified: the photo's modification time in nanoseconds; frame times follow it if it rises by a
    ///   second or more.
    mutating func take(_ capture: PieceFrame, modified: Int64) throws -> NewCapture {
        // Senders set modification times freely, so a session never jumps ahead by more than a day.
        let (since, overflow) = modified.subtractingReportingOverflow(record.began)
        let elapsed = overflow ? 0 : min(Int(clamping: since), table.time.addingSaturated(Self.longestPause))
        let time = captures == 0 ? 0 : max(elapsed, table.time.addingSaturated(Self.usualInterval))
        captures += 1
        // Store the bytes that a later start will track again.
        let data = try JSONCoding.encode(capture)
        let turn = table.take(try JSONCoding.decode(PieceFrame.self, from: data), at: time)
        return NewCapture(
            session: record, seq: captures, time: time, capture: data, lines: try table.lines(of: turn),
            state: try table.save())
    }

    /// Passes a person's request to the game.
    ///
    /// - Returns: the game's line, also as a line of the stream, and its state afterwards; nil without a game.
    mutating func play(_ action: GameAction) throws -> (said: GameLine, line: StreamEvent, state: Data)? {
        let turn = try table.take(action, at: table.time)
        guard let said = turn.said, let line = try table.lines(of: turn).first, let state = try table.save() else {
            return nil
        }
        return (said, line, state)
    }
}

/// The games of boards, and how long those of one's own may take.
struct BoardGames: Sendable {
    var catalogue: GameCatalogue
    var patience: GameCatalogue.Patience
}
