import Core

/// The interpretation of one frame with one or several sets.
struct TableJudgement: Sendable {
    /// The pieces of one player.
    struct Figure: Sendable {
        /// Ids, ascending.
        var pieces: [Int]
        var judgement: TangramJudgement
    }

    /// The judgement that the game continues with: the figure with the most progress.
    var whole: TangramJudgement
    /// One for each player; empty for one set.
    var figures: [Figure]

    init(whole: TangramJudgement, figures: [Figure]) {
        self.whole = whole
        self.figures = figures
    }

    /// Combines the figures of several players; no judgement without figures.
    init(_ figures: [Figure]) {
        whole =
            figures.map(\.judgement).max { $0.progress < $1.progress }
            ?? .nothing(.noPieces, puzzle: nil, confidence: 0)
        self.figures = figures
    }

    /// The figures in the form of reports.
    func figureReports(_ book: PuzzleBook) -> [FigureReport]? {
        guard !figures.isEmpty else { return nil }
        return figures.map { figure in
            let (puzzle, placed, confidence, reason) = figure.judgement.summary
            return FigureReport(
                puzzle: puzzle.map { book.puzzles[$0].id }, placed: placed, pieces: figure.pieces,
                confidence: min(1, max(0, confidence)).rounded(toPlaces: 4), reason: reason)
        }
    }
}

extension TangramJudgement {
    /// Progress of a player: solved before partly solved before anything else, then by pieces, then by confidence.
    fileprivate var progress: (Int, Int, Double) {
        switch self {
        case .solved(_, _, let placed, let confidence): (3, placed, confidence)
        case .partly(_, let targets, _, let confidence): (2, targets.count, confidence)
        case .ambiguous(let placed, let confidence): (1, placed, confidence)
        case .wrong(_, _, let confidence): (0, 1, confidence)
        case .nothing(_, _, let confidence): (0, 0, confidence)
        }
    }

    /// The puzzle's index, the number of pieces in place, the confidence, and a stable code for the reason.
    fileprivate var summary: (puzzle: Int?, placed: Int?, confidence: Double, reason: String) {
        switch self {
        case .solved(let puzzle, let exactly, let placed, let confidence):
            (puzzle, placed, confidence, exactly ? "allPiecesPlaced" : "silhouetteCovered")
        case .partly(let puzzle, let targets, _, let confidence): (puzzle, targets.count, confidence, "piecesPlaced")
        case .wrong(let puzzle, _, let confidence): (puzzle, 0, confidence, "outOfTolerance")
        case .ambiguous(_, let confidence): (nil, nil, confidence, "severalPuzzlesFit")
        case .nothing(let reason, let puzzle, let confidence): (puzzle, nil, confidence, reason.rawValue)
        }
    }
}
