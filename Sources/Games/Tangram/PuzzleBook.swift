import Vocabulary

/// The puzzles of a piece set, from `models/puzzles/<set>.json`, every one of them checked.
public struct PuzzleBook: Sendable {
    /// In the file's order.
    public let puzzles: [Puzzle]
    let shapes: PieceShapes

    /// Two pieces of a puzzle may overlap by this much, square millimetres: coordinates are rounded to 0.1 µm.
    static let greatestOverlap = 0.5
    /// Pieces this close touch, millimetres.
    static let contact = 0.1

    /// The puzzle of that name.
    public func puzzle(_ id: String) -> Puzzle? { puzzles.first { $0.id == id } }

    /// Throws `StartupError` that names the file, the puzzle and what is wrong with it: a piece missing or one too many, an
    /// overlap, a part that touches no other, a name twice.
    public init(models: ModelFolder, set: String) throws {
        let shapes = try PieceShapes(models: models, set: set)
        let path = "puzzles/\(set).json"
        let file = try models.load(PuzzleFile.self, from: path)
        func refuse(_ what: String) -> StartupError {
            StartupError(.configuration, "\(models.url.appending(path: path).path) \(what): mend it or restore it")
        }
        guard file.schema == "tablesight.puzzles/1" else { throw refuse("has the unknown schema \(file.schema)") }
        guard file.set == set else { throw refuse("is for the set \(file.set), not \(set)") }
        guard !file.puzzles.isEmpty else { throw refuse("has no puzzles") }
        var puzzles: [Puzzle] = []
        for entry in file.puzzles {
            do {
                let puzzle = try Puzzle(entry, shapes: shapes)
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

/// What is wrong with a puzzle.
private struct PuzzleFault: Error {
    var what: String

    init(_ what: String) { self.what = what }
}

extension Puzzle {
    fileprivate init(_ entry: PuzzleFile.Entry, shapes: PieceShapes) throws {
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
                guard overlap <= PuzzleBook.greatestOverlap else {
                    throw PuzzleFault(
                        "\(piece.shape.type) and \(other.shape.type) overlap by \(overlap.rounded(toPlaces: 2)) mm²")
                }
            }
        }
        var reached: Set<Int> = [0]
        var waiting = [0]
        while let index = waiting.popLast() {
            for other in pieces.indices
            where !reached.contains(other) && pieces[index].polygon.gap(to: pieces[other].polygon) <= PuzzleBook.contact
            {
                reached.insert(other)
                waiting.append(other)
            }
        }
        guard reached.count == pieces.count else { throw PuzzleFault("it falls into parts that do not touch") }
        self.init(id: entry.id, title: entry.title, difficulty: entry.difficulty, pieces: pieces)
    }
}

/// The file as it is written.
private struct PuzzleFile: Decodable {
    struct Entry: Decodable {
        var id: String
        var title: String
        var difficulty: Int
        var pieces: [Piece]
    }

    struct Piece: Decodable {
        var type: String
        var x_mm: Double
        var y_mm: Double
        var angle_deg: Double
        var flipped: Bool
    }

    var schema: String
    var set: String
    var puzzles: [Entry]
}
