import Core

/// A checked book of puzzles for one piece set, from `models/puzzles/<name>.json` or from a user's file.
package struct PuzzleBook: Sendable {
    /// In the order of the file.
    package let puzzles: [Puzzle]
    let shapes: PieceShapes

    package func puzzle(_ id: String) -> Puzzle? { puzzles.first { $0.id == id } }

    /// - Parameter book: the name of a file in `models/puzzles`, or a path, which contains a `/`.
    /// - Throws: ``StartupError`` with the file, the puzzle and the fault: a missing or extra piece, an overlap, a
    ///   disconnected part, a duplicate name. (66) with the list of books if there is no book of that name.
    package init(models: ModelFolder, book: String = "tangram") throws {
        let file = try PuzzleFile.Location(book, models: models)
        try self.init(file.load(), from: file, models: models)
    }

    init(_ content: PuzzleFile, from file: PuzzleFile.Location, models: ModelFolder) throws {
        func refuse(_ what: String) -> StartupError {
            StartupError(.configuration, "\(file.url.path), \(what); \(PuzzleFile.remedy)")
        }
        let accuracy = content.accuracy_mm ?? PuzzleFile.exact
        let shapes = try PieceShapes(models: models, set: content.set)
        var puzzles: [Puzzle] = []
        for entry in content.puzzles {
            do {
                let puzzle = try Puzzle(entry, shapes: shapes, accuracy: accuracy)
                if puzzles.contains(where: { $0.id == puzzle.id }) { throw PuzzleFault("its id is used twice") }
                puzzles.append(puzzle)
            } catch let fault as PuzzleFault {
                throw refuse("puzzle \"\(entry.id)\": \(fault.what)")
            }
        }
        self.puzzles = puzzles
        self.shapes = shapes
    }
}

/// The fault of a puzzle.
struct PuzzleFault: Error {
    var what: String

    init(_ what: String) { self.what = what }
}

extension Puzzle {
    /// Checks an entry with coordinates exact to `accuracy` millimetres.
    init(_ entry: PuzzleFile.Entry, shapes: PieceShapes, accuracy: Double) throws {
        guard !entry.id.isEmpty, (1...5).contains(entry.difficulty) else {
            throw PuzzleFault("an id and a difficulty of 1 to 5 are needed")
        }
        let pieces = try entry.pieces.map { piece in
            guard let shape = shapes.shape(of: piece.type) else {
                throw PuzzleFault("the set has no piece \(piece.type)")
            }
            let pose = PiecePose(
                center: Point(piece.x_mm, piece.y_mm), degrees: piece.angle_deg, flipped: piece.flipped)
            guard pose.isFinite else { throw PuzzleFault("a \(piece.type) has no finite place") }
            guard shape.chiral || !piece.flipped else { throw PuzzleFault("a \(piece.type) cannot be flipped") }
            return PuzzlePiece(shape: shape, pose: pose)
        }
        for shape in shapes.shapes {
            let count = pieces.count { $0.shape.type == shape.type }
            guard count == shape.count else {
                throw PuzzleFault("it has \(count) of \(shape.type), the set has \(shape.count)")
            }
        }
        for (index, piece) in pieces.enumerated() {
            for other in pieces[..<index] {
                let overlap = piece.polygon.overlap(with: other.polygon)
                // Two touching edges are at most as long as the smaller piece is wide, and each may be off by the
                // accuracy.
                let mayOverlap = 4 * accuracy * min(piece.polygon.radius, other.polygon.radius)
                guard overlap <= mayOverlap else {
                    throw PuzzleFault(
                        "\(piece.shape.type) and \(other.shape.type) overlap by \(overlap.rounded(toPlaces: 2)) mm²")
                }
            }
        }
        var reached: Set<Int> = [0]
        var waiting = [0]
        while let index = waiting.popLast() {
            for other in pieces.indices
            where !reached.contains(other) && pieces[index].polygon.gap(to: pieces[other].polygon) <= 2 * accuracy {
                reached.insert(other)
                waiting.append(other)
            }
        }
        guard reached.count == pieces.count else { throw PuzzleFault("it falls into parts that do not touch") }
        self.init(id: entry.id, title: entry.title, difficulty: entry.difficulty, pieces: pieces)
    }
}
