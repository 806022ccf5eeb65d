import Glibc
import Vocabulary

/// Everything below one folder at one moment: the truth that events only point at.
///
/// Links, pipes, sockets and devices are passed over, never opened; so are ``IgnoredNames``.
public struct FolderScan: Sendable {
    /// Regular files, sorted by path bytes.
    public private(set) var files: [FoundFile] = []
    /// The folder itself and all folders below it that were entered.
    public private(set) var folders: [FilePathBytes] = []
    /// Folders that could not be listed, and the kernel's reason.
    public private(set) var unreadable: [(folder: FilePathBytes, reason: String)] = []

    /// Deeper trees are cut here: no photo collection is, a loop of bind mounts may be.
    private static let maximumDepth = 64

    /// Lists `root` and all below it.
    ///
    /// - Throws: the kernel's reason where `root` itself cannot be listed.
    public init(of root: FilePathBytes) throws(ScanError) {
        var names: [(name: FilePathBytes, isFolder: Bool, identity: FileIdentity)]
        do { names = try Self.list(root) } catch { throw error }
        folders = [root]
        var open: [(folder: FilePathBytes, relative: FilePathBytes?, depth: Int)] = []
        func take(_ folder: FilePathBytes, _ relative: FilePathBytes?, _ depth: Int) {
            for entry in names {
                let path = folder.appending(entry.name)
                let below = relative.map { $0.appending(entry.name) } ?? entry.name
                if !entry.isFolder {
                    files.append(FoundFile(path: path, relativePath: below, identity: entry.identity))
                } else if depth < Self.maximumDepth {
                    open.append((path, below, depth + 1))
                } else {
                    unreadable.append((path, "deeper than \(Self.maximumDepth) folders"))
                }
            }
        }
        take(root, nil, 0)
        while let next = open.popLast() {
            do throws(ScanError) { names = try Self.list(next.folder) } catch {
                unreadable.append((next.folder, error.reason))
                continue
            }
            folders.append(next.folder)
            take(next.folder, next.relative, next.depth)
        }
        files.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    private static func list(
        _ folder: FilePathBytes
    ) throws(ScanError) -> [(name: FilePathBytes, isFolder: Bool, identity: FileIdentity)] {
        let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ScanError(folder: folder, reason: String(cString: strerror(errno))) }
        guard let stream = fdopendir(descriptor) else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ScanError(folder: folder, reason: reason)
        }
        defer { closedir(stream) }
        var found: [(name: FilePathBytes, isFolder: Bool, identity: FileIdentity)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { cString in
                    FilePathBytes(
                        UnsafeBufferPointer(start: cString, count: strnlen(cString, 256)).map { UInt8(bitPattern: $0) })
                }
            }
            guard let name, !IgnoredNames.contains(name) else { continue }
            var status = stat()
            guard name.withCString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG || kind == S_IFDIR else { continue }
            found.append((name, kind == S_IFDIR, FileIdentity(status)))
        }
        return found
    }
}

/// A folder that could not be listed.
public struct ScanError: Error, Sendable {
    public var folder: FilePathBytes
    /// The kernel's words.
    public var reason: String
}
