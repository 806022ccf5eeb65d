import Core

/// Points and mistakes reported so far, so that nothing is scored or reported as wrong twice.
struct TangramProgress: Sendable, Hashable, Codable {
    /// Points for each piece when it is first placed correctly.
    static let pointsPerPiece = 10
    /// Time after which a missing piece counts as taken away, nanoseconds. Until then a hand may occlude it.
    static let invalidation = 500_000_000

    /// Indices of the scored pieces by puzzle, in ascending order.
    private var scored: [String: [Int]] = [:]
    private var solved: [String] = []
    /// Ids of the pieces reported as wrong that are still misplaced.
    private var wrong: [Int] = []
    /// The last reported number of pieces in place, and the time since which there are fewer.
    private var held = 0
    private var fewerSince: Int?
    /// The id of the chosen puzzle; nil to recognise it.
    var chosen: String?

    /// Turns a judgement into a report and updates the progress.
    mutating func report(
        _ judgement: TangramJudgement, game: String, book: PuzzleBook, isPhoto: Bool, at time: Int
    ) -> GameReport {
        let needed = book.shapes.count
        func report(_ puzzle: Int?, _ placed: Int?, _ outcome: PlayerActionOutcome) -> GameReport {
            GameReport(
                game: game, puzzle: puzzle.map { book.puzzles[$0].id }, placed: placed,
                needed: placed == nil ? nil : needed, outcome: outcome)
        }
        func outcome(_ kind: PlayerActionOutcome.Kind, _ confidence: Double, _ reason: String) -> PlayerActionOutcome {
            .init(kind: kind, confidence: min(1, max(0, confidence)).rounded(toPlaces: 4), reason: reason)
        }
        switch judgement {
        case .solved(let index, let exactly, let placed, let confidence):
            let puzzle = book.puzzles[index]
            keep(placed)
            guard !solved.contains(puzzle.id) else {
                return report(index, placed, outcome(.noAction, confidence, "alreadySolved"))
            }
            solved.append(puzzle.id)
            var done = outcome(.levelComplete, confidence, exactly ? "allPiecesPlaced" : "silhouetteCovered")
            done.xpAwarded = puzzle.experience
            return report(index, placed, done)
        case .partly(let index, let targets, let misplaced, let confidence):
            let id = book.puzzles[index].id
            let fresh = Set(targets).subtracting(scored[id] ?? [])
            wrong.removeAll { !misplaced.contains($0) }
            guard fresh.isEmpty else {
                scored[id] = Set(targets).union(scored[id] ?? []).sorted()
                keep(targets.count)
                var right = outcome(.correctPlacement, confidence, "piecesPlaced")
                right.points = Self.pointsPerPiece * fresh.count
                return report(index, targets.count, right)
            }
            if !isPhoto, let misplacedPiece = misplaced.first(where: { !wrong.contains($0) }) {
                wrong.append(misplacedPiece)
                return report(index, targets.count, outcome(.incorrectPlacement, confidence, "outOfTolerance"))
            }
            if wasTakenAway(targets.count, at: time) {
                return report(index, targets.count, outcome(.stateUpdated, confidence, "pieceTakenAway"))
            }
            return report(index, held, outcome(.noAction, confidence, "nothingNew"))
        case .wrong(let index, let misplaced, let confidence):
            let known = wrong
            wrong = misplaced
            // On a photo every misplaced piece counts as a try. In a stream, pieces count only once they touch each
            // other.
            guard isPhoto || misplaced.contains(where: { !known.contains($0) }) else {
                return report(index, 0, outcome(.noAction, confidence, misplaced.isEmpty ? "notBegun" : "alreadySaid"))
            }
            return report(index, 0, outcome(.incorrectPlacement, confidence, "outOfTolerance"))
        case .ambiguous(let placed, let confidence):
            return report(nil, placed, outcome(.stateUpdated, confidence, "severalPuzzlesFit"))
        case .nothing(let reason, let index, let confidence):
            return report(index, nil, outcome(.noAction, confidence, reason.rawValue))
        }
    }

    private mutating func keep(_ count: Int) {
        held = count
        fewerSince = nil
    }

    /// True if fewer pieces have been in place for longer than `invalidation`.
    private mutating func wasTakenAway(_ count: Int, at time: Int) -> Bool {
        guard count < held else {
            keep(count)
            return false
        }
        guard let since = fewerSince else {
            fewerSince = time
            return false
        }
        guard time - since >= Self.invalidation else { return false }
        keep(count)
        return true
    }
}
