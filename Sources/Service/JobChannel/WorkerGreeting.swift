/// The first thing a worker says: it is ready, and this is what keeps it in.
public struct WorkerGreeting: Sendable, Hashable, Codable {
    /// Landlock's ABI, nil where the kernel refused.
    public var landlock: Int?
    /// Kernel's words for what it refused of the confinement; empty where all of it holds.
    public var refused: [String]
    /// A key of everything that decides what is read: another where networks, languages or tables were added, changed or removed.
    public var readers: String?

    public init(landlock: Int?, refused: [String], readers: String? = nil) {
        self.landlock = landlock
        self.refused = refused
        self.readers = readers
    }
}
