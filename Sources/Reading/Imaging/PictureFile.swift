import Glibc
import Core

/// Writes a picture of the worker into a file opened by the daemon. The worker itself may open no file for writing.
package enum PictureFile {
    /// Writes all of `bytes` at the file's position. The descriptor stays open.
    ///
    /// - Throws: `inputOutput` with the kernel's reason.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ItemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ItemFailure(
                    stage: .storage, code: .inputOutput,
                    detail: "writing a picture: \(String(cString: strerror(errno)))",
                    hint: "check the folder and the disk, then run again", isTransient: true)
            }
            rest = rest.dropFirst(count)
        }
    }
}
