import Core

/// One line of a game's stream, the result of one input. Each frame, hint and reset has exactly one.
public struct GameLine: Sendable, Hashable, Codable {
    public var v = 1
    public var kind = "game"
    public var session: String
    /// The number of the frame; for a hint or a reset, of the last frame.
    public var seq: Int
    /// The time of the frame, nanoseconds since the start of the session.
    public var t_ns: Int
    public var report: GameReport
    /// Points in this session.
    public var score: Int
    /// Experience points of the player, including earlier sessions.
    public var xp: Int
    /// XP/100 + 1.
    public var level: Int
    /// How exactly pieces must be placed, or how hard the tasks are.
    public var difficulty: GameLevel
    /// The help given with this line, requested or not; nil for none.
    public var advice: Advice?
    public var skills: [SkillEvent]
    /// A more suitable difficulty for the player, or nil.
    public var suggestion: GameLevel?
}

extension GameLine {
    /// True if somebody asked for a hint and the game had none.
    public var isUnansweredHint: Bool { ["noHint", "noPuzzle"].contains(report.outcome.reason) }
}
