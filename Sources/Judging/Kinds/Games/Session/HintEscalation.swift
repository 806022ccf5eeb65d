import Core

/// Decides when help is offered without a request, and at which level. Help starts after two misses and rises one
/// level with each further miss. It is offered at most once in three seconds. A success resets it.
struct HintEscalation: Sendable, Hashable, Codable {
    /// Minimum time between two offers, nanoseconds.
    static let cooldown = 3_000_000_000
    /// Number of consecutive misses before the first offer.
    static let missesBeforeHelp = 2

    private var misses = 0
    private(set) var step = HintStep.none
    private var offered: Int?

    /// The level of help to offer after this outcome; nil for none.
    mutating func step(after outcome: PlayerActionOutcome, at time: Int) -> HintStep? {
        switch outcome.kind {
        case .correctPlacement, .levelComplete, .specialAchievement:
            misses = 0
            step = .none
            return nil
        case .incorrectPlacement:
            misses += 1
            guard misses >= Self.missesBeforeHelp else { return nil }
            return raise(at: time)
        case .noAction, .hintUsed, .stateUpdated: return nil
        }
    }

    /// The level of help on request. Within the cooldown the level does not rise.
    mutating func asked(at time: Int) -> HintStep { raise(at: time) ?? max(step, .visual) }

    private mutating func raise(at time: Int) -> HintStep? {
        if let offered, time - offered < Self.cooldown { return nil }
        step = step.next
        offered = time
        return step
    }
}
