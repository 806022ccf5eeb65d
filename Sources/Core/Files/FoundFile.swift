/// What the kernel says of one version of a file: as long as all five stay, its content is the same.
public struct FileIdentity: Sendable, Hashable {
    public var device: UInt64
    public var inode: UInt64
    /// In bytes.
    public var size: Int64
    /// Nanoseconds since 1970.
    public var modified: Int64
    /// Nanoseconds since 1970; changes with every write, rename and chmod, and cannot be set back.
    public var changed: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}

/// A regular file that a scan found.
public struct FoundFile: Sendable, Hashable {
    /// As given: the scanned folder's path, a slash, and `relativePath`.
    public var path: FilePathBytes
    /// Below the scanned folder.
    public var relativePath: FilePathBytes
    public var identity: FileIdentity

    public init(path: FilePathBytes, relativePath: FilePathBytes, identity: FileIdentity) {
        self.path = path
        self.relativePath = relativePath
        self.identity = identity
    }
}
