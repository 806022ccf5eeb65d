import Glibc
import Core

/// Everything below one folder at one moment: the truth that events only point at.
///
/// Links, pipes, sockets and devices are passed over, never opened; so are ``IgnoredNames``. No link is followed on the way
/// down, not even one that takes a folder's place while it is looked into.
public struct FolderScan: Sendable {
    /// Regular files, sorted by path bytes.
    public private(set) var files: [FoundFile] = []
    /// The folder itself and all folders below it that were entered.
    public private(set) var folders: [FilePathBytes] = []
    /// Symbolic links to regular files of the same tree, sorted: none is ever followed.
    public private(set) var links: [FilePathBytes] = []
    /// Folders that could not be listed, and the kernel's reason.
    public private(set) var unreadable: [(folder: FilePathBytes, reason: String)] = []

    /// Deeper trees are cut here: no photo collection is, a loop of bind mounts may be.
    private static let maximumDepth = 64

    /// Lists `root` and all below it.
    ///
    /// - Throws: the kernel's reason where `root` itself cannot be listed.
    public init(of root: FilePathBytes) throws(ScanError) {
        var files: [FoundFile] = []
        var folders: [FilePathBytes] = []
        var links: [FilePathBytes] = []
        unreadable = try Self.visit(
            root, enter: { folders.append($0) },
            file: { path, identity in
                let start = root.bytes.count + (root.bytes.last == UInt8(ascii: "/") ? 0 : 1)
                let relative = FilePathBytes(path.bytes[start...]) ?? path
                files.append(FoundFile(path: path, relativePath: relative, identity: identity))
            },
            link: { if FolderAccess.linkStaysInside($0, root) { links.append($0) } })
        self.links = links.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        self.files = files.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        self.folders = folders
    }

    /// Goes through what is below a folder without keeping any of it.
    ///
    /// - Parameters:
    ///   - root: the folder that is never left.
    ///   - start: the folder below `root` to begin with; nil begins with `root`.
    ///   - isDeep: false looks at the first folder alone.
    ///   - enter: called for each folder before it is listed, so that a watch is laid first.
    ///   - file: called for each regular file.
    ///   - link: called for each symbolic link.
    /// - Returns: folders below the first that could not be listed.
    /// - Throws: the kernel's reason where the first folder itself cannot be listed.
    @discardableResult
    public static func visit(
        _ root: FilePathBytes, from start: FilePathBytes? = nil, isDeep: Bool = true,
        enter: (FilePathBytes) -> Void, file: (FilePathBytes, FileIdentity) -> Void,
        link: (FilePathBytes) -> Void = { _ in }
    ) throws(ScanError) -> [(folder: FilePathBytes, reason: String)] {
        var unreadable: [(folder: FilePathBytes, reason: String)] = []
        let first = start ?? root
        var open: [(folder: FilePathBytes, depth: Int)] = [(first, 0)]
        while let (folder, depth) = open.popLast() {
            enter(folder)
            do throws(ScanError) {
                try list(folder, below: root) { name, kind, identity in
                    let path = folder.appending(name)
                    switch kind {
                    case S_IFREG: file(path, identity)
                    case S_IFLNK: link(path)
                    case S_IFDIR where isDeep && depth < maximumDepth: open.append((path, depth + 1))
                    case S_IFDIR where isDeep: unreadable.append((path, "deeper than \(maximumDepth) folders"))
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

    private static func list(
        _ folder: FilePathBytes, below root: FilePathBytes,
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
        while let found = readdir(stream) {
            let name = withUnsafePointer(to: &found.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { cString in
                    FilePathBytes(
                        UnsafeBufferPointer(start: cString, count: strnlen(cString, 256)).map { UInt8(bitPattern: $0) })
                }
            }
            guard let name, !isSelfOrParent(name) else { continue }
            var status = stat()
            guard name.withCString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            guard !IgnoredNames.contains(name, isFolder: kind == S_IFDIR) else { continue }
            entry(name, kind, FileIdentity(status))
        }
    }
}

/// A folder that could not be listed.
public struct ScanError: Error, Sendable {
    public var folder: FilePathBytes
    /// The kernel's words.
    public var reason: String
}
