import Core

/// Tic-tac-toe on a grid of two lines in each direction, drawn on paper or a board.
struct DrawnGrid {
    /// A nought (O) or a cross (X) on one of the nine squares.
    struct Mark {
        /// `nought` or `cross`.
        var type: String
        var row: Int
        var column: Int
        /// Bounding box in squares from the grid's top-left corner, clockwise from the top left.
        var box: [Point]
        /// 0…1.
        var confidence: Double
    }

    struct Parameters: Sendable {
        /// Minimum size of a mark's longer and shorter side, in squares. Ink as dark as the lines may be as small as
        /// `dark`. Set on development pictures, as all values here.
        var smallest = (longer: 0.2, shorter: 0.12, dark: 0.14)
        /// Darkness of ink as dark as the lines.
        var asLines = 0.8
        /// Marks below this confidence are omitted.
        var minConfidence = 0.35
        /// Certainty by the darkness, in the lines': paler ink is a shadow or an edge.
        var drawn = Ramp(0.25, 0.5)
        /// Part of the certainty that the other hypothesis takes away if it fits perfectly.
        var contradiction = 0.8
        /// Quality from which the lines are certainly a grid.
        var sufficientQuality = 0.7
    }

    /// Squares → picture pixels.
    let homography: Homography
    let marks: [Mark]

    /// Nil if there is no such grid.
    init?(_ raster: Raster, _ p: Parameters = .init()) throws(PictureFailure) {
        guard let reading = try DrawnGridReader().reading(of: raster) else { return nil }
        homography = reading.homography
        let lines = min(1, reading.quality / p.sufficientQuality)
        marks = reading.squares.enumerated().compactMap { index, content in
            guard let content, content.ink > 0,
                max(content.width, content.height)
                    > (content.darkness > p.asLines ? p.smallest.dark : p.smallest.longer),
                min(content.width, content.height) > p.smallest.shorter
            else { return nil }
            let (type, sureness) = Self.kind(of: content, p)
            let (left, top) = (content.middle.x - content.width / 2, content.middle.y - content.height / 2)
            let confidence = sureness * lines
            guard confidence >= p.minConfidence else { return nil }
            return Mark(
                type: type, row: index / 3, column: index % 3,
                box: [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map {
                    Point(left + $0.0 * content.width, top + $0.1 * content.height)
                }, confidence: confidence)
        }
    }

    /// The better hypothesis, with a lower certainty if the other one fits well too.
    private static func kind(of content: SquareContent, _ p: Parameters) -> (type: String, sureness: Double) {
        let (nought, cross) = (content.likeness.nought, content.likeness.cross)
        let isDrawn = p.drawn(content.darkness)
        return nought >= cross
            ? ("nought", nought * (1 - p.contradiction * cross) * isDrawn)
            : ("cross", cross * (1 - p.contradiction * nought) * isDrawn)
    }
}
