/// Milliseconds by stage, each counted from the end of the one before.
public struct StageClock {
    public private(set) var milliseconds: [String: Double] = [:]
    private var last = ContinuousClock.now

    public init() {}

    public mutating func end(_ stage: String) {
        let now = ContinuousClock.now
        milliseconds[stage, default: 0] += ((now - last) / .milliseconds(1)).rounded(toPlaces: 1)
        last = now
    }

    /// Adds what steps inside a stage took.
    public mutating func add(_ steps: [String: Double]) {
        milliseconds.merge(steps) { $0 + $1 }
    }
}
