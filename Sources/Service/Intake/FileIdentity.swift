import Glibc
import Core

extension FileIdentity {
    /// The identity from a stat(2) result.
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
