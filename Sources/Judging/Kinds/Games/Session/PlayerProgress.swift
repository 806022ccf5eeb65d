import Core

/// A player's progress: experience points, points, skills, and the results of recent levels.
package struct PlayerProgress: Sendable, Hashable, Codable {
    /// Experience points for each player level.
    static let experiencePerLevel = 100
    /// Consecutive levels without a miss or hint before a higher difficulty is suggested. Also the number of shown
    /// solutions before a lower one is.
    static let streak = 3

    package private(set) var xp = 0
    package private(set) var score = 0
    package private(set) var skills: [String: SkillRecord] = [:]
    private var smoothLevels = 0
    private var solutionsShown = 0
    private var stumbled = false

    package init() {}

    /// Starts at 1 and rises by one for every 100 XP.
    package var level: Int { xp / Self.experiencePerLevel + 1 }

    /// Counts an outcome and returns the events of its skill.
    mutating func count(_ outcome: PlayerActionOutcome, skill: String?) -> [SkillEvent] {
        // Games are other programs too, and their numbers have any size.
        score = score.addingSaturated(outcome.points ?? 0)
        xp = xp.addingSaturated(outcome.xpAwarded ?? 0).addingSaturated(outcome.bonusXP ?? 0)
        switch outcome.kind {
        case .incorrectPlacement, .hintUsed: stumbled = true
        case .levelComplete:
            smoothLevels = stumbled ? 0 : smoothLevels.addingSaturated(1)
            stumbled = false
        case .correctPlacement, .noAction, .specialAchievement, .stateUpdated: break
        }
        guard let skill else { return [] }
        let success = outcome.kind != .incorrectPlacement
        let change = skills[skill, default: SkillRecord()].count(success)
        return [SkillEvent(kind: success ? .practised : .failed, skill: skill)]
            + (change.map { [SkillEvent(kind: $0, skill: skill)] } ?? [])
    }

    /// Counts help that was given.
    mutating func count(_ advice: Advice?) {
        if advice?.step == .solution { solutionsShown = solutionsShown.addingSaturated(1) }
    }

    /// Sets the score to 0 for a new game.
    mutating func clearScore() { score = 0 }

    /// A more suitable difficulty; nil if the present one is suitable.
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
