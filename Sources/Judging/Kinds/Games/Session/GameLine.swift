import Core

/// One line of a game's stream, the result of one input. Each frame, hint and reset has exactly one.
package struct GameLine: Sendable, Hashable, Codable {
    package var v = 1
    package var kind = "game"
    package var session: String
    /// The number of the frame; for a hint or a reset, of the last frame.
    package var seq: Int
    /// The time of the frame, nanoseconds since the start of the session.
    package var t_ns: Int
    package var report: GameReport
    /// Points in this session.
    package var score: Int
    /// Experience points of the player, including earlier sessions.
    package var xp: Int
    /// XP/100 + 1.
    package var level: Int
    /// How exactly pieces must be placed, or how hard the tasks are.
    package var difficulty: GameLevel
    /// The help given with this line, requested or not; nil for none.
    package var advice: Advice?
    package var skills: [SkillEvent]
    /// A more suitable difficulty for the player, or nil.
    package var suggestion: GameLevel?
}

extension GameLine {
    /// True if somebody asked for a hint and the game had none.
    package var isUnansweredHint: Bool { ["noHint", "noPuzzle"].contains(report.outcome.reason) }
}
