import Vocabulary

/// What a player has been given for a tangram so far: nothing is scored twice.
struct TangramProgress: Sendable, Hashable, Codable {
    /// Points for each piece that is laid right for the first time.
    static let pointsPerPiece = 10

    /// Indices of the pieces scored, by puzzle.
    private var scored: [String: Set<Int>] = [:]
    private var solved: Set<String> = []

    /// The report of a judgement, which is then part of the progress.
    mutating func report(_ judgement: TangramJudgement, game: String, book: PuzzleBook) -> GameReport {
        let needed = book.shapes.count
        func report(_ puzzle: Int?, _ placed: Int?, _ outcome: PlayerActionOutcome) -> GameReport {
            GameReport(
                game: game, puzzle: puzzle.map { book.puzzles[$0].id }, placed: placed,
                needed: placed == nil ? nil : needed, outcome: outcome)
        }
        func rounded(_ confidence: Double) -> Double { min(1, max(0, confidence)).rounded(toPlaces: 4) }
        switch judgement {
        case .solved(let index, let exactly, let placed, let confidence):
            let puzzle = book.puzzles[index]
            guard solved.insert(puzzle.id).inserted else {
                return report(
                    index, placed, .init(kind: .noAction, confidence: rounded(confidence), reason: "alreadySolved"))
            }
            return report(
                index, placed,
                .init(
                    kind: .levelComplete, xpAwarded: puzzle.experience, confidence: rounded(confidence),
                    reason: exactly ? "allPiecesPlaced" : "silhouetteCovered"))
        case .partly(let index, let targets, let confidence):
            let id = book.puzzles[index].id
            let fresh = Set(targets).subtracting(scored[id] ?? [])
            guard !fresh.isEmpty else {
                return report(
                    index, targets.count, .init(kind: .noAction, confidence: rounded(confidence), reason: "nothingNew"))
            }
            scored[id, default: []].formUnion(fresh)
            return report(
                index, targets.count,
                .init(
                    kind: .correctPlacement, points: Self.pointsPerPiece * fresh.count, confidence: rounded(confidence),
                    reason: "piecesPlaced"))
        case .wrong(let index, let confidence):
            return report(
                index, 0,
                .init(kind: .incorrectPlacement, confidence: rounded(confidence), reason: "outOfTolerance"))
        case .ambiguous(let placed, let confidence):
            return report(
                nil, placed,
                .init(kind: .stateUpdated, confidence: rounded(confidence), reason: "severalPuzzlesFit"))
        case .nothing(let reason, let index, let confidence):
            return report(
                index, nil, .init(kind: .noAction, confidence: rounded(confidence), reason: reason.rawValue))
        }
    }
}
