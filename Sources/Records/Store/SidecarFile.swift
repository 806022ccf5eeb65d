import Foundation
import Glibc
import Core

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
