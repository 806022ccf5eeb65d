import Foundation
import Core

/// Tangram: seven pieces are to be laid as a puzzle shows, anywhere on the table and turned as a whole.
///
/// With a chosen puzzle every piece in its place counts; without one the puzzle of the book is found that the pieces fit. Where
/// several sets lie on the table, each player's figure is named, and the one that is farthest is played on.
public struct TangramGame: Game {
    public let id = "tangram"
    public let title = "Tangram"
    public let description = "Lay all seven pieces so that they make the shape of the puzzle."
    public let recommendedAge = 4...99
    public let skills = ["shapesInPlace", "wholeFigures"]

    private let book: PuzzleBook
    private let silhouettes: [Silhouette]
    private let chosen: Int?
    private let level: GameLevel
    private var progress = TangramProgress()
    /// What hints are about; no part of the saved state, since the next frame brings it again.
    private var last: PieceFrame?

    /// `puzzle` names one of the book's; nil finds the one that fits. Throws `StartupError(.usage)` for an unknown name.
    public init(book: PuzzleBook, puzzle: String? = nil, level: GameLevel = .normal) throws {
        try self.init(book: book, silhouettes: book.puzzles.map { Silhouette(of: $0) }, puzzle: puzzle, level: level)
    }

    /// With the silhouettes of the book's puzzles, for a caller who makes many games of one book.
    init(book: PuzzleBook, silhouettes: [Silhouette], puzzle: String?, level: GameLevel) throws {
        self.book = book
        self.silhouettes = silhouettes
        self.level = level
        chosen = try puzzle.map { name in
            guard let index = book.puzzles.firstIndex(where: { $0.id == name }) else {
                let known = book.puzzles.map(\.id).joined(separator: ", ")
                throw StartupError(.usage, "no tangram puzzle is called \(name): choose one of \(known)")
            }
            return index
        }
    }

    public mutating func process(_ frame: PieceFrame) -> GameReport {
        let judgement = TangramJudge(book: book, silhouettes: silhouettes, chosen: chosen, level: level).judge(frame)
        last = frame
        var report = progress.report(judgement.whole, game: id, book: book, isPhoto: frame.seq == 0, at: frame.t_ns)
        report.figures = judgement.seenFigures(book)
        return report
    }

    /// A finished puzzle tells about seeing the whole, a placed piece about seeing its place.
    public func skill(in report: GameReport) -> String? {
        switch report.outcome.kind {
        case .correctPlacement, .incorrectPlacement: skills[0]
        case .levelComplete: skills[1]
        default: nil
        }
    }

    public func advice(_ step: NudgeStep) -> Advice? {
        guard let last, let chosen else { return nil }
        return TangramAdvisor(puzzle: book.puzzles[chosen], shapes: book.shapes, tolerance: level.tolerance)
            .advice(step, on: last)
    }

    public mutating func reset() {
        progress = TangramProgress()
        last = nil
    }

    public func saveState() throws -> Data { try JSONCoding.encode(progress) }

    public mutating func loadState(_ data: Data) throws {
        do { progress = try JSONCoding.decode(TangramProgress.self, from: data) } catch {
            throw StartupError(.badInput, "this is no saved state of a tangram game: begin anew")
        }
    }
}
