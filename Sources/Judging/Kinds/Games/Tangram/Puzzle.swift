import Core

/// A puzzle: an exact assembly of all pieces of a set.
package struct Puzzle: Sendable, Hashable {
    /// The stable name in reports.
    package let id: String
    package let title: String
    /// 1 for the easiest … 5.
    package let difficulty: Int
    let pieces: [PuzzlePiece]

    /// Experience points for solving it: 50 for each step of difficulty. Two easy puzzles complete the first level
    /// (100).
    var experience: Int { 50 * difficulty }
}

/// The pose of one piece in a puzzle.
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
