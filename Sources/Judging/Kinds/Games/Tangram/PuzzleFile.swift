import Foundation
import Core

/// The file format of a puzzle book.
struct PuzzleFile: Codable, Sendable, DataFile {
    struct Entry: Codable, Sendable {
        var id: String
        var title: String
        /// 1 for the easiest … 5.
        var difficulty: Int
        var pieces: [Piece]
    }

    /// Area centroid, y down, and clockwise rotation of a piece. A flipped piece is mirrored x → −x before the
    /// rotation.
    struct Piece: Codable, Sendable {
        var type: String
        var x_mm: Double
        var y_mm: Double
        var angle_deg: Double
        var flipped: Bool
    }

    static let schema = "tablesight.puzzles/1"
    /// Default accuracy of a drawn puzzle, millimetres. Coordinates are rounded to 0.1 µm, and 0.05 mm is
    /// imperceptible.
    static let exact = 0.05

    var schema = PuzzleFile.schema
    var version: String?
    /// The piece set of the puzzles.
    var set: String
    var source: String?
    var licence: String?
    /// Accuracy of the coordinates, millimetres; ``exact`` if absent.
    var accuracy_mm: Double?
    var puzzles: [Entry]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(!puzzles.isEmpty, "puzzles", "empty")
        try DataFileProblem.check(
            (0...10).contains(accuracy_mm ?? Self.exact), "accuracy_mm", "give millimetres, 0 to 10")
    }

    /// The location of a book.
    struct Location: Sendable, Hashable {
        let url: URL

        /// - Parameter book: a name in `models/puzzles`, or a path, which contains a `/`.
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
            return try PuzzleFile(contentsOf: url)
        }
    }
}
