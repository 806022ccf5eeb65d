import Household
import Hashing
import Foundation
import Kinds
import Streaming
import Store
import Core

/// One board's session; turns captures into lines of its stream.
///
/// It is a value, so that a capture whose outcome could not be stored leaves no trace.
struct BoardSession: Sendable {
    private let record: StoredSession
    private var tracker: PieceTracker
    private var game: GameSession?
    private var captures = 0
    private var time = 0
    private var lastLine: Int64 = 0

    /// Minimum interval of two captures, as in `tablesight pieces`. Copied photos have the times of the copying.
    private static let usualInterval = 1_000_000_000
    private static let longestPause = 86_400 * 1_000_000_000
    /// Maximum captures of one session; then a new one begins, because every start tracks all of them again.
    private static let longest = 10_000

    /// Begins a session with a photo of this modification time.
    init(_ board: Board, number: Int64, began: Int64, games: GameCatalogue) throws {
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
    init(_ left: LeftSession, games: GameCatalogue) throws {
        try self.init(left.session, games)
        for (time, capture) in left.captures {
            _ = tracker.track(try JSONCoding.decode(PieceFrame.self, from: capture), at: time)
            self.time = time
        }
        captures = left.captures.count
        lastLine = left.lastLine
        if let state = left.state { try game?.load(state) }
    }

    private init(_ record: StoredSession, _ games: GameCatalogue) throws {
        self.record = record
        tracker = PieceTracker(session: record.id, interval: Self.usualInterval)
        game = try record.game.map { GameSession(id: record.id, game: try games.game($0)) }
    }

    var number: Int64 { record.number }

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
        let elapsed = overflow ? 0 : min(Int(clamping: since), time.addingSaturated(Self.longestPause))
        time = captures == 0 ? 0 : max(elapsed, time.addingSaturated(Self.usualInterval))
        captures += 1
        // Store the bytes that a later start will track again.
        let data = try JSONCoding.encode(capture)
        let frame = tracker.track(try JSONCoding.decode(PieceFrame.self, from: data), at: time)
        var lines = [line("frame", try JSONCoding.encode(frame))]
        if let said = game?.process(frame) { lines.append(line("game", try JSONCoding.encode(said))) }
        return NewCapture(
            session: record, seq: captures, time: time, capture: data, lines: lines, state: try game?.save())
    }

    /// Passes a person's request to the game.
    ///
    /// - Returns: the game's line and its state afterwards; nil without a game.
    mutating func play(_ action: GameAction) throws -> (line: GameLine, state: Data)? {
        guard var playing = game else { return nil }
        let said = try playing.take(action, at: time)
        game = playing
        lastLine += 1
        return (said, try playing.save())
    }

    private mutating func line(_ kind: String, _ body: Data) -> StreamEvent {
        lastLine += 1
        return StreamEvent(number: lastLine, kind: kind, body: body)
    }
}
