import Core

/// One line of a game's stream: what one input came to. There is exactly one for each frame, hint and reset.
public struct GameLine: Sendable, Hashable, Codable {
    public var v = 1
    public var kind = "game"
    public var session: String
    /// The frame's number; for a hint or a reset that of the last frame.
    public var seq: Int
    /// The frame's time, nanoseconds since the session began.
    public var t_ns: Int
    public var report: GameReport
    /// Points of this session.
    public var score: Int
    /// Experience of the player, this session's and what it began with.
    public var xp: Int
    /// XP/100 + 1.
    public var level: Int
    /// How exactly pieces must lie, or how hard the tasks are.
    public var difficulty: GameLevel
    /// Help that goes with it, asked for or not.
    public var advice: Advice?
    public var skills: [SkillEvent]
    /// The difficulty that would suit the player better.
    public var suggestion: GameLevel?
}
