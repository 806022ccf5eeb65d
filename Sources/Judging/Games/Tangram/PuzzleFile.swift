import Foundation
import Core

/// A book of puzzles as it is written.
struct PuzzleFile: Codable, Sendable {
    struct Entry: Codable, Sendable {
        var id: String
        var title: String
        /// 1 for the easiest … 5.
        var difficulty: Int
        var pieces: [Piece]
    }

    /// A piece's area centroid, y down, and its clockwise turn; flipped pieces are mirrored x → −x before they are turned.
    struct Piece: Codable, Sendable {
        var type: String
        var x_mm: Double
        var y_mm: Double
        var angle_deg: Double
        var flipped: Bool
    }

    static let schema = "tablesight.puzzles/1"
    /// How far off the places of a drawn puzzle may be, millimetres: coordinates are rounded to 0.1 µm, and half of a tenth of a
    /// millimetre is nothing that hands could tell.
    static let exact = 0.05

    var schema = PuzzleFile.schema
    var version: String?
    /// The piece set whose shapes the puzzles are made of.
    var set: String
    var source: String?
    var licence: String?
    /// How far off the places may be, millimetres; ``exact`` where it is missing.
    var accuracy_mm: Double?
    var puzzles: [Entry]

    /// Where a book lies.
    struct Location: Sendable, Hashable {
        let url: URL

        /// - Parameter book: a name in `models/puzzles`, or a path, which has a `/`.
        init(_ book: String, models: ModelFolder) throws {
            if book.contains("/") {
                url = URL(filePath: book)
            } else {
                guard book.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_-]*/) != nil else {
                    throw StartupError(
                        .usage,
                        "no book of puzzles can be called \(book): use letters, digits, - and _, or a path with a /")
                }
                url = models.url.appending(path: "puzzles/\(book).json")
            }
        }

        var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

        func load() throws -> PuzzleFile {
            guard exists else {
                let folder = ModelFolder(url.deletingLastPathComponent())
                let books = (try? folder.names(in: "", withExtension: "json"))?.map { String($0.dropLast(5)) } ?? []
                throw StartupError(
                    .noInput, "no book of puzzles \(url.path): there are \(books.joined(separator: ", "))")
            }
            return try ModelFolder(url.deletingLastPathComponent()).load(PuzzleFile.self, from: url.lastPathComponent)
        }
    }
}
