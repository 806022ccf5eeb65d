import Core
import Glibc
import Synchronization

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
}

extension FileIdentity {
    package init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim))
    }

    /// Nanoseconds since 1970, limited to 64 bits, which end in the year 2262. File systems and touch(1) allow later
    /// times.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return time.tv_sec < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(Int64(time.tv_nsec))
        return isBeyond ? .max : sum
    }
}
