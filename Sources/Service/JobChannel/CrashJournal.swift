internal import CLinuxSupport
import Glibc

/// What workers leave behind when their daemon dies: which jobs they had begun, and which of them were well.
///
/// An input that kills worker and daemon leaves a job that was begun, and no word after it; where the daemon was killed by
/// something else, each of its workers still says that it is well. So at the next start only the former is held against an
/// input. After a loss of power the file may be empty: then nothing is held against anyone.
public struct CrashJournal: Sendable, Hashable {
    /// Jobs that a worker had begun.
    public var begun: Set<Int64> = []
    /// Jobs whose worker was well when the daemon died.
    public var survived: Set<Int64> = []
    /// Jobs whose answer the daemon itself was working on, no worker being asked.
    public var held: Set<Int64> = []
    /// True where the daemon ended by a fault of its own: a signal such as SIGSEGV, not one that asks or kills.
    public var daemonCrashed = false

    /// The signal that the kernel sends when the daemon dies.
    private static let parentDied = SIGUSR2

    public init() {}

    /// Reads what workers and their daemon wrote, 8 bytes each. Of workers: the job's number plus 1, negative where it is a last word.
    public init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count - 7, by: 8) {
            let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
            let number = Int64(bitPattern: bits)
            switch number {
            case Self.crash: daemonCrashed = true
            case Self.holdFlag...: held.insert(number - Self.holdFlag)
            case ...(-Self.holdFlag): held.remove(-Self.holdFlag - number)
            case 1...: begun.insert(number - 1)
            case ..<0: survived.insert(-number - 1)
            default: break
            }
        }
    }

    /// True where this job's end may have been the daemon's. Where the daemon itself was at fault, a worker that was well clears
    /// nobody: every job that was running may have been the reason.
    public func isSuspect(_ job: Int64) -> Bool {
        daemonCrashed ? begun.contains(job) || held.contains(job) : begun.contains(job) && !survived.contains(job)
    }

    // MARK: the daemon's side

    /// What the daemon writes when it ends by a fault of its own.
    private static let crash = Int64.min
    /// Numbers from here on are jobs that the daemon holds, negative ones those that it let go.
    private static let holdFlag = Int64(1) << 61

    /// From now on a fault that ends this process is noted in `descriptor`, opened for appending.
    public static func noteCrashes(descriptor: Int32) { _ = ts_note_crash(descriptor, crash) }

    /// The daemon begins to work on this job's answer by itself, or is done with it.
    public static func hold(job: Int64, _ isHeld: Bool, descriptor: Int32) {
        guard job >= 0, job < holdFlag else { return }
        _ = ts_append_number(descriptor, isHeld ? holdFlag + job : -holdFlag - job)
    }

    /// Lets the end of this thread's stack be noted too. Once a thread.
    public static func prepareThread() { _ = ts_use_signal_stack() }

    // MARK: the worker's side

    /// Writes to `descriptor`, opened for appending, when the process that started this one ends.
    public static func prepare(descriptor: Int32, parent: Int32) {
        if descriptor >= 0 { _ = ts_last_words(parentDied, descriptor) }
        _ = ts_die_with_parent(descriptor >= 0 ? parentDied : SIGKILL)
        // It may have died before it was asked for.
        if getppid() != parent { exit(0) }
    }

    /// This job is begun now; -1 belongs to no journal.
    public static func begin(job: Int64) { if job >= 0 { ts_last_words_job(job + 1) } }
}
