/// A worker's first message: it is ready, and reports its confinement.
package struct WorkerGreeting: Sendable, Hashable, Codable {
    /// Version of the Landlock ABI; nil if the kernel refused.
    package var landlock: Int?
    /// The kernel's messages about refused parts of the confinement; empty if all of it is active.
    package var refused: [String]
    /// A key of the networks, languages and tables that the worker reads with; it changes when any of them changes.
    package var readers: String?

    package init(landlock: Int?, refused: [String], readers: String? = nil) {
        self.landlock = landlock
        self.refused = refused
        self.readers = readers
    }
}
