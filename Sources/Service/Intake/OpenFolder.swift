internal import CLinuxSupport
import Core
import Glibc

/// An open folder inside a watched one. Files are created, renamed and deleted in the folder itself, also when another
/// program replaces a folder on its path by a link meanwhile.
package final class OpenFolder: Sendable {
    package let path: FilePathBytes
    private let descriptor: Int32

    private init(_ path: FilePathBytes, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens `path`, which is `root` or lies below it, following no link below `root`.
    ///
    /// - Parameter creates: makes missing folders.
    /// - Returns: nil with `errno`: ELOOP or ENOTDIR where a link or a file is on the way, EXDEV for a path outside.
    package static func open(_ path: FilePathBytes, below root: FilePathBytes, creates: Bool = false) -> OpenFolder? {
        var result = FolderAccess.open(path, below: root, flags: O_DIRECTORY)
        if result == -ENOENT, creates, path.isBelow(root), let parent = open(path.folder, below: root, creates: true) {
            let made = path.lastComponent.withCString { mkdirat(parent.descriptor, $0, 0o755) }
            guard made == 0 || errno == EEXIST else { return nil }
            result = FolderAccess.open(path, below: root, flags: O_DIRECTORY)
        }
        guard result >= 0 else {
            errno = -result
            return nil
        }
        return OpenFolder(path, result)
    }

    /// Creates a file that did not exist, open for writing; only its owner may read it.
    ///
    /// - Returns: a descriptor that the caller closes; negative with `errno` on failure.
    package func create(_ name: String) -> Int32 {
        openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Renames a file of this folder, and syncs the folder.
    ///
    /// - Returns: false with `errno`.
    package func rename(_ name: String, to other: String) -> Bool {
        renameat(descriptor, name, descriptor, other) == 0 && fsync(descriptor) == 0
    }

    /// Deletes a file of this folder, never what a link points to.
    ///
    /// - Returns: true if there is no such file now; false with `errno`.
    @discardableResult package func remove(_ name: FilePathBytes) -> Bool {
        name.withCString { unlinkat(descriptor, $0, 0) } == 0 || errno == ENOENT
    }

    /// Deletes a file below `root`, never what a link points to, and none that only a link below `root` leads to. A stored
    /// path may be anybody's: a restored database has the paths that its author wrote.
    ///
    /// - Returns: true if there is no such file now; false with `errno`, which is EXDEV for a path outside.
    @discardableResult package static func remove(_ path: FilePathBytes, below root: FilePathBytes) -> Bool {
        guard path.isBelow(root) else {
            errno = EXDEV
            return false
        }
        guard let folder = open(path.folder, below: root) else { return errno == ENOENT }
        return folder.remove(path.lastComponent)
    }
}
