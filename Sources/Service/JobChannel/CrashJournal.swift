internal import CLinuxSupport
import Glibc

/// Notes of workers and daemon for the next start: which jobs had begun, and which jobs their worker survived.
///
/// A worker notes each job when it begins and when its answer is ready. An input that crashes worker and daemon leaves a
/// begun job without the second note. If the daemon was killed from outside, each worker that is at work still writes
/// that note. So only a crash is charged to an input. After a power failure the file may be empty; then nothing is
/// charged.
public struct CrashJournal: Sendable, Hashable {
    /// Jobs that a worker had begun.
    public var begun: Set<Int64> = []
    /// Jobs whose worker finished them or survived the daemon, and that were not begun again.
    public var survived: Set<Int64> = []
    /// Jobs whose answer the daemon itself was processing, without a worker.
    public var held: Set<Int64> = []
    /// True if the daemon crashed, for example with SIGSEGV; false if a signal asked it to stop or killed it.
    public var daemonCrashed = false

    /// The signal that the kernel sends when the daemon exits.
    private static let parentDied = SIGUSR2

    public init() {}

    /// Reads the entries, 8 bytes each, in the order of time. A worker writes the job's number plus 1 at its start, and
    /// the negative value at its end or when the daemon exits.
    public init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count - 7, by: 8) {
            let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
            let number = Int64(bitPattern: bits)
            switch number {
            case Self.crash: daemonCrashed = true
            case Self.holdFlag...: held.insert(number - Self.holdFlag)
            case ...(-Self.holdFlag): held.remove(-Self.holdFlag - number)
            case 1...:
                begun.insert(number - 1)
                survived.remove(number - 1)
            case ..<0: survived.insert(-number - 1)
            default: break
            }
        }
    }

    /// True if this job may have ended the daemon. If the daemon itself crashed, a surviving worker proves nothing, so
    /// every running job is a suspect.
    public func isSuspect(_ job: Int64) -> Bool {
        daemonCrashed ? begun.contains(job) || held.contains(job) : begun.contains(job) && !survived.contains(job)
    }

    // MARK: Daemon

    /// The entry of a daemon that crashes.
    private static let crash = Int64.min
    /// Entries from here on are jobs that the daemon holds; negative ones are jobs that it released.
    private static let holdFlag = Int64(1) << 61

    /// Records crashes of this process in `descriptor`, which is open for appending.
    public static func noteCrashes(descriptor: Int32) { _ = ts_note_crash(descriptor, crash) }

    /// Records that the daemon begins to process this job's answer, or is done with it.
    public static func hold(job: Int64, _ isHeld: Bool, descriptor: Int32) {
        guard job >= 0, job < holdFlag else { return }
        _ = ts_append_number(descriptor, isHeld ? holdFlag + job : -holdFlag - job)
    }

    /// Allows crashes by stack overflow of this thread to be recorded. Call once per thread.
    public static func prepareThread() { _ = ts_use_signal_stack() }

    // MARK: Worker

    /// Writes to `descriptor`, open for appending, when the parent process exits.
    public static func prepare(descriptor: Int32, parent: Int32) {
        if descriptor >= 0 { _ = ts_open_crash_journal(parentDied, descriptor) }
        _ = ts_die_with_parent(descriptor >= 0 ? parentDied : SIGKILL)
        // The parent may have exited before the signal was requested.
        if getppid() != parent { exit(0) }
    }

    /// Records that this job begins; -1 is not recorded.
    public static func begin(job: Int64) { if job >= 0 { ts_journal_job(job + 1) } }

    /// Records that the answer of this job is ready. Call it before the answer is sent: the daemon may exit while it
    /// stores the answer, and this worker may have another job by then, or see the closed socket before the signal.
    public static func end(job: Int64) { if job >= 0 { ts_journal_job_end() } }
}
