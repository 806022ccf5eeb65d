internal import COpenCV
import Foundation
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

    /// Homography from squares to picture pixels, row by row.
    let homography: [Double]
    let marks: [Mark]

    /// Minimum size of a mark's longer and shorter side, in squares. Ink as dark as the lines may be as small as
    /// `dark`.
    private static let smallest = (longer: 0.2, shorter: 0.12, dark: 0.14)
    /// Marks below this confidence are omitted.
    private static let minConfidence = 0.35
    /// Ink this much paler than the lines is a shadow or an edge. Ink above `certain` is certainly drawn or placed
    /// there.
    private static let darkness = (none: 0.25, certain: 0.5)
    private static let asLines = 0.8
    /// Quality above which the lines are certainly a grid.
    private static let sufficientQuality = 0.7

    /// Nil if there is no such grid.
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
        let lines = min(1, grid.quality / Self.sufficientQuality)
        marks = cells.enumerated().compactMap { index, cell in
            let smallest = cell.darkness > Self.asLines ? Self.smallest.dark : Self.smallest.longer
            guard cell.ink > 0, max(cell.width, cell.height) > smallest,
                min(cell.width, cell.height) > Self.smallest.shorter
            else { return nil }
            let (type, sureness) = Self.kind(of: cell)
            let (left, top) = (cell.x - cell.width / 2, cell.y - cell.height / 2)
            let confidence = sureness * lines
            guard confidence >= Self.minConfidence else { return nil }
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

    /// The better hypothesis, with a lower certainty if the other one fits well too.
    private static func kind(of cell: tcv_grid_cell) -> (type: String, sureness: Double) {
        let isDark = max(0, min(1, (cell.darkness - darkness.none) / (darkness.certain - darkness.none)))
        return cell.nought >= cell.cross
            ? ("nought", cell.nought * (1 - 0.8 * cell.cross) * isDark)
            : ("cross", cell.cross * (1 - 0.8 * cell.nought) * isDark)
    }
}
