import Core

/// One puzzle: an exact assembly of all pieces of a set.
public struct Puzzle: Sendable, Hashable {
    /// The stable name that reports use.
    public let id: String
    public let title: String
    /// 1 for the easiest … 5.
    public let difficulty: Int
    let pieces: [PuzzlePiece]

    /// Experience for solving it: 50 for each step of difficulty, so that the first level (100) takes two easy puzzles.
    var experience: Int { 50 * difficulty }
}

/// One piece's place in a puzzle.
struct PuzzlePiece: Sendable, Hashable {
    let shape: PieceShape
    let pose: PiecePose
    let polygon: ConvexPolygon

    init(shape: PieceShape, pose: PiecePose) {
        self.shape = shape
        self.pose = pose
        polygon = shape.outline.laid(at: pose)
    }
}
