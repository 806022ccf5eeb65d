/// A native library or data file that the worker uses, as `tablesight-worker --parts` reports it.
public struct WorkerPart: Sendable, Hashable, Codable {
    public var name: String
    /// Nil where it is missing.
    public var version: String?
    /// What is lost without it.
    public var cost: String
    /// The command that brings it.
    public var remedy: String
    /// False where the worker works, less well, without it.
    public var isNeeded: Bool

    public init(name: String, version: String?, cost: String, remedy: String, isNeeded: Bool) {
        self.name = name
        self.version = version
        self.cost = cost
        self.remedy = remedy
        self.isNeeded = isNeeded
    }
}
