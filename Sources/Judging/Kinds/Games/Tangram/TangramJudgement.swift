/// The interpretation of one frame, independent of what was already scored.
enum TangramJudgement: Sendable {
    /// The puzzle is solved. `exactly` is true if every piece is at its place of the book; otherwise the silhouette
    /// is covered.
    case solved(puzzle: Int, exactly: Bool, placed: Int, confidence: Double)
    /// Some pieces of the puzzle agree. `misplaced` are ids of misplaced resting pieces that touch them.
    case partly(puzzle: Int, targets: [Int], misplaced: [Int], confidence: Double)
    /// Confident, resting pieces of which no two agree with the chosen puzzle. `misplaced` are ids of pieces that touch
    /// another.
    case wrong(puzzle: Int, misplaced: [Int], confidence: Double)
    /// Several puzzles agree equally well, with at most this many pieces.
    case ambiguous(placed: Int, confidence: Double)
    case nothing(Nothing, puzzle: Int?, confidence: Double)

    /// The reason for making no judgement.
    enum Nothing: String, Sendable { case noPieces, tooFewPieces, uncertainPieces, piecesMoving, noPuzzleFits }
}
