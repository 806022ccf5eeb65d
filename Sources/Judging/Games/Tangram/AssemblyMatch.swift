/// How pieces on the table agree with a puzzle under one motion of the whole.
struct AssemblyMatch: Sendable {
    /// A piece in its place.
    struct Placement: Sendable, Hashable {
        /// Index into the puzzle's pieces.
        var target: Int
        /// Index into the table's pieces.
        var piece: Int
        /// How far off: 0 is exact, 2 is distance and angle both at the tolerance's edge.
        var cost: Double
    }

    /// Puzzle → table.
    var motion: PlaneMotion
    var placements: [Placement]

    /// Root mean square of the misplacement as a share of the tolerance, 0…1.
    var misplacement: Double {
        guard !placements.isEmpty else { return 0 }
        return (placements.reduce(0) { $0 + $1.cost } / Double(placements.count) / 2).squareRoot()
    }

    /// More placements win, then the smaller sum of costs.
    func isBetter(than other: AssemblyMatch?) -> Bool {
        guard let other else { return true }
        guard placements.count == other.placements.count else { return placements.count > other.placements.count }
        return placements.reduce(0) { $0 + $1.cost } < other.placements.reduce(0) { $0 + $1.cost }
    }
}
