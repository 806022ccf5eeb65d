import Foundation
import Core

/// A book of puzzles taught from frames. The poses of a laid figure become a puzzle.
package struct TaughtPuzzles: Sendable {
    /// Accuracy of a figure that was laid by hand and measured on a plain table, millimetres.
    static let accuracy = 2.0
    /// Minimum confidence of a piece.
    static let minimumConfidence = 0.65

    private let location: PuzzleFile.Location
    private let shapes: PieceShapes
    private var file: PuzzleFile
    private let models: ModelFolder

    /// Opens a book, or creates one that does not exist yet.
    ///
    /// - Parameters:
    ///   - book: a name in `models/puzzles`, or a path, which contains a `/`.
    ///   - set: the piece set of the figures.
    /// - Throws: ``StartupError`` if the book is invalid, of another set, or of a finer accuracy than a photo has.
    package init(book: String, set: String, models: ModelFolder) throws {
        location = try PuzzleFile.Location(book, models: models)
        shapes = try PieceShapes(models: models, set: set)
        self.models = models
        guard location.exists else {
            file = PuzzleFile(
                version: "1", set: set, source: "taught from photos", accuracy_mm: Self.accuracy, puzzles: [])
            return
        }
        file = try location.load()
        guard file.set == set else {
            throw StartupError(
                .usage, "\(location.url.path) has puzzles of the set \(file.set), not of \(set): name another book")
        }
        guard file.accuracy_mm ?? PuzzleFile.exact >= Self.accuracy else {
            throw StartupError(
                .usage, "\(location.url.path) holds drawn puzzles, which are more exact than a photo: name another book"
            )
        }
        _ = try PuzzleBook(file, from: location, models: models)
    }

    /// The location of the book.
    package var url: URL { location.url }

    /// Adds the figure of this frame.
    ///
    /// - Parameter difficulty: 1 … 5.
    /// - Throws: ``StartupError`` (65) with the fault of the frame and the remedy; (64) for an id that exists.
    package mutating func add(_ frame: PieceFrame, id: String, title: String, difficulty: Int) throws {
        guard !file.puzzles.contains(where: { $0.id == id }) else {
            throw StartupError(
                .usage, "\(location.url.path) has a puzzle \(id) already: take it out, or call this one otherwise")
        }
        let pieces = frame.pieces.compactMap { TablePiece($0, in: frame, shapes: shapes) }
        let counts = shapes.shapes.compactMap { shape -> String? in
            let seen = pieces.count { $0.shape.type == shape.type }
            return seen == shape.count ? nil : "\(seen) of \(shape.count) \(shape.type)"
        }
        guard counts.isEmpty else {
            throw StartupError(
                .badInput,
                "\(id): a figure needs every piece of one set, and these are seen: \(counts.joined(separator: ", ")); "
                    + "photograph one figure by itself, from straight above, on a plain table")
        }
        if let doubtful = pieces.first(where: { $0.confidence < Self.minimumConfidence }) {
            throw StartupError(
                .badInput,
                "\(id): the \(doubtful.shape.type) is hardly sure (\(doubtful.confidence.rounded(toPlaces: 2))): "
                    + "photograph the figure in even light, without fingers")
        }
        let entry = PuzzleFile.Entry(
            id: id, title: title, difficulty: difficulty,
            pieces: Self.places(of: pieces, around: Self.middle(of: pieces)))
        do { _ = try Puzzle(entry, shapes: shapes, accuracy: file.accuracy_mm ?? Self.accuracy) } catch let fault
            as PuzzleFault
        {
            throw StartupError(.badInput, "\(id): \(fault.what): push the pieces together, and photograph them again")
        }
        file.puzzles.append(entry)
    }

    /// Writes the book if it contains puzzles.
    ///
    /// - Throws: ``StartupError`` (74) if writing fails.
    package func write() throws {
        guard !file.puzzles.isEmpty else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try (encoder.encode(file) + Data("\n".utf8)).write(to: location.url, options: .atomic) } catch {
            throw StartupError(.inputOutput, "cannot write \(location.url.path): \(error.localizedDescription)")
        }
    }

    /// The common area centroid of all pieces.
    private static func middle(of pieces: [TablePiece]) -> Point {
        let total = pieces.reduce(0) { $0 + $1.shape.outline.area }
        return pieces.reduce(into: Point(0, 0)) { middle, piece in
            let share = piece.shape.outline.area / total
            middle.x += share * piece.pose.center.x
            middle.y += share * piece.pose.center.y
        }
    }

    private static func places(of pieces: [TablePiece], around middle: Point) -> [PuzzleFile.Piece] {
        pieces.map { piece in
            PuzzleFile.Piece(
                type: piece.shape.type, x_mm: (piece.pose.center.x - middle.x).rounded(toPlaces: 2),
                y_mm: (piece.pose.center.y - middle.y).rounded(toPlaces: 2),
                angle_deg: piece.pose.degrees.rounded(toPlaces: 2), flipped: piece.pose.flipped)
        }
    }
}
