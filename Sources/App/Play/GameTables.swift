import Games
import HTTP

/// The games on the boards and before the cameras, as the running daemon plays them.
package protocol GameTables: Sendable {
    /// The sessions of cameras, which are not stored, by their ids.
    func liveSessions() async -> [PlaySession]
    /// The lines of a camera's session after a number that are still kept; nil for an unknown session.
    func liveLines(of session: String, after number: Int64, limit: Int) async -> [APIEvent]?
    /// A camera's session as its page shows it; nil for an unknown session.
    func liveBoard(_ session: String) async -> ShownBoard?
    /// Passes a person's request to a session's game.
    ///
    /// - Returns: the game's line; nil for an unknown session.
    /// - Throws: ``Problem`` 400 for a puzzle that the game does not have, 409 for a session that cannot be played.
    func play(_ action: GameAction, in session: String) async throws -> GameLine?
}

/// What a person may ask of a game.
package enum GameAction: Sendable, Hashable {
    case hint, reset
    /// A puzzle by its id; nil lets the game recognise it.
    case choose(String?)
}
