import Foundation
import Glibc
import Core

/// A file under a temporary name that `finish()` renames to its final name. An unfinished one is deleted.
package final class UnfinishedFile: Sendable {
    /// Open for writing, empty.
    package let descriptor: Int32
    private let temporary: FilePathBytes
    private let place: FilePathBytes

    /// - Throws: ``StartupError`` (74) that names the file and the reason.
    package init(for place: FilePathBytes) throws(StartupError) {
        self.place = place
        temporary = place.appending(suffix: ".tmp")
        descriptor = temporary.withCString {
            open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        }
        guard descriptor >= 0 else { throw Self.failure("make", place) }
    }

    deinit {
        close(descriptor)
        // After finish() the temporary name no longer exists.
        temporary.withCString { _ = unlink($0) }
    }

    /// Syncs the content, renames the file and syncs its folder.
    package func finish() throws(StartupError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("sync", place) }
        let renamed = temporary.withCString { from in place.withCString { to in rename(from, to) } }
        guard renamed == 0 else { throw Self.failure("rename to", place) }
        let directory = place.folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else { throw Self.failure("open the folder of", place) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Self.failure("sync the folder of", place) }
    }

    static func failure(_ what: String, _ place: FilePathBytes) -> StartupError {
        let code = errno
        return StartupError(
            .inputOutput, "cannot \(what) \(place.display): \(String(cString: strerror(code)))",
            isDiskFull: code == ENOSPC || code == EDQUOT, concernsOnePath: onePathCodes.contains(code))
    }

    /// Error codes that concern one path only. All others, such as EIO and EROFS, concern the whole disk.
    private static let onePathCodes: Set<Int32> = [
        ENOTDIR, EISDIR, EEXIST, ENOTEMPTY, ENAMETOOLONG, ELOOP, EACCES, EPERM,
    ]
}
