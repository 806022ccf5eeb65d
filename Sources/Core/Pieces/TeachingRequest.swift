/// Name and dimensions of a piece set that is learned from photos.
public struct TeachingRequest: Sendable, Hashable, Codable {
    public var set: String
    /// Longest edge (or diameter) of the largest piece, millimetres.
    public var longestMM: Double
    /// Names of pieces or faces in reading order. Missing names are generated.
    public var names: [String]

    public init(set: String, longestMM: Double, names: [String] = []) {
        self.set = set
        self.longestMM = longestMM
        self.names = names
    }
}
