import Core

/// All pieces of one shape in a set: the type, the template and the members.
struct PieceKind: Sendable {
    /// One slot of the set, or several interchangeable pieces.
    struct Member: Sendable {
        /// Nil for interchangeable pieces.
        var slot: String?
        var count: Int
        /// Nil for pieces of any colour.
        var colourName: String?
        /// Red, green, blue; nil for pieces of any colour.
        var rgb: [UInt8]?
    }

    var type: String
    /// Millimetres, clockwise, with the area's centroid at the origin.
    var corners: [Point]
    /// Order of the rotational symmetry: a rotation by 360/fold degrees maps the shape to itself.
    var fold: Int
    /// True if the mirrored shape differs from the shape.
    var chiral: Bool
    /// True for a disc; `corners` are then those of the square around it.
    var isDisc = false
    var face = PieceFace.none
    fileprivate let lazyMatcher: LazyFaceMatcher
    /// Nil for a face without templates.
    var matcher: FaceMatcher? { lazyMatcher.value }
    var members: [Member]

    /// Number of these pieces in one set.
    var count: Int { members.reduce(0) { $0 + $1.count } }
    var area: Double { Outline.area(corners) }
    /// Radius of the inscribed circle, or an approximation for shapes without one, millimetres.
    var innerRadius: Double { 2 * area / Outline.perimeter(corners) }

    /// Longer and shorter edge of a rectangle, millimetres.
    var edges: (longer: Double, shorter: Double) {
        let (a, b) = ((corners[1] - corners[0]).length, (corners[2] - corners[1]).length)
        return (max(a, b), min(a, b))
    }

    /// The template on the table: x is mirrored if the piece is flipped. The order stays clockwise.
    func corners(flipped: Bool) -> [Point] {
        flipped ? corners.reversed().map { Point(-$0.x, $0.y) } : corners
    }
}

extension PieceKind {
    /// - Parameter key: the place of the piece in the file, for messages.
    init(_ piece: PieceSet.Piece, key: String) throws(DataFileProblem) {
        var isDisc = false
        if case .disc = piece.shape { isDisc = true }
        self.init(
            type: piece.type, corners: try Self.centred(piece.shape, key: key), fold: piece.fold, chiral: piece.chiral,
            isDisc: isDisc, face: piece.face, lazyMatcher: LazyFaceMatcher(piece.face),
            members: [
                Member(
                    slot: piece.slot, count: piece.count, colourName: piece.colour?.name, rgb: piece.colour?.rgb)
            ])
    }

    /// The outline clockwise, with the area's centroid at the origin.
    private static func centred(_ shape: PieceSet.Shape, key: String) throws(DataFileProblem) -> [Point] {
        let given = shape.corners
        var key = "\(key).shape"
        if case .polygon = shape { key += ".polygon" }
        guard (3...4).contains(given.count), given.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw DataFileProblem(key, "\(given.count) corners: recognition supports 3 or 4")
        }
        let area = Outline.area(given)
        guard abs(area) > 1 else { throw DataFileProblem(key, "no area: give the corners in order, in mm") }
        let middle = Outline.centroid(given)
        let corners = (area > 0 ? given : given.reversed()).map { $0 - middle }
        let turnsRight = corners.indices.allSatisfy { index in
            let next = corners[(index + 1) % corners.count]
            return (next - corners[index]).cross(corners[(index + 2) % corners.count] - next) > 0
        }
        guard turnsRight else { throw DataFileProblem(key, "not convex: give the corners in order") }
        return corners
    }
}
