/// A worker's first message: it is ready, and reports its confinement.
public struct WorkerGreeting: Sendable, Hashable, Codable {
    /// Version of the Landlock ABI; nil if the kernel refused.
    public var landlock: Int?
    /// The kernel's messages about refused parts of the confinement; empty if all of it is active.
    public var refused: [String]
    /// A key of the networks, languages and tables that the worker reads with; it changes when any of them changes.
    public var readers: String?

    public init(landlock: Int?, refused: [String], readers: String? = nil) {
        self.landlock = landlock
        self.refused = refused
        self.readers = readers
    }
}
