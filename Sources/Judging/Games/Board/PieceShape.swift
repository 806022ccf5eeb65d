import Core

/// The geometry of a piece type.
struct PieceShape: Sendable, Hashable {
    var type: String
    /// Number of such pieces in the set.
    var count: Int
    /// Order of rotational symmetry: 4 for a square.
    var fold: Int
    /// True if the mirrored shape differs from the shape.
    var chiral: Bool
    /// The outline with its centroid at the origin.
    var outline: ConvexPolygon
}

/// The shapes of a piece set by type.
struct PieceShapes: Sendable, Hashable {
    let set: String
    /// In the order of the file, one for each type.
    let shapes: [PieceShape]

    /// Number of pieces in the whole set.
    var count: Int { shapes.reduce(0) { $0 + $1.count } }

    func shape(of type: String) -> PieceShape? { shapes.first { $0.type == type } }

    /// - Throws: `StartupError(.configuration)` if a piece is no convex polygon or two pieces of a type differ.
    init(models: ModelFolder, set: String) throws {
        let path = "piece-sets/\(set).json"
        let file = try models.load(PieceSetFile.self, from: path)
        func refuse(_ what: String) -> StartupError {
            StartupError(.configuration, "\(models.url.appending(path: path).path) \(what): fix it or restore it")
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

/// The fields of a piece set file that games use.
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
