import Foundation
import Vocabulary

/// Tangram: seven pieces are to be laid as a puzzle shows, anywhere on the table and turned as a whole.
///
/// With a chosen puzzle every piece in its place counts; without one the puzzle of the book is found that the pieces fit.
public struct TangramGame: Game {
    public let id = "tangram"
    public let title = "Tangram"
    public let description = "Lay all seven pieces so that they make the shape of the puzzle."
    public let recommendedAge = 4...99

    private let book: PuzzleBook
    private let silhouettes: [Silhouette]
    private let chosen: Int?
    private let level: GameLevel
    private var progress = TangramProgress()

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
        return progress.report(judgement, game: id, book: book)
    }

    public mutating func reset() { progress = TangramProgress() }

    public func saveState() throws -> Data { try JSONCoding.encode(progress) }

    public mutating func loadState(_ data: Data) throws {
        do { progress = try JSONCoding.decode(TangramProgress.self, from: data) } catch {
            throw StartupError(.badInput, "this is no saved state of a tangram game: begin anew")
        }
    }
}
