/// How exactly pieces must lie.
public enum GameLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case easy, normal, hard

    /// How far a piece may lie from its place: 8 mm/15°, 5 mm/8°, 3 mm/4°.
    var tolerance: PoseTolerance {
        switch self {
        case .easy: PoseTolerance(millimetres: 8, degrees: 15)
        case .normal: PoseTolerance(millimetres: 5, degrees: 8)
        case .hard: PoseTolerance(millimetres: 3, degrees: 4)
        }
    }
}

/// The distance and turn within which a piece counts as in its place.
struct PoseTolerance: Sendable, Hashable {
    var millimetres: Double
    var degrees: Double
}
