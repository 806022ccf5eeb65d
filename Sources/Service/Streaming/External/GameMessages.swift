import Kinds
import Core

/// A line from the host to an external game. `n` numbers the lines of a session; an answer repeats it.
struct HostMessage: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable {
        /// The first line, also after a restart.
        case `init`
        /// A frame without events, and one with events; a simple game needs only the latter.
        case frame, event
        case hint, reset, save, load
        /// A player chose a puzzle.
        case choose
    }

    var v = 1
    var kind: Kind
    var n: Int
    /// For `init`.
    var session: String?
    var difficulty: GameLevel?
    /// For `init`: who plays.
    var player: GameCatalogue.Player?
    /// For `init` and `choose`: what is played; nil lets the game decide.
    var puzzle: String?
    /// For `frame` and `event`.
    var frame: PieceFrame?
    /// For `hint`: how explicit the hint may be.
    var step: HintStep?
    /// For `load`.
    var state: JSONValue?
}

/// A line from a game to the host.
struct GuestMessage: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable { case ready, outcome, state }

    var kind: Kind
    /// For `outcome` and `state`: number of the answered line.
    var n: Int?
    /// For `outcome`.
    var outcome: PlayerActionOutcome?
    /// For an `outcome` that answers a hint.
    var text: String?
    /// For `state`; also allowed in an `outcome`, where it is the newest state.
    var state: JSONValue?
}
