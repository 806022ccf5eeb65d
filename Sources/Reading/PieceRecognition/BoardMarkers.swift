import Core

/// The markers that a set's board is printed with, and where.
struct BoardMarkers: Sendable {
    /// One square marker of 6×6 cells, the outer ones black.
    struct Marker: Sendable {
        /// The inner cells row by row from the highest bit on, 1 for white.
        var word: UInt16
        /// Its top-left corner on the board, millimetres.
        var at: Point
    }

    var widthMM: Double
    var heightMM: Double
    /// Millimetres.
    var side: Double
    var markers: [Marker]

    /// Clockwise from the top-left, x and y in turns.
    var corners: [Double] {
        markers.flatMap { marker in
            [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].flatMap { [marker.at.x + side * $0.0, marker.at.y + side * $0.1] }
        }
    }
}
