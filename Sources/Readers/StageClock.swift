import Vocabulary

/// Milliseconds by stage, each counted from the end of the one before.
struct StageClock {
    private(set) var milliseconds: [String: Double] = [:]
    private var last = ContinuousClock.now

    mutating func end(_ stage: String) {
        let now = ContinuousClock.now
        milliseconds[stage] = ((now - last) / .milliseconds(1)).rounded(toPlaces: 1)
        last = now
    }
}
