import Glibc
import Core

/// Everything below one folder at one moment. Events only say where to scan.
///
/// Links, pipes, sockets, devices and ``IgnoredNames`` are skipped and never opened. No link is followed on the way
/// down, not even one that replaces a folder during the scan.
package struct FolderScan: Sendable {
    /// Regular files, sorted by path bytes.
    package private(set) var files: [FoundFile] = []
    /// The folder and all entered folders below it.
    package private(set) var folders: [FilePathBytes] = []
    /// Symbolic links to regular files of the same tree, sorted; never followed.
    package private(set) var links: [FilePathBytes] = []
    /// Number of regular files that ``IgnoredNames`` skips.
    package private(set) var leftOut = 0
    /// Folders that could not be listed, with the kernel's reason.
    package private(set) var unreadable: [(folder: FilePathBytes, reason: String)] = []

    /// Maximum depth. No photo collection is this deep, but a loop of bind mounts may be.
    private static let maximumDepth = 64

    /// Lists `root` and everything below it.
    ///
    /// - Throws: the kernel's reason if `root` cannot be listed.
    package init(of root: FilePathBytes) throws(ScanError) {
        var files: [FoundFile] = []
        var folders: [FilePathBytes] = []
        var links: [FilePathBytes] = []
        var leftOut = 0
        unreadable = try Self.visit(
            root, enter: { folders.append($0) },
            file: { path, identity in
                let start = root.bytes.count + (root.bytes.last == UInt8(ascii: "/") ? 0 : 1)
                let relative = FilePathBytes(path.bytes[start...]) ?? path
                files.append(FoundFile(path: path, relativePath: relative, identity: identity))
            },
            link: { if FolderAccess.linkStaysInside($0, root) { links.append($0) } }, ignored: { leftOut += 1 })
        self.leftOut = leftOut
        self.links = links.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        self.files = files.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        self.folders = folders
    }

    /// Visits everything below a folder without storing it.
    ///
    /// - Parameters:
    ///   - root: the folder that the scan never leaves.
    ///   - start: the folder below `root` to start with; nil starts with `root`.
    ///   - isDeep: false visits only the first folder.
    ///   - enter: called for each folder before it is listed, so that it can be watched first.
    ///   - file: called for each regular file.
    ///   - link: called for each symbolic link.
    ///   - ignored: called for each regular file that ``IgnoredNames`` skips.
    /// - Returns: folders below the first that could not be listed.
    /// - Throws: the kernel's reason if the first folder cannot be listed.
    @discardableResult
    package static func visit(
        _ root: FilePathBytes, from start: FilePathBytes? = nil, isDeep: Bool = true,
        enter: (FilePathBytes) -> Void, file: (FilePathBytes, FileIdentity) -> Void,
        link: (FilePathBytes) -> Void = { _ in }, ignored: () -> Void = {}
    ) throws(ScanError) -> [(folder: FilePathBytes, reason: String)] {
        try visit(
            root, from: start, isDeep: isDeep, enter: enter, file: file, link: link, ignored: ignored,
            read: { readdir($0) })
    }

    static func visit(
        _ root: FilePathBytes, from start: FilePathBytes? = nil, isDeep: Bool = true,
        enter: (FilePathBytes) -> Void, file: (FilePathBytes, FileIdentity) -> Void,
        link: (FilePathBytes) -> Void, ignored: () -> Void = {}, read: ReadEntry
    ) throws(ScanError) -> [(folder: FilePathBytes, reason: String)] {
        var unreadable: [(folder: FilePathBytes, reason: String)] = []
        let first = start ?? root
        var open: [(folder: FilePathBytes, depth: Int)] = [(first, 0)]
        while let (folder, depth) = open.popLast() {
            enter(folder)
            do throws(ScanError) {
                try list(folder, below: root, read, ignored) { name, kind, identity in
                    let path = folder.appending(name)
                    switch kind {
                    case S_IFREG: file(path, identity)
                    case S_IFLNK: link(path)
                    case S_IFDIR where isDeep && depth < maximumDepth: open.append((path, depth + 1))
                    case S_IFDIR where isDeep: unreadable.append((path, "nested deeper than \(maximumDepth) folders"))
                    default: break
                    }
                }
            } catch {
                if folder == first { throw error }
                unreadable.append((folder, error.reason))
            }
        }
        return unreadable
    }

    private static func isSelfOrParent(_ name: FilePathBytes) -> Bool {
        name.bytes.count <= 2 && name.bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Reads the next entry of an open folder; nil with `errno` 0 at its end.
    typealias ReadEntry = (OpaquePointer) -> UnsafeMutablePointer<dirent>?

    /// The next entry; nil at the end. An error is no end: a folder of another machine would seem to have fewer files.
    private static func next(
        _ stream: OpaquePointer, of folder: FilePathBytes, _ read: ReadEntry
    ) throws(ScanError) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        if let found = read(stream) { return found }
        guard errno == 0 else { throw ScanError(folder: folder, reason: String(cString: strerror(errno))) }
        return nil
    }

    private static func list(
        _ folder: FilePathBytes, below root: FilePathBytes, _ read: ReadEntry, _ ignored: () -> Void,
        _ entry: (FilePathBytes, _ kind: mode_t, FileIdentity) -> Void
    ) throws(ScanError) {
        let descriptor = FolderAccess.open(folder, below: root, flags: O_DIRECTORY)
        guard descriptor >= 0 else { throw ScanError(folder: folder, reason: String(cString: strerror(-descriptor))) }
        guard let stream = fdopendir(descriptor) else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ScanError(folder: folder, reason: reason)
        }
        defer { closedir(stream) }
        while let found = try next(stream, of: folder, read) {
            let name = withUnsafePointer(to: &found.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { cString in
                    FilePathBytes(
                        UnsafeBufferPointer(start: cString, count: strnlen(cString, 256)).map { UInt8(bitPattern: $0) })
                }
            }
            guard let name, !isSelfOrParent(name) else { continue }
            var status = stat()
            guard name.withCString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
                // Deleted meanwhile; any other reason leaves out a file that is there.
                guard errno == ENOENT else { throw ScanError(folder: folder, reason: String(cString: strerror(errno))) }
                continue
            }
            let kind = status.st_mode & S_IFMT
            guard !IgnoredNames.contains(name, isFolder: kind == S_IFDIR) else {
                if kind == S_IFREG { ignored() }
                continue
            }
            entry(name, kind, FileIdentity(status))
        }
    }
}

/// A folder that could not be listed.
package struct ScanError: Error, Sendable {
    package var folder: FilePathBytes
    /// The kernel's message.
    package var reason: String
}
