import Foundation
import Core

/// Tangram: seven pieces must form a puzzle, at any position and rotation on the table.
///
/// With a chosen puzzle each piece in place counts. Otherwise the game identifies the puzzle of the book that fits.
/// With several sets on the table, each player's figure is reported, and the game continues with the most advanced
/// one.
package struct TangramGame: Game {
    package let id = "tangram"
    package let title = "Tangram"
    package let description = "Lay all seven pieces so that they make the shape of the puzzle."
    package let recommendedAge = 4...99
    package let skills = ["shapesInPlace", "wholeFigures"]

    let book: PuzzleBook
    private let silhouettes: [Silhouette]
    private let level: GameLevel
    private var progress = TangramProgress()
    /// The frame for hints, and the puzzle on it. They are not saved, since the next frame replaces them.
    private var last: PieceFrame?
    private var recognised: String?
    /// True if the figure of that frame is done, also if its pieces lie otherwise than in the book.
    private var isDone = false

    private var chosen: Int? { progress.chosen.flatMap(index) }

    private func index(of puzzle: String) -> Int? { book.puzzles.firstIndex { $0.id == puzzle } }

    /// - Parameter puzzle: the id of a puzzle in the book; nil identifies the matching one.
    /// - Throws: `StartupError(.usage)` for an unknown id.
    package init(book: PuzzleBook, puzzle: String? = nil, level: GameLevel = .normal) throws {
        try self.init(book: book, silhouettes: book.puzzles.map { Silhouette(of: $0) }, puzzle: puzzle, level: level)
    }

    /// Takes precomputed silhouettes, for callers that create many games of one book.
    init(book: PuzzleBook, silhouettes: [Silhouette], puzzle: String?, level: GameLevel) throws {
        self.book = book
        self.silhouettes = silhouettes
        self.level = level
        try choose(puzzle: puzzle)
    }

    package var puzzles: [String] { book.puzzles.map(\.id) }

    package var puzzle: String? { progress.chosen ?? recognised }

    package mutating func choose(puzzle: String?) throws {
        if let puzzle, index(of: puzzle) == nil {
            throw StartupError(
                .usage, "unknown tangram puzzle \(puzzle): choose one of \(puzzles.joined(separator: ", "))")
        }
        progress.chosen = puzzle
    }

    package mutating func process(_ frame: PieceFrame) -> GameReport {
        let judgement = TangramJudge(book: book, silhouettes: silhouettes, chosen: chosen, level: level).judge(frame)
        last = frame
        isDone = if case .solved = judgement.whole { true } else { false }
        var report = progress.report(judgement.whole, game: id, book: book, isPhoto: frame.seq == 0, at: frame.t_ns)
        report.figures = judgement.figureReports(book)
        recognised = report.puzzle
        return report
    }

    /// A finished puzzle gives evidence about seeing the whole, a placed piece about seeing its place.
    package func skill(in report: GameReport) -> String? {
        switch report.outcome.kind {
        case .correctPlacement, .incorrectPlacement: skills[0]
        case .levelComplete: skills[1]
        case .noAction, .specialAchievement, .hintUsed, .stateUpdated: nil
        }
    }

    package func advice(_ step: HintStep) -> Advice? {
        guard let last, !isDone, let index = puzzle.flatMap(index) else { return nil }
        return advisor(of: book.puzzles[index]).advice(step, on: last)
    }

    private func advisor(of figure: Puzzle) -> TangramAdvisor {
        TangramAdvisor(puzzle: figure, shapes: book.shapes, tolerance: level.tolerance)
    }

    /// The parts of a figure whose pieces are in place on the last frame, and the pieces of the set beside them.
    func table(of figure: Puzzle) -> (placed: Set<Int>, loose: [TablePiece]) {
        guard let table = last.map({ advisor(of: figure).table($0) }) else { return ([], []) }
        return (table.placed, table.loose)
    }

    package mutating func reset() {
        let chosen = progress.chosen
        progress = TangramProgress()
        progress.chosen = chosen
        (last, recognised, isDone) = (nil, nil, false)
    }

    package func saveState() throws -> Data { try JSONCoding.encode(progress) }

    package mutating func loadState(_ data: Data) throws {
        let chosen = progress.chosen
        do {
            progress = try JSONCoding.decode(TangramProgress.self, from: data)
            if let chosen { progress.chosen = chosen }
        } catch {
            throw StartupError(.badInput, "these bytes are not a saved state of a tangram game: start a new game")
        }
    }
}
