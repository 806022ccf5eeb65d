import Synchronization
import Core

/// Which version of which file was queued already: a shadow of the database that a scan can ask 100,000 times.
///
/// Keeps two hashes a file, 16 bytes, and no path. Their seed is drawn at each start, so that two paths that fall together
/// in one run are told apart in the next.
public final class KnownFiles: Sendable {
    private let versions = Mutex<[Int: Int]>([:])

    public init() {}

    private static func key(_ path: FilePathBytes) -> Int {
        var hasher = Hasher()
        hasher.combine(path)
        return hasher.finalize()
    }

    public func contains(_ path: FilePathBytes, _ identity: FileIdentity) -> Bool {
        let key = Self.key(path)
        return versions.withLock { $0[key] } == identity.hashValue
    }

    public func insert(_ path: FilePathBytes, _ identity: FileIdentity) {
        let key = Self.key(path)
        versions.withLock { $0[key] = identity.hashValue }
    }

    /// The next scan finds it anew.
    public func forget(_ path: FilePathBytes) {
        let key = Self.key(path)
        versions.withLock { $0[key] = nil }
    }

    public var count: Int { versions.withLock { $0.count } }
}
