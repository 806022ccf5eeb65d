/// The agreement between pieces on the table and a puzzle under one transform of the whole puzzle.
struct AssemblyMatch: Sendable {
    /// A piece in its place.
    struct Placement: Sendable, Hashable {
        /// Index into the puzzle's pieces.
        var target: Int
        /// Index into the table's pieces.
        var piece: Int
        /// Squared misplacement: 0 is exact, 2 has both distance and angle at the tolerance.
        var cost: Double
    }

    /// Maps puzzle coordinates to table coordinates.
    var transform: SimilarityTransform
    var placements: [Placement]

    /// Root mean square misplacement as a share of the tolerance, 0…1.
    var misplacement: Double {
        guard !placements.isEmpty else { return 0 }
        return (placements.reduce(0) { $0 + $1.cost } / Double(placements.count) / 2).squareRoot()
    }

    /// True if this match has more placements, or as many with a smaller total cost.
    func isBetter(than other: AssemblyMatch?) -> Bool {
        guard let other else { return true }
        guard placements.count == other.placements.count else { return placements.count > other.placements.count }
        return placements.reduce(0) { $0 + $1.cost } < other.placements.reduce(0) { $0 + $1.cost }
    }
}
