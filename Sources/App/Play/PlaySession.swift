import Core
import Foundation
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
    static let noGame = "pieces"

    /// Address of the session's page. Ids have letters, digits and hyphens only.
    var address: String { "/games/\(encodedGame)/\(id)" }
    var stream: String { "/v1/games/\(encodedGame)/sessions/\(id)/stream" }

    /// The name of the board's folder.
    var shortBoard: String { board.split(separator: "/").last.map(String.init) ?? board }

    private var encodedGame: String {
        game.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ":"])) ?? game
    }
}

/// A board's session as its page and its report show it.
package struct ShownBoard: Sendable {
    /// The newest photo of a board.
    struct Photo: Sendable {
        var id: String
        /// Pixels.
        var width, height: Int
    }

    var session: PlaySession
    /// The newest frame; nil before the first.
    var frame: PieceFrame?
    /// The lines of the game, oldest first.
    var lines: [GameLine]
    /// Nil if none is stored.
    var photo: Photo?
    /// True for a camera: its pictures are not stored, and the page draws the pieces alone.
    var isLive = false
    /// The puzzles that may be chosen, by their ids; empty for a game without puzzles.
    var puzzles: [String] = []
}

extension ShownBoard {
    /// The session of a camera.
    package init(live session: PlaySession, frame: PieceFrame?, lines: [GameLine]) {
        self.init(session: session, frame: frame, lines: lines, isLive: true)
    }
}
