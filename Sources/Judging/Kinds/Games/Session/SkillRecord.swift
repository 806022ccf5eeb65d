import Core

/// The tries of one skill. A skill is mastered with eight successes in the last ten tries.
package struct SkillRecord: Sendable, Hashable, Codable {
    /// Number of most recent tries that count for mastery.
    static let window = 10
    static let needed = 8

    package private(set) var tries = 0
    package private(set) var successes = 0
    package private(set) var isMastered = false
    private var recent: [Bool] = []

    package init() {}

    /// Counts one try. Returns an event if mastery starts or ends.
    mutating func count(_ success: Bool) -> SkillEvent.Kind? {
        tries = tries.addingSaturated(1)
        if success { successes = successes.addingSaturated(1) }
        recent = recent.suffix(Self.window - 1) + [success]
        let masters = recent.count == Self.window && recent.count { $0 } >= Self.needed
        guard masters != isMastered else { return nil }
        isMastered = masters
        return masters ? .mastered : .lapsed
    }
}

/// A change in the mastery of a skill.
package struct SkillEvent: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable { case practised, failed, mastered, lapsed }

    package var kind: Kind
    package var skill: String
}
