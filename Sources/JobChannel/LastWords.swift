internal import CLinuxSupport
import Glibc

/// What workers leave behind when their daemon dies: which jobs they had begun, and which of them were well.
///
/// An input that kills worker and daemon leaves a job that was begun, and no word after it; where the daemon was killed by
/// something else, each of its workers still says that it is well. So at the next start only the former is held against an
/// input. After a loss of power the file may be empty: then nothing is held against anyone.
public struct LastWords: Sendable, Hashable {
    /// Jobs that a worker had begun.
    public var begun: Set<Int64> = []
    /// Jobs whose worker was well when the daemon died.
    public var survived: Set<Int64> = []

    /// The signal that the kernel sends when the daemon dies.
    private static let parentDied = SIGUSR2

    public init() {}

    /// Reads what workers wrote: 8 bytes each, the job's number plus 1, negative where it is a last word.
    public init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count - 7, by: 8) {
            let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
            let number = Int64(bitPattern: bits)
            if number > 0 { begun.insert(number - 1) }
            if number < 0 { survived.insert(Int64(clamping: number.magnitude) - 1) }
        }
    }

    /// True where this job's end may have been the daemon's.
    public func isSuspect(_ job: Int64) -> Bool { begun.contains(job) && !survived.contains(job) }

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
