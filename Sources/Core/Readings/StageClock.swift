import Glibc

/// Milliseconds of processor time by stage, each counted from the end of the one before.
///
/// Processor time of the whole process, since what else the machine does says nothing about a stage.
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

    /// Adds what steps inside a stage took.
    public mutating func add(_ steps: [String: Double]) {
        milliseconds.merge(steps) { $0 + $1 }
    }
}
