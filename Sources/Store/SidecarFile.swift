import Foundation
import Glibc
import Vocabulary

/// A file that is either absent or whole: written beside its place, forced to the disk, then renamed.
public enum SidecarFile {
    /// Writes `data` to `path`, making the folders above it.
    ///
    /// - Throws: ``StartupError`` with exit code 74 that says which file and why: a daemon that cannot keep results stops.
    public static func write(_ data: Data, to path: FilePathBytes) throws(StartupError) {
        let folder = path.folder
        try makeFolders(folder)
        guard let temporary = FilePathBytes(path.bytes + Array(".tmp".utf8)) else { return }
        func failed(_ what: String) -> StartupError {
            StartupError(.inputOutput, "cannot \(what) \(path.display): \(String(cString: strerror(errno)))")
        }
        let file = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644) }
        guard file >= 0 else { throw failed("make") }
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let failure = failed("write")
                close(file)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        guard fsync(file) == 0, close(file) == 0 else { throw failed("sync") }
        let renamed = temporary.withCString { from in path.withCString { to in rename(from, to) } }
        guard renamed == 0 else { throw failed("rename to") }
        let directory = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else { throw failed("open the folder of") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failed("sync the folder of") }
    }

    /// Makes `folder` and what is missing above it.
    public static func makeFolders(_ folder: FilePathBytes) throws(StartupError) {
        if folder.withCString({ mkdir($0, 0o755) }) == 0 || errno == EEXIST { return }
        if errno == ENOENT, folder.folder != folder {
            try makeFolders(folder.folder)
            if folder.withCString({ mkdir($0, 0o755) }) == 0 || errno == EEXIST { return }
        }
        throw StartupError(
            .inputOutput, "cannot make the folder \(folder.display): \(String(cString: strerror(errno)))")
    }
}
