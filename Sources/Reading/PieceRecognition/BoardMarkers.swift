import Core

/// The fiducial markers printed on a set's board, and their positions.
struct BoardMarkers: Sendable {
    /// A square marker of 6×6 cells; the outer cells are black.
    struct Marker: Sendable {
        /// The inner cells row by row from the highest bit, 1 for white.
        var word: UInt16
        /// Top-left corner on the board, millimetres.
        var at: Point
    }

    var widthMM: Double
    var heightMM: Double
    /// Edge of a marker, millimetres.
    var side: Double
    var markers: [Marker]

    /// Clockwise from the top-left corner, alternating x and y.
    var corners: [Double] {
        markers.flatMap { marker in
            [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].flatMap { [marker.at.x + side * $0.0, marker.at.y + side * $0.1] }
        }
    }
}
