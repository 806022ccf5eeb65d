/// The first thing a worker says: it is ready, and this is what keeps it in.
public struct WorkerGreeting: Sendable, Hashable, Codable {
    /// Landlock's ABI, nil where the kernel refused.
    public var landlock: Int?
    /// Kernel's words for what it refused of the confinement; empty where all of it holds.
    public var refused: [String]

    public init(landlock: Int?, refused: [String]) {
        self.landlock = landlock
        self.refused = refused
    }
}
