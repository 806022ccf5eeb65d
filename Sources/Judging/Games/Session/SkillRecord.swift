/// How often one skill was shown, and whether it is mastered: eight of the last ten tries, over at least ten.
public struct SkillRecord: Sendable, Hashable, Codable {
    /// Tries that count for mastery.
    static let window = 10
    static let needed = 8

    public private(set) var tries = 0
    public private(set) var successes = 0
    public private(set) var isMastered = false
    private var recent: [Bool] = []

    public init() {}

    /// Counts one try; the event where mastery begins or ends with it.
    mutating func count(_ success: Bool) -> SkillEvent.Kind? {
        tries += 1
        if success { successes += 1 }
        recent = recent.suffix(Self.window - 1) + [success]
        let masters = recent.count == Self.window && recent.count { $0 } >= Self.needed
        guard masters != isMastered else { return nil }
        isMastered = masters
        return masters ? .mastered : .lapsed
    }
}

/// Something that happened to a skill.
public struct SkillEvent: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable { case practised, failed, mastered, lapsed }

    public var kind: Kind
    public var skill: String
}
