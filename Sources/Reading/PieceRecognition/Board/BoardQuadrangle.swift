import Core

/// A quadrangle that may be a board.
struct BoardQuadrangle {
    /// Clockwise from the corner nearest to the top left.
    var corners: [Point]
    /// Mean distance of its evidence from it, pixels.
    var residual: Double

    /// - Parameter corners: Any first corner, clockwise.
    init(_ corners: [Point], residual: Double) {
        let first = corners.indices.min { corners[$0].x + corners[$0].y < corners[$1].x + corners[$1].y } ?? 0
        self.corners = corners.indices.map { corners[(first + $0) % corners.count] }
        self.residual = residual
    }
}
