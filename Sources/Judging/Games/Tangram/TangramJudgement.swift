/// What one frame says by itself, before it is known what was already scored.
enum TangramJudgement: Sendable {
    /// The puzzle is solved; `exactly` where every piece lies as in the book, else its silhouette is covered.
    case solved(puzzle: Int, exactly: Bool, placed: Int, confidence: Double)
    /// Some pieces of the puzzle lie in agreement; `strays` are ids of resting pieces that touch those and lie wrong.
    case partly(puzzle: Int, targets: [Int], strays: [Int], confidence: Double)
    /// Confident, resting pieces of which no two agree with the chosen puzzle; `strays` are ids of those that touch another.
    case wrong(puzzle: Int, strays: [Int], confidence: Double)
    /// Several puzzles agree equally well with at most this many pieces.
    case ambiguous(placed: Int, confidence: Double)
    case nothing(Nothing, puzzle: Int?, confidence: Double)

    /// Why nothing is said.
    enum Nothing: String, Sendable { case noPieces, tooFewPieces, uncertainPieces, piecesMoving, noPuzzleFits }
}
