import Glibc
import Vocabulary

/// Decides when a file is finished: nobody writes it any more, and it stayed the same for a while.
///
/// Never the age of its modification time, which copying programs set to whatever they like.
public struct Settling: Sendable {
    /// How long a file must stay the same.
    public let interval: Duration
    /// True while somebody has the file open for writing.
    private let hasWriter: @Sendable (FilePathBytes) -> Bool
    private var firstSeen: [FilePathBytes: (identity: FileIdentity, since: ContinuousClock.Instant)] = [:]

    public init(interval: Duration, hasWriter: @escaping @Sendable (FilePathBytes) -> Bool = Settling.isBeingWritten) {
        self.interval = interval
        self.hasWriter = hasWriter
    }

    /// True while files are still watched, so another look is needed after ``interval``.
    public var isWaiting: Bool { !firstSeen.isEmpty }

    /// The files of `scan` that are finished at `now`; the rest is remembered, what vanished is forgotten.
    public mutating func settled(_ scan: [FoundFile], at now: ContinuousClock.Instant) -> [FoundFile] {
        var ready: [FoundFile] = []
        var waiting: [FilePathBytes: (identity: FileIdentity, since: ContinuousClock.Instant)] = [:]
        for file in scan {
            guard let seen = firstSeen[file.path], seen.identity == file.identity else {
                waiting[file.path] = (file.identity, now)
                continue
            }
            if now - seen.since >= interval, !hasWriter(file.path) {
                ready.append(file)
            } else {
                waiting[file.path] = seen
            }
        }
        firstSeen = waiting
        return ready
    }

    /// Asks the kernel for a read lease, which it refuses with EAGAIN while anyone writes, even through a shared mapping.
    /// Where leases cannot be had (another owner's file, a network mount) staying the same has to do.
    public static func isBeingWritten(_ path: FilePathBytes) -> Bool {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let setLease = Int32(1024)  // F_SETLEASE: a macro of <fcntl.h> that Swift does not import
        if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
    }
}
