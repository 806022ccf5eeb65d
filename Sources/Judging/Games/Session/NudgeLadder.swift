import Core

/// When help is offered unasked, and how plain it is: after two misses, a step plainer with each further one, never twice within
/// three seconds, and from the beginning again after a success.
struct NudgeLadder: Sendable, Hashable, Codable {
    /// Nanoseconds between two offers.
    static let cooldown = 3_000_000_000
    /// Misses in a row before the first offer.
    static let tries = 2

    private var misses = 0
    private(set) var step = NudgeStep.none
    private var offered: Int?

    /// The step to offer after this outcome; nil for none.
    mutating func step(after outcome: PlayerActionOutcome, at time: Int) -> NudgeStep? {
        switch outcome.kind {
        case .correctPlacement, .levelComplete, .specialAchievement:
            misses = 0
            step = .none
            return nil
        case .incorrectPlacement:
            misses += 1
            guard misses >= Self.tries else { return nil }
            return raise(at: time)
        case .noAction, .hintUsed, .stateUpdated: return nil
        }
    }

    /// The step that a person who asks gets; the same again within the cooldown.
    mutating func asked(at time: Int) -> NudgeStep { raise(at: time) ?? max(step, .visual) }

    private mutating func raise(at time: Int) -> NudgeStep? {
        if let offered, time - offered < Self.cooldown { return nil }
        step = step.next
        offered = time
        return step
    }
}
