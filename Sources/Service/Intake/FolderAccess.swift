internal import CLinuxSupport
import Glibc
import Core

/// Opens files in a watched folder without leaving the folder.
package enum FolderAccess {
    /// Opens a file or folder for reading, following no symbolic link below `folder`.
    ///
    /// - Parameter flags: added to O_RDONLY, O_NONBLOCK and O_CLOEXEC.
    /// - Returns: a descriptor that the caller closes, or a negated errno.
    package static func open(_ path: FilePathBytes, below folder: FilePathBytes, flags: Int32 = 0) -> Int32 {
        let root = folder.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard root >= 0 else { return -errno }
        defer { close(root) }
        guard path != folder else { return beneath(root, ".", flags) }
        guard let relative = path.relative(to: folder) else { return -EXDEV }
        return relative.withCString { ts_open_beneath(root, $0, O_RDONLY | O_NONBLOCK | flags) }
    }

    private static func beneath(_ root: Int32, _ name: String, _ flags: Int32) -> Int32 {
        ts_open_beneath(root, name, O_RDONLY | O_NONBLOCK | flags)
    }

    /// True if the link points to a regular file below `folder`.
    static func linkStaysInside(_ link: FilePathBytes, _ folder: FilePathBytes) -> Bool {
        guard let target = link.resolved, let root = folder.resolved, target.isBelow(root) else { return false }
        var status = stat()
        return target.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Ignores signals that end a process by default but are harmless here. SIGIO is one: the kernel sends it when a
    /// process opens a leased file for writing.
    package static func ignoreHarmlessSignals() { ts_ignore_harmless_signals() }

    /// True while another process may write the file. The kernel refuses a read lease with EAGAIN in that case, also
    /// for a shared mapping. Without lease support (another owner's file, a network mount) the result is false.
    package static func isBeingWritten(_ descriptor: Int32) -> Bool { ts_has_no_writer(descriptor) == 0 }

    /// True if the kernel sends no events for changes by other machines or by the file system's own program.
    package static func needsPolling(_ folder: FilePathBytes) -> Bool {
        let remote: Set<Int64> = [
            0x6969,  // NFS
            0xFF53_4D42, 0xFE53_4D42, 0x517B,  // CIFS, SMB2, SMB
            0x6573_5546,  // FUSE
            0x0102_1997,  // 9p
            0x5346_414F, 0x00C3_6400,  // AFS, Ceph
        ]
        return remote.contains(folder.withCString { ts_file_system($0) })
    }
}
