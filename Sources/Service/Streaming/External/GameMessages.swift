import Games
import Core

/// A line from the host to a game outside this repository. `n` numbers the lines of a session; what is answered names it.
struct HostMessage: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable {
        /// First of all, and again after a restart.
        case `init`
        /// A frame without events, and one with: a simple game looks at those alone.
        case frame, event
        case hint, reset, save, load
    }

    var v = 1
    var kind: Kind
    var n: Int
    /// Of `init`.
    var session: String?
    var difficulty: GameLevel?
    /// Of `frame` and `event`.
    var frame: PieceFrame?
    /// Of `hint`: how plain it may be.
    var step: HintStep?
    /// Of `load`.
    var state: JSONValue?
}

/// A line from a game to the host.
struct GuestMessage: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable { case ready, outcome, state }

    var kind: Kind
    /// Of `outcome` and `state`: the line that it answers.
    var n: Int?
    /// Of `outcome`.
    var outcome: PlayerActionOutcome?
    /// Of an `outcome` that answers a hint.
    var text: String?
    /// Of `state`; an `outcome` may bring it too, and is then the newest.
    var state: JSONValue?
    /// Of `ready`.
    var id: String?
    var title: String?
    var description: String?
    /// Years, youngest and oldest.
    var recommendedAge: [Int]?
    var skills: [String]?
}
