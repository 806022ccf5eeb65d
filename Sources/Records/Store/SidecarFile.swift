import Foundation
import Glibc
import Core

/// A file that is either absent or whole: written beside its place, forced to the disk, then renamed.
public enum SidecarFile {
    /// Writes `data` to `path`, making the folders above it.
    ///
    /// - Throws: ``StartupError`` with exit code 74 that says which file and why: a daemon that cannot keep results stops.
    public static func write(_ data: Data, to path: FilePathBytes) throws(StartupError) {
        try makeFolders(path.folder)
        let file = try UnfinishedFile(for: path)
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw UnfinishedFile.failure("write", path) }
            rest = rest.dropFirst(count)
        }
        try file.finish()
    }

    /// Makes `folder` and what is missing above it.
    ///
    /// - Throws: ``StartupError`` with exit code 74; its `concernsOnePath` is set where a file stands in a folder's place.
    public static func makeFolders(_ folder: FilePathBytes) throws(StartupError) {
        if isMade(folder) { return }
        if errno == ENOENT, folder.folder != folder {
            try makeFolders(folder.folder)
            if isMade(folder) { return }
        }
        throw UnfinishedFile.failure("make the folder", folder)
    }

    /// True where the folder is there now. mkdir(2) answers EEXIST for files and links too, so the kernel is asked what it is.
    private static func isMade(_ folder: FilePathBytes) -> Bool {
        if folder.withCString({ mkdir($0, 0o755) }) == 0 { return true }
        guard errno == EEXIST else { return false }
        var status = stat()
        if folder.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR { return true }
        errno = ENOTDIR
        return false
    }
}
