/// A native library or data file of the worker, as `tablesight-worker --parts` reports it.
public struct WorkerPart: Sendable, Hashable, Codable {
    public var name: String
    /// Nil if the part is missing.
    public var version: String?
    /// The feature that is unavailable without the part.
    public var cost: String
    /// The command that installs the part.
    public var remedy: String
    /// False if the worker runs without the part at reduced quality.
    public var isNeeded: Bool

    public init(name: String, version: String?, cost: String, remedy: String, isNeeded: Bool) {
        self.name = name
        self.version = version
        self.cost = cost
        self.remedy = remedy
        self.isNeeded = isNeeded
    }
}
