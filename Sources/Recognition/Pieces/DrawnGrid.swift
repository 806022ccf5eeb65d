internal import COpenCV
import Foundation
import Vocabulary

/// Noughts and crosses on a grid of two lines each way, drawn on paper or a board.
struct DrawnGrid {
    /// A nought or a cross on one of the nine squares.
    struct Mark {
        /// `nought` or `cross`.
        var type: String
        var row: Int
        var column: Int
        /// Its box in squares from the grid's top-left corner, clockwise from the top left.
        var box: [Point]
        /// 0…1.
        var confidence: Double
    }

    /// Squares → pixels of the picture, row by row.
    let homography: [Double]
    let marks: [Mark]

    /// Smaller ink is a dot or a sliver, in squares.
    private static let smallest = 0.2
    /// Less sure than this, a mark is left out.
    private static let leastConfidence = 0.3

    /// Nil where there is no such grid.
    init?(_ raster: Raster) {
        var grid = tcv_drawn_grid()
        var found: Int32 = 0
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_grid_read(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), &grid,
                &found)
        }
        guard status == TCV_OK, found == 1 else { return nil }
        homography = withUnsafeBytes(of: grid.matrix) { Array($0.bindMemory(to: Double.self)) }
        let cells = withUnsafeBytes(of: grid.cells) { Array($0.bindMemory(to: tcv_grid_cell.self)) }
        let lines = min(1, grid.support / 0.85)
        marks = cells.enumerated().compactMap { index, cell in
            guard cell.strokes > 0, min(cell.width, cell.height) > Self.smallest else { return nil }
            let (type, sureness) = Self.kind(of: cell)
            let (left, top) = (cell.x - cell.width / 2, cell.y - cell.height / 2)
            let confidence = sureness * lines
            guard confidence >= Self.leastConfidence else { return nil }
            return Mark(
                type: type, row: index / 3, column: index % 3,
                box: [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map {
                    Point(left + $0.0 * cell.width, top + $0.1 * cell.height)
                }, confidence: confidence)
        }
    }

    func inPicture(_ point: Point) -> Point {
        let h = homography
        let depth = h[6] * point.x + h[7] * point.y + h[8]
        return Point(
            (h[0] * point.x + h[1] * point.y + h[2]) / depth, (h[3] * point.x + h[4] * point.y + h[5]) / depth)
    }

    /// A nought encloses ground and has ink all around at one distance; a cross has ink in its middle and four arms.
    private static func kind(of cell: tcv_grid_cell) -> (type: String, sureness: Double) {
        func rising(_ value: Double, _ low: Double, _ high: Double) -> Double {
            max(0, min(1, (value - low) / (high - low)))
        }
        let ring =
            rising(cell.around, 0.55, 0.85) * (1 - rising(cell.middle, 0.05, 0.14))
            * (1 - rising(cell.evenness, 0.2, 0.42))
        let nought = max(ring, rising(cell.enclosed, 0.08, 0.2) * (1 - rising(cell.middle, 0.08, 0.16)))
        let cross =
            rising(cell.middle, 0.06, 0.13) * rising(cell.evenness, 0.28, 0.4) * (1 - rising(cell.enclosed, 0.12, 0.3))
        let shape = rising(min(cell.width, cell.height) / max(cell.width, cell.height), 0.2, 0.45)
        return nought >= cross ? ("nought", nought * shape) : ("cross", cross * shape)
    }
}
