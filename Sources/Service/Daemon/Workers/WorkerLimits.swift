/// What one worker may take before it is ended or replaced.
public struct WorkerLimits: Sendable, Hashable {
    /// Wall clock of one job, counted by the daemon.
    public var wallClock = Duration.seconds(45)
    /// Processor time of one job.
    public var processorSeconds = 30
    /// Address space. The text reader's engines reserve far more than they ever touch, so this is only the last fence;
    /// ``residentBytes`` is the one that is felt.
    public var addressBytes = 2 << 30
    /// Memory in use above which a job is ended.
    public var residentBytes = 768 << 20
    /// Memory in use after a job above which the worker is replaced.
    public var recycleBytes = 500 << 20
    /// Jobs after which the worker is replaced: native libraries leak.
    public var recycleJobs = 200
    /// From its start to its greeting.
    public var start = Duration.seconds(20)

    public init() {}
}
