import Core

/// A piece of the game's set on the table.
struct TablePiece: Sendable, Hashable {
    var id: Int
    var shape: PieceShape
    var pose: PiecePose
    /// The recogniser's confidence, 0…1.
    var confidence: Double
    /// True if the piece is neither moving nor occluded and has been at rest long enough.
    var rests: Bool

    /// Minimum time at rest for a piece to count, milliseconds. The first frame of a stream has no history and is
    /// exempt.
    static let dwellMS = 500

    /// Nil for a piece that is not in the set or has no finite position.
    init?(_ piece: RecognizedPiece, in frame: PieceFrame, shapes: PieceShapes) {
        guard let shape = shapes.shape(of: piece.type) else { return nil }
        let pose = PiecePose(
            center: Point(piece.xMM, piece.yMM), degrees: piece.angleDegrees,
            flipped: shape.chiral && piece.flipped)
        guard pose.isFinite, piece.confidence.isFinite else { return nil }
        id = piece.id
        self.shape = shape
        self.pose = pose
        confidence = min(1, max(0, piece.confidence))
        rests = piece.state == .placed && (frame.seq == 0 || piece.stableMS >= Self.dwellMS)
    }
}
