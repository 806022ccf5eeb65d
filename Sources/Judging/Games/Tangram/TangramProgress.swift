import Core

/// What a player has been given for a tangram so far: nothing is scored twice, and nothing is called wrong twice.
struct TangramProgress: Sendable, Hashable, Codable {
    /// Points for each piece that is laid right for the first time.
    static let pointsPerPiece = 10
    /// A piece in its place counts as taken away after this, nanoseconds: a hand may hide it meanwhile.
    static let invalidation = 500_000_000

    /// Indices of the pieces scored, by puzzle, in order.
    private var scored: [String: [Int]] = [:]
    private var solved: [String] = []
    /// Pieces that were called wrong, until they are no strays any more.
    private var wrong: [Int] = []
    /// How many pieces were in place when last said, and since when there are fewer.
    private var held = 0
    private var fewerSince: Int?

    /// The report of a judgement, which is then part of the progress.
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
        case .partly(let index, let targets, let strays, let confidence):
            let id = book.puzzles[index].id
            let fresh = Set(targets).subtracting(scored[id] ?? [])
            wrong.removeAll { !strays.contains($0) }
            guard fresh.isEmpty else {
                scored[id] = Set(targets).union(scored[id] ?? []).sorted()
                keep(targets.count)
                var right = outcome(.correctPlacement, confidence, "piecesPlaced")
                right.points = Self.pointsPerPiece * fresh.count
                return report(index, targets.count, right)
            }
            if !isPhoto, let stray = strays.first(where: { !wrong.contains($0) }) {
                wrong.append(stray)
                return report(index, targets.count, outcome(.incorrectPlacement, confidence, "outOfTolerance"))
            }
            if wasTakenAway(targets.count, at: time) {
                return report(index, targets.count, outcome(.stateUpdated, confidence, "pieceTakenAway"))
            }
            return report(index, held, outcome(.noAction, confidence, "nothingNew"))
        case .wrong(let index, let strays, let confidence):
            let known = wrong
            wrong = strays
            // On a photo the pieces are the try; in a stream they lie about until they are laid against each other.
            guard isPhoto || strays.contains(where: { !known.contains($0) }) else {
                return report(index, 0, outcome(.noAction, confidence, strays.isEmpty ? "notBegun" : "alreadySaid"))
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

    /// True once fewer pieces have lain in place for long enough.
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
