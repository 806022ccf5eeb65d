import Core
import Foundation
import Kinds
import Store

/// The games on the boards and before the cameras, as the running daemon plays them.
package protocol GameTables: Sendable {
    /// The sessions of cameras, which are not stored, by their ids.
    func liveSessions() async -> [PlaySession]
    /// The lines of a camera's session after a number that are still kept; nil for an unknown session.
    func liveLines(of session: String, after number: Int64, limit: Int) async -> [StreamEvent]?
    /// A camera's session as its page shows it; nil for an unknown session.
    func liveBoard(_ session: String) async -> ShownBoard?
    /// Passes a person's request to a session's game.
    ///
    /// - Returns: the game's line; nil for an unknown session.
    /// - Throws: ``PlayProblem/badPuzzle(_:)``, and ``PlayProblem/onlyPieces`` or ``PlayProblem/over`` for a session that
    ///   cannot be played.
    func play(_ action: GameAction, in session: String) async throws -> GameLine?

    // MARK: Plays of members, whose pictures come from a browser

    /// Begins a session, or continues a saved one. A running session of the same id stays.
    ///
    /// - Throws: `StartupError` for an unknown game, set or puzzle; ``PlayProblem/noStart(_:)``.
    func begin(_ start: PlayStart) async throws
    /// Reads a picture. A session reads one at a time.
    ///
    /// - Parameter isStill: true for a photo, whose pieces lie still; false for one picture of many.
    /// - Throws: ``PlayProblem/ended`` for an unknown session, ``PlayProblem/badPicture(_:)``, ``PlayProblem/busy``.
    func take(_ picture: Data, isStill: Bool, in session: String) async throws -> TakenPicture
    /// The session's game as it is now; nil for an unknown session.
    func saved(_ session: String) async throws -> SavedPlay?
    /// What a page draws of the session; nil for an unknown session.
    func view(of session: String) async -> PlayView?
    /// Ends a session.
    func end(_ session: String) async
}

/// A member's play that pictures of a browser continue.
package struct PlayStart: Sendable {
    /// Id of the session.
    package var session: String
    /// The name of who plays.
    package var player: String
    package var game: String
    package var pieceSet: String
    package var puzzle: String?
    package var difficulty: GameLevel
    package var progress: PlayerProgress
    /// The saved session; nil for a new one.
    package var state: Data?
}

/// What a picture said.
package struct TakenPicture: Sendable {
    package var view: PlayView
    /// The game's lines that are news, oldest first; a photo may make several.
    package var lines: [GameLine]
    package var progress: PlayerProgress

    package init(view: PlayView, lines: [GameLine], progress: PlayerProgress) {
        (self.view, self.lines, self.progress) = (view, lines, progress)
    }
}

/// The game of a member's play at one moment.
package struct SavedPlay: Sendable {
    /// Rises from one saved game to the next: two requests may be answered in another order than they were played.
    package var number: Int
    package var state: Data?
    package var standing: GameStanding

    package init(number: Int, state: Data?, standing: GameStanding) {
        (self.number, self.state, self.standing) = (number, state, standing)
    }
}

/// What a page draws of a play.
package struct PlayView: Sendable, Codable {
    /// Pictures so far.
    package var frames: Int
    /// Pieces on the last picture.
    package var seen: Int
    /// The figure that is laid; nil for a game without one.
    package var figure: PlayPicture?
    /// The pieces on the table; nil before the first picture.
    package var table: PieceFrame?
    /// The newest line with help, until it was followed.
    package var advice: Advice?
    package var last: GameLine?
    /// The task, and how far the player is.
    package var standing: GameStanding
    /// Experience points for the end of the task; nil if it was not reached since the session began or continued.
    package var awarded: Int?
    /// True from the player's request to begin again until the end is reached once more.
    package var isAnew: Bool
    /// Number of the session's last line.
    package var lastLine: Int64

    package init(
        frames: Int, seen: Int, figure: PlayPicture?, table: PieceFrame?, advice: Advice?, last: GameLine?,
        standing: GameStanding, awarded: Int?, isAnew: Bool, lastLine: Int64
    ) {
        self.frames = frames
        self.seen = seen
        self.figure = figure
        self.table = table
        self.advice = advice
        self.last = last
        self.standing = standing
        self.awarded = awarded
        self.isAnew = isAnew
        self.lastLine = lastLine
    }
}
