import Core
import Kinds
import Store

/// A board's session in a list.
package struct PlaySession: Sendable, Hashable, Codable {
    package var id: String
    /// The game; `pieces` if the stream has only pieces.
    package var game: String
    package var set: String
    /// The folder of the frames' photos.
    package var board: String
    package var frames: Int
    /// Number of the stream's last line.
    package var lastLine: Int64

    package init(id: String, game: String, set: String, board: String, frames: Int, lastLine: Int64) {
        self.id = id
        self.game = game
        self.set = set
        self.board = board
        self.frames = frames
        self.lastLine = lastLine
    }

    init(_ summary: SessionSummary) {
        self.init(
            id: summary.session.id, game: summary.session.game ?? Self.noGame, set: summary.session.pieceSet,
            board: summary.session.board.display, frames: summary.frames, lastLine: summary.lastLine)
    }

    /// The game of a board without a game.
    package static let noGame = "pieces"

    /// The name of the board's folder.
    package var shortBoard: String { board.split(separator: "/").last.map(String.init) ?? board }
}

/// A board's session as its page and its report show it.
package struct ShownBoard: Sendable {
    /// The newest photo of a board.
    package struct Photo: Sendable {
        package var id: String
        /// Pixels.
        package var width, height: Int
    }

    package var session: PlaySession
    /// The newest frame; nil before the first.
    package var frame: PieceFrame?
    /// The lines of the game, oldest first.
    package var lines: [GameLine]
    /// Nil if none is stored.
    package var photo: Photo?
    /// True for a camera: its pictures are not stored, and the page draws the pieces alone.
    package var isLive = false
    /// The puzzles that may be chosen, by their ids; empty for a game without puzzles.
    package var puzzles: [String] = []
}

extension ShownBoard {
    /// The session of a camera.
    package init(live session: PlaySession, frame: PieceFrame?, lines: [GameLine]) {
        self.init(session: session, frame: frame, lines: lines, isLive: true)
    }
}
