/// Limits after which a worker is killed or replaced.
package struct WorkerLimits: Sendable, Hashable {
    /// Wall-clock time of one job, measured by the daemon.
    package var wallClock = Duration.seconds(45) {
        // A machine on which a job takes long needs longer to start a worker, too.
        didSet { start = max(start, wallClock / 3) }
    }
    /// Processor time of one job.
    package var processorSeconds = 30
    /// Address space in bytes, a last resort: the text recognition engines reserve far more than they use. In practice
    /// ``residentBytes`` is the effective limit.
    package var addressBytes = 2 << 30
    /// Memory in use, in bytes, above which a job is killed.
    package var residentBytes = 768 << 20
    /// Memory in use after a job, in bytes, above which the worker is replaced.
    package var recycleBytes = 500 << 20
    /// Jobs after which the worker is replaced, because native libraries leak.
    package var recycleJobs = 200
    /// Maximum time from the start to the greeting.
    package var start = Duration.seconds(20)

    package init() {}
}
