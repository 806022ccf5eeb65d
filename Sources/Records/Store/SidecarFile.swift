import Core
import Foundation
import Glibc

/// A file that is either absent or complete: it is written under a temporary name, synced, then renamed.
package enum SidecarFile {
    /// Writes `data` to `path` and creates missing folders.
    ///
    /// - Throws: ``StartupError`` (74) that names the file and the reason. The daemon stops when it cannot keep
    ///   results.
    package static func write(_ data: Data, to path: FilePathBytes) throws(StartupError) {
        try makeFolders(path.folder)
        let file = try UnfinishedFile(for: path)
        guard writeAll(data, to: file.descriptor) else { throw UnfinishedFile.failure("write", path) }
        try file.finish()
    }

    /// Creates `folder` and its missing parents.
    ///
    /// - Throws: ``StartupError`` (74); `concernsOnePath` is set if a file has the folder's name.
    package static func makeFolders(_ folder: FilePathBytes) throws(StartupError) {
        if isMade(folder) { return }
        if errno == ENOENT, folder.folder != folder {
            try makeFolders(folder.folder)
            if isMade(folder) { return }
        }
        throw UnfinishedFile.failure("make the folder", folder)
    }

    /// True if the folder exists. mkdir(2) returns EEXIST for files and links too, so the type is checked.
    private static func isMade(_ folder: FilePathBytes) -> Bool {
        if folder.withCString({ mkdir($0, 0o755) }) == 0 { return true }
        guard errno == EEXIST else { return false }
        var status = stat()
        if folder.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR { return true }
        errno = ENOTDIR
        return false
    }
}

extension OutcomeStore {
    /// Writes the sidecars of replaced outcomes. A running daemon does this within a second.
    ///
    /// - Returns: the sidecars that could not be written, with the reasons.
    package func writeSidecars() throws -> [(path: FilePathBytes, reason: String)] {
        var refused: [(FilePathBytes, String)] = []
        var written: [WrittenSidecar] = []
        for (photo, json) in try unwrittenSidecars() {
            do {
                try SidecarFile.write(json + [0x0A], to: photo.sidecar)
                if try !removeIfErased(photo.sidecar, of: photo.path) {
                    written.append(WrittenSidecar(photo: photo.id, json: json))
                }
            } catch let error as StartupError where error.concernsOnePath {
                refused.append((photo.path, error.message))
            }
        }
        try markSidecarsWritten(written)
        return refused
    }
}

/// A file under a temporary name that `finish()` renames to its final name. An unfinished one is deleted.
package final class UnfinishedFile: Sendable {
    /// Open for writing, empty.
    package let descriptor: Int32
    private let temporary: FilePathBytes
    private let place: FilePathBytes

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

/// Writes all bytes at the file's position. A call that a signal interrupted is repeated. The descriptor stays open.
///
/// - Returns: false, with the reason in `errno`, if they cannot be written.
package func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
