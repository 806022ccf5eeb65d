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
        let pieces = try PieceSet.named(set, in: models).pieces
        func refuse(_ what: String) -> StartupError {
            let file = models.url.appending(path: "piece-sets/\(set).json")
            return StartupError(.configuration, "\(file.path), \(what); \(PieceSet.remedy)")
        }
        var shapes: [PieceShape] = []
        for (index, piece) in pieces.enumerated() {
            guard case .polygon(let corners) = piece.shape, let outline = ConvexPolygon(corners) else {
                throw refuse("pieces[\(index)].shape: a convex polygon is needed for puzzles")
            }
            if let known = shapes.firstIndex(where: { $0.type == piece.type }) {
                guard shapes[known].outline == outline.centred else {
                    throw refuse("pieces[\(index)].shape: two pieces of type \(piece.type) have different shapes")
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
