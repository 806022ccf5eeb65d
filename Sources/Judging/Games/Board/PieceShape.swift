import Core

/// What a game must know of a type of piece in a set.
struct PieceShape: Sendable, Hashable {
    var type: String
    /// How many of it the set has.
    var count: Int
    /// Rotational symmetry: 4 for a square.
    var fold: Int
    /// True where its back is another shape than its face.
    var chiral: Bool
    /// Its outline, the centroid on the origin.
    var outline: ConvexPolygon
}

/// The shapes of a piece set's file by type.
struct PieceShapes: Sendable, Hashable {
    let set: String
    /// In the file's order, one a type.
    let shapes: [PieceShape]

    /// How many pieces the whole set has.
    var count: Int { shapes.reduce(0) { $0 + $1.count } }

    func shape(of type: String) -> PieceShape? { shapes.first { $0.type == type } }

    /// Throws `StartupError(.configuration)` where a piece has no convex polygon or two pieces of a type differ.
    init(models: ModelFolder, set: String) throws {
        let path = "piece-sets/\(set).json"
        let file = try models.load(PieceSetFile.self, from: path)
        func refuse(_ what: String) -> StartupError {
            StartupError(.configuration, "\(models.url.appending(path: path).path) \(what): mend it or restore it")
        }
        guard file.schema == "tablesight.piece-set/1" else { throw refuse("has the unknown schema \(file.schema)") }
        var shapes: [PieceShape] = []
        for (index, piece) in file.pieces.enumerated() {
            guard let outline = piece.shape.polygon.flatMap({ ConvexPolygon($0) }), piece.count > 0, piece.fold > 0
            else { throw refuse("at pieces.[\(index)]: a convex polygon, a count and a fold above 0 are needed") }
            if let known = shapes.firstIndex(where: { $0.type == piece.type }) {
                guard shapes[known].outline == outline.centred else {
                    throw refuse("at pieces.[\(index)]: two pieces of type \(piece.type) have different shapes")
                }
                shapes[known].count += piece.count
            } else {
                shapes.append(
                    PieceShape(
                        type: piece.type, count: piece.count, fold: piece.fold, chiral: piece.chiral,
                        outline: outline.centred))
            }
        }
        self.set = set
        self.shapes = shapes
    }
}

/// The part of a piece set's file that games use.
private struct PieceSetFile: Decodable {
    struct Piece: Decodable {
        struct Shape: Decodable { var polygon: [Point]? }

        var type: String
        var count: Int
        var shape: Shape
        var fold: Int
        var chiral: Bool
    }

    var schema: String
    var pieces: [Piece]
}
