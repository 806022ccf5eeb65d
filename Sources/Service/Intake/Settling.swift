import Glibc
import Core

/// Decides when a file is complete: no process has it open for writing, and it did not change for a while.
///
/// The modification time is not used, because copying programs set it to any value.
package struct Settling: Sendable {
    /// The state of one file.
    package enum Observation: Sendable, Equatable {
        case gone
        /// The file is not readable now; an upload server may grant access later.
        case denied(FileIdentity)
        /// A process has the file open for writing.
        case written(FileIdentity)
        case still(FileIdentity)
    }

    /// Time without changes after which a file is complete.
    package var interval: Duration
    /// Time to wait for an unreadable file.
    package let patience: Duration
    private let observe: @Sendable (FilePathBytes) -> Observation
    /// Maximum number of waiting files, to bound the memory: a file takes some 200 bytes.
    package let capacity: Int
    /// True if files were left out because ``capacity`` was reached; a scan finds them again.
    package private(set) var hasLeftOut = false
    private var waiting: [FilePathBytes: (identity: FileIdentity, first: Instant, since: Instant)] = [:]

    package typealias Instant = ContinuousClock.Instant

    /// - Parameter observe: returns the state of a file now.
    package init(
        interval: Duration, patience: Duration = .seconds(10), capacity: Int = 200_000,
        observe: @escaping @Sendable (FilePathBytes) -> Observation
    ) {
        self.interval = interval
        self.patience = patience
        self.capacity = capacity
        self.observe = observe
    }

    /// True while files are waiting; call ``takeSettled(at:limit:)`` again after ``interval``.
    package var isWaiting: Bool { !waiting.isEmpty }
    package var waitingCount: Int { waiting.count }

    /// Adds a file that a scan found and that is not stored in this version.
    ///
    /// - Parameter isWhole: True if the file was renamed into place, so only an open writer delays it.
    package mutating func note(_ path: FilePathBytes, _ identity: FileIdentity, at now: Instant, isWhole: Bool = false)
    {
        let seen = waiting[path]
        if seen == nil, waiting.count >= capacity {
            hasLeftOut = true
            return
        }
        if let seen, seen.identity == identity, !isWhole { return }
        waiting[path] = (identity, seen?.first ?? now, isWhole ? now - interval : now)
    }

    /// True if files were left out and few are waiting, so that it is time to scan for the others. Clears the mark.
    package mutating func takesMore() -> Bool {
        guard hasLeftOut, waiting.count <= capacity / 10 else { return false }
        hasLeftOut = false
        return true
    }

    /// Removes and returns the files that are complete at `now`; deleted files are dropped.
    ///
    /// - Parameter limit: maximum number of files to check. Folders with few files come first, so that a folder that
    ///   receives 100,000 files does not delay others.
    package mutating func takeSettled(
        at now: Instant, limit: Int = .max
    ) -> [(path: FilePathBytes, identity: FileIdentity)] {
        var ready: [(path: FilePathBytes, identity: FileIdentity)] = []
        for path in due(at: now, limit) {
            guard let seen = waiting[path] else { continue }
            switch observe(path) {
            case .gone: waiting[path] = nil
            case .denied(let identity) where now - seen.first >= patience, .still(let identity):
                if identity == seen.identity {
                    ready.append((path, identity))
                    waiting[path] = nil
                } else {
                    waiting[path] = (identity, seen.first, now)
                }
            case .denied(let identity), .written(let identity):
                // Check again after the interval.
                waiting[path] = (identity, seen.first, now)
            }
        }
        return ready
    }

    /// At most `limit` files without changes for long enough.
    private func due(at now: Instant, _ limit: Int) -> [FilePathBytes] {
        let due = waiting.filter { now - $0.value.since >= interval }.map(\.key)
        guard due.count > limit else { return due }
        let byFolder = Dictionary(grouping: due, by: \.folder).values.sorted { $0.count < $1.count }
        return Array(byFolder.joined().prefix(limit))
    }

    /// Opens the file without following links and tries to get a read lease.
    package static func observe(at path: FilePathBytes, below root: FilePathBytes) -> Observation {
        let descriptor = FolderAccess.open(path, below: root)
        var status = stat()
        guard descriptor >= 0 else {
            guard descriptor == -EACCES || descriptor == -EPERM,
                path.withCString({ fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
            else { return .gone }
            return .denied(FileIdentity(status))
        }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .gone }
        return FolderAccess.isBeingWritten(descriptor) ? .written(FileIdentity(status)) : .still(FileIdentity(status))
    }
}
