internal import CLinuxSupport
import Core
import Glibc

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

/// Names that are never photos: incomplete downloads, other programs' files, hidden files.
package enum IgnoredNames {
    /// Lower-case endings of incomplete files (browsers, FTP servers, download programs, editors, cameras).
    private static let endings = [
        ".part", "~", ".crdownload", ".filepart", ".tmp", ".partial", ".download", ".opdownload", "!ut", ".aria2",
        ".!sync", ".!qb", ".bts", ".upload", "_tmp", ".~tmp", ".temp", ".unfinished", ".incomplete", ".bc!",
    ]
    /// Lower-case endings of data and text files next to photos; a folder with such a name may hold photos. PDF is not
    /// among them: people send menus as PDF, and a failure tells them what to send instead.
    private static let fileEndings = [
        ".json", ".ndjson", ".jsonl", ".xmp", ".txt", ".md", ".csv", ".tsv", ".xml", ".yaml", ".yml", ".log",
    ]
    /// Lock files of office programs, and incomplete files of Syncthing.
    private static let beginnings = ["~$", "~syncthing~"]
    private static let whole: Set = [
        "thumbs.db", "desktop.ini", "@eadir", "lost+found", "#recycle", "$recycle.bin", "system volume information",
        "__macosx",
    ]

    /// True if files, or folders where `isFolder` is set, with this name are skipped.
    package static func contains(_ name: FilePathBytes, isFolder: Bool = false) -> Bool {
        let dot = UInt8(ascii: ".")
        // A name with two leading dots is unusual, but not hidden.
        if name.bytes.first == dot, name.bytes.dropFirst().first != dot { return true }
        let lower = name.display.lowercased()
        // Emacs saves #name# while it edits name.
        if lower.hasPrefix("#"), lower.hasSuffix("#"), lower.count > 2 { return true }
        return whole.contains(lower) || endings.contains { lower.hasSuffix($0) }
            || beginnings.contains { lower.hasPrefix($0) } || !isFolder && fileEndings.contains { lower.hasSuffix($0) }
    }
}
