import Glibc
import Core

/// Decides when a file is finished: nobody writes it any more, and it stayed the same for a while.
///
/// Never the age of its modification time, which copying programs set to whatever they like.
public struct Settling: Sendable {
    /// What a look at one file tells.
    public enum Observation: Sendable, Equatable {
        case gone
        /// It may not be read (yet): an upload server may give the right later.
        case denied(FileIdentity)
        /// Somebody has it open for writing.
        case written(FileIdentity)
        case still(FileIdentity)
    }

    /// How long a file must stay the same.
    public var interval: Duration
    /// How long one that may not be read is waited for.
    public let patience: Duration
    private let observe: @Sendable (FilePathBytes) -> Observation
    private var waiting: [FilePathBytes: (identity: FileIdentity, first: Instant, since: Instant)] = [:]

    public typealias Instant = ContinuousClock.Instant

    /// - Parameter look: what the kernel says of a file now.
    public init(
        interval: Duration, patience: Duration = .seconds(10), observe: @escaping @Sendable (FilePathBytes) -> Observation
    ) {
        self.interval = interval
        self.patience = patience
        self.observe = observe
    }

    /// True while files are waited for, so another look is needed after ``interval``.
    public var isWaiting: Bool { !waiting.isEmpty }
    public var waitingCount: Int { waiting.count }

    /// A scan saw this file, and it is not known in this version.
    public mutating func note(_ path: FilePathBytes, _ identity: FileIdentity, at now: Instant) {
        if let seen = waiting[path], seen.identity == identity { return }
        waiting[path] = (identity, waiting[path]?.first ?? now, now)
    }

    /// Takes the files out that are finished at `now`; what vanished is forgotten.
    ///
    /// - Parameter limit: how many are looked at; those of folders with few of them first, so that a folder into which
    ///   100,000 were dropped keeps nobody else waiting.
    public mutating func takeSettled(
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
                // Looked at again after the interval, not at once.
                waiting[path] = (identity, seen.first, now)
            }
        }
        return ready
    }

    /// At most `limit` files that stayed the same long enough.
    private func due(at now: Instant, _ limit: Int) -> [FilePathBytes] {
        let due = waiting.filter { now - $0.value.since >= interval }.map(\.key)
        guard due.count > limit else { return due }
        let byFolder = Dictionary(grouping: due, by: \.folder).values.sorted { $0.count < $1.count }
        return Array(byFolder.joined().prefix(limit))
    }

    /// Asks the kernel: the file is opened without following links, and a read lease tried.
    public static func observe(at path: FilePathBytes, below root: FilePathBytes) -> Observation {
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
