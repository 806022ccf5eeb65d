import Core

/// All pieces of a set that have one shape: a type of the set, its template and its members.
struct PieceKind: Sendable {
    /// One place in the set, or several alike ones.
    struct Member: Sendable {
        /// Nil where the pieces are alike.
        var slot: String?
        var count: Int
        /// Nil where any colour may do.
        var colourName: String?
        /// Red, green, blue; nil where any colour may do.
        var rgb: [UInt8]?
    }

    var type: String
    /// Millimetres, clockwise, the area's centroid at the origin.
    var corners: [Point]
    /// Rotational symmetry: the shape comes back after a turn of 360/fold degrees.
    var fold: Int
    /// True where the mirrored shape is another one.
    var chiral: Bool
    /// True for a disc, whose corners are then those of the square around it.
    var isDisc = false
    var face = PieceFace.none
    /// Of a face with templates: made once, since it takes as long as a photo.
    var matcher: FaceMatcher?
    var members: [Member]

    /// How many of them are in one set.
    var count: Int { members.reduce(0) { $0 + $1.count } }
    var area: Double { Outline.area(corners) }
    /// Radius of the inscribed circle of a shape that has one; about it for others. Millimetres.
    var innerRadius: Double { 2 * area / Outline.perimeter(corners) }

    /// Longer and shorter edge of a rect, millimetres.
    var edges: (longer: Double, shorter: Double) {
        let (a, b) = ((corners[1] - corners[0]).length, (corners[2] - corners[1]).length)
        return (max(a, b), min(a, b))
    }

    /// The template as it lies on the table: x mirrored when on its back, still clockwise.
    func corners(flipped: Bool) -> [Point] {
        flipped ? corners.reversed().map { Point(-$0.x, $0.y) } : corners
    }
}
