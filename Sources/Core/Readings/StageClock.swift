import Glibc

/// Milliseconds of processor time by stage. Each stage is counted from the end of the previous one.
///
/// The clock measures processor time of the whole process, since wall-clock time depends on other programs.
public struct StageClock {
    public private(set) var milliseconds: [String: Double] = [:]
    private var last = Self.processorMilliseconds

    public init() {}

    public mutating func end(_ stage: String) {
        let now = Self.processorMilliseconds
        milliseconds[stage, default: 0] += (now - last).rounded(toPlaces: 1)
        last = now
    }

    private static var processorMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Adds the times of steps within a stage.
    public mutating func add(_ steps: [String: Double]) {
        milliseconds.merge(steps) { $0 + $1 }
    }
}
