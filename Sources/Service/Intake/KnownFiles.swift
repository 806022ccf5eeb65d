import Synchronization
import Core

/// An index of the stored file versions that is fast enough for scans of 100,000 files.
///
/// It keeps two hashes per file, 16 bytes, and no path. The seed changes with each start, so a hash collision of two
/// paths does not persist.
package final class KnownFiles: Sendable {
    private let versions = Mutex<[Int: Int]>([:])

    package init() {}

    private static func key(_ path: FilePathBytes) -> Int {
        var hasher = Hasher()
        hasher.combine(path)
        return hasher.finalize()
    }

    package func contains(_ path: FilePathBytes, _ identity: FileIdentity) -> Bool {
        let key = Self.key(path)
        return versions.withLock { $0[key] } == identity.hashValue
    }

    package func insert(_ path: FilePathBytes, _ identity: FileIdentity) {
        let key = Self.key(path)
        versions.withLock { $0[key] = identity.hashValue }
    }

    /// Removes a file, so that the next scan reports it as new.
    package func forget(_ path: FilePathBytes) {
        let key = Self.key(path)
        versions.withLock { $0[key] = nil }
    }

    package var count: Int { versions.withLock { $0.count } }
}
