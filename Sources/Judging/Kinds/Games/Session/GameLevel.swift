/// Difficulty: how exactly pieces must be placed.
package enum GameLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case easy, normal, hard

    /// Nil for the hardest.
    var harder: GameLevel? { self == .easy ? .normal : self == .normal ? .hard : nil }
    /// Nil for the easiest.
    var easier: GameLevel? { self == .hard ? .normal : self == .normal ? .easy : nil }

    /// Maximum misplacement of a piece: 8 mm/15°, 5 mm/8°, 3 mm/4°.
    var tolerance: PoseTolerance {
        switch self {
        case .easy: PoseTolerance(millimetres: 8, degrees: 15)
        case .normal: PoseTolerance(millimetres: 5, degrees: 8)
        case .hard: PoseTolerance(millimetres: 3, degrees: 4)
        }
    }
}

/// The maximum distance in millimetres and the maximum rotation in degrees of a piece in its place.
struct PoseTolerance: Sendable, Hashable {
    var millimetres: Double
    var degrees: Double
}
