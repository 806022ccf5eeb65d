import Core

/// What a player has come to: experience, points, skills, and how the last levels went.
public struct PlayerProgress: Sendable, Hashable, Codable {
    /// Experience for a level of the player.
    static let experiencePerLevel = 100
    /// Levels in a row without a miss or a hint after which more difficulty is suggested; solutions shown after which less is.
    static let streak = 3

    public private(set) var xp = 0
    public private(set) var score = 0
    public private(set) var skills: [String: SkillRecord] = [:]
    private var smoothLevels = 0
    private var solutionsShown = 0
    private var stumbled = false

    public init() {}

    /// 1 at the beginning, one more for each 100 XP.
    public var level: Int { xp / Self.experiencePerLevel + 1 }

    /// Counts an outcome; the events of the skill it tells about.
    mutating func count(_ outcome: PlayerActionOutcome, skill: String?) -> [SkillEvent] {
        score += outcome.points ?? 0
        xp += (outcome.xpAwarded ?? 0) + (outcome.bonusXP ?? 0)
        switch outcome.kind {
        case .incorrectPlacement, .hintUsed: stumbled = true
        case .levelComplete:
            smoothLevels = stumbled ? 0 : smoothLevels + 1
            stumbled = false
        default: break
        }
        guard let skill else { return [] }
        let success = outcome.kind != .incorrectPlacement
        let change = skills[skill, default: SkillRecord()].count(success)
        return [SkillEvent(kind: success ? .practised : .failed, skill: skill)]
            + (change.map { [SkillEvent(kind: $0, skill: skill)] } ?? [])
    }

    /// Counts help given.
    mutating func count(_ advice: Advice?) {
        if advice?.step == .solution { solutionsShown += 1 }
    }

    /// The difficulty that would suit better; nil where the present one does.
    mutating func suggestion(from level: GameLevel) -> GameLevel? {
        if smoothLevels >= Self.streak, let harder = level.harder {
            smoothLevels = 0
            return harder
        }
        if solutionsShown >= Self.streak, let easier = level.easier {
            solutionsShown = 0
            return easier
        }
        return nil
    }
}
