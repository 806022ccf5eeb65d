internal import CLinuxSupport
import Foundation
import Glibc

/// Notes of workers and daemon for the next start: which jobs had begun, and which jobs their worker survived.
///
/// The daemon notes to which worker it gives a job. A worker notes each job when it begins and when its answer is ready,
/// in a file of its own. An input that crashes worker and daemon leaves a begun job without the second note. If the
/// daemon was killed from outside, each worker that is at work still writes that note. So only a crash is charged to an
/// input. After a power failure a file may be empty; then nothing is charged.
///
/// A photo may have taken over its worker, so a worker's notes count for its latest job only.
package struct CrashJournal: Sendable, Hashable {
    /// Jobs that the daemon gave to a worker.
    package var begun: Set<Int64> = []
    /// Jobs that a worker had begun, and neither finished nor survived.
    package var unsurvived: Set<Int64> = []
    /// Jobs whose answer the daemon itself was processing, without a worker.
    package var held: Set<Int64> = []
    /// True if the daemon crashed, for example with SIGSEGV; false if a signal asked it to stop or killed it.
    package var daemonCrashed = false

    /// The signal that the kernel sends when the daemon exits.
    private static let parentDied = SIGUSR2

    package init() {}

    /// Reads the entries, 8 bytes each, in the order of time.
    ///
    /// - Parameters:
    ///   - daemon: the daemon's file.
    ///   - workers: the file of each worker, by its number. A worker writes the job's number plus 1 at its start, and
    ///     the negative value at its end or when the daemon exits.
    package init(daemon: some Collection<UInt8>, workers: [Int64: Data] = [:]) {
        var owner: [Int64: Int64] = [:]
        var latest: [Int64: Int64] = [:]
        var giving: Int64?
        for number in Self.numbers(daemon) {
            if let worker = giving {
                (owner[number], latest[worker], giving) = (worker, number, nil)
                begun.insert(number)
                continue
            }
            switch number {
            case Self.crash: daemonCrashed = true
            case Self.holdFlag...: held.insert(number - Self.holdFlag)
            case ...(-Self.holdFlag): held.remove(-Self.holdFlag - number)
            case Self.giveFlag...: giving = number - Self.giveFlag
            default: break
            }
        }
        for (worker, notes) in workers {
            guard let job = latest[worker], owner[job] == worker else { continue }
            let last = Self.numbers(notes).last { $0 == job + 1 || $0 == -job - 1 }
            if last == job + 1 { unsurvived.insert(job) }
        }
    }

    private static func numbers(_ bytes: some Collection<UInt8>) -> [Int64] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
            return Int64(bitPattern: bits)
        }
    }

    /// True if this job may have ended the daemon. If the daemon itself crashed, a surviving worker proves nothing, so
    /// every running job is a suspect.
    package func isSuspect(_ job: Int64) -> Bool {
        daemonCrashed ? begun.contains(job) || held.contains(job) : unsurvived.contains(job)
    }

    // MARK: Daemon

    /// The entry of a daemon that crashes.
    private static let crash = Int64.min
    /// Entries from here on are jobs that the daemon holds; negative ones are jobs that it released.
    private static let holdFlag = Int64(1) << 61
    /// Entries from here on name the worker that gets the job in the next entry.
    private static let giveFlag = Int64(1) << 60

    /// Records that this worker gets this job. Call it before the job is sent; -1 is not recorded.
    package static func give(job: Int64, to worker: Int64, descriptor: Int32) {
        guard job >= 0, (0..<giveFlag).contains(worker) else { return }
        // One write: entries of other threads must not come between the two.
        let entries = (giveFlag + worker, job)
        _ = withUnsafeBytes(of: entries) { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Records crashes of this process in `descriptor`, which is open for appending.
    package static func noteCrashes(descriptor: Int32) { _ = ts_note_crash(descriptor, crash) }

    /// Records that the daemon begins to process this job's answer, or is done with it.
    package static func hold(job: Int64, _ isHeld: Bool, descriptor: Int32) {
        guard job >= 0, job < holdFlag else { return }
        _ = ts_append_number(descriptor, isHeld ? holdFlag + job : -holdFlag - job)
    }

    // MARK: Worker

    /// Writes to `descriptor`, this worker's file, open for appending, when the parent process exits.
    package static func prepare(descriptor: Int32, parent: Int32) {
        if descriptor >= 0 { _ = ts_open_crash_journal(parentDied, descriptor) }
        _ = ts_die_with_parent(descriptor >= 0 ? parentDied : SIGKILL)
        // The parent may have exited before the signal was requested.
        if getppid() != parent { exit(0) }
    }

    /// Records that this job begins; -1 is not recorded.
    package static func begin(job: Int64) { if job >= 0 { ts_journal_job(job + 1) } }

    /// Records that the answer of this job is ready. Call it before the answer is sent: the daemon may exit while it
    /// stores the answer, and this worker may have another job by then, or see the closed socket before the signal.
    package static func end(job: Int64) { if job >= 0 { ts_journal_job_end() } }
}
