import Core

/// A piece of the game's set as it lies on the table.
struct TablePiece: Sendable, Hashable {
    var id: Int
    var shape: PieceShape
    var pose: PiecePose
    /// The recogniser's confidence, 0…1.
    var confidence: Double
    /// Neither moving nor covered, and long enough where it was.
    var rests: Bool

    /// A piece must have rested this long to count, milliseconds; the first frame of a stream knows no past.
    static let dwellMS = 500

    /// Nil for a piece that the set has not, or whose place is no number.
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
