/// The identity of one version of a file. While all five values stay equal, the content stays equal.
public struct FileIdentity: Sendable, Hashable {
    public var device: UInt64
    public var inode: UInt64
    /// In bytes.
    public var size: Int64
    /// Modification time, nanoseconds since 1970.
    public var modified: Int64
    /// Status change time, nanoseconds since 1970. Every write, rename and chmod updates it; programs cannot set it
    /// back.
    public var changed: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}

/// A regular file that a folder scan found.
public struct FoundFile: Sendable, Hashable {
    /// The path of the scanned folder as given, a slash, and `relativePath`.
    public var path: FilePathBytes
    /// The path relative to the scanned folder.
    public var relativePath: FilePathBytes
    public var identity: FileIdentity

    public init(path: FilePathBytes, relativePath: FilePathBytes, identity: FileIdentity) {
        self.path = path
        self.relativePath = relativePath
        self.identity = identity
    }
}
