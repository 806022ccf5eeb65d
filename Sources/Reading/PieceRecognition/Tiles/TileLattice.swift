internal import COpenCV
import Foundation
import Core

/// The squares on which tiles lie, in perspective: printed on a mat, or only implied by the tiles.
struct TileLattice {
    /// Columns and rows of the printed squares; nil if none are printed.
    let printed: (columns: Int, rows: Int)?
    /// Homography (column, row) → pixels, row by row; (0, 0) is the outer corner of the first square.
    let toPicture: [Double]
    private let toSquares: [Double]
    /// Root mean square distance of the printed lines from the lattice, squares.
    let misfit: Double

    /// Nil if the tiles do not lie on a common lattice.
    ///
    /// - Parameters:
    ///   - middles: Centres of the tiles, pixels.
    ///   - side: A tile's edge in pixels, within a quarter of it.
    ///   - angle: Angle of the tiles' edges, radians.
    init?(_ raster: Raster, middles: [Point], side: Double, angle: Double) {
        var found = tcv_lattice()
        let xy = middles.flatMap { [$0.x, $0.y] }
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_lattice_find(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), xy,
                Int32(middles.count), side, angle, &found)
        }
        guard status == TCV_OK else { return nil }
        toPicture = withUnsafeBytes(of: found.to_picture) { Array($0.bindMemory(to: Double.self)) }
        guard toPicture.allSatisfy(\.isFinite), let inverse = Self.inverse(toPicture) else { return nil }
        toSquares = inverse
        printed = found.columns > 0 && found.rows > 0 ? (Int(found.columns), Int(found.rows)) : nil
        misfit = found.misfit
    }

    /// Column and row of a picture point, with fractions.
    func squares(_ place: Point) -> Point { Self.through(toSquares, place) }

    func inPicture(_ place: Point) -> Point { Self.through(toPicture, place) }

    private static func through(_ h: [Double], _ p: Point) -> Point {
        let depth = h[6] * p.x + h[7] * p.y + h[8]
        return Point((h[0] * p.x + h[1] * p.y + h[2]) / depth, (h[3] * p.x + h[4] * p.y + h[5]) / depth)
    }

    /// The adjugate, which is the inverse up to scale.
    private static func inverse(_ h: [Double]) -> [Double]? {
        func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { h[a] * h[d] - h[b] * h[c] }
        let adjugate = [
            minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5), -minor(3, 5, 6, 8), minor(0, 2, 6, 8),
            -minor(0, 2, 3, 5), minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4),
        ]
        let determinant = h[0] * adjugate[0] + h[1] * adjugate[3] + h[2] * adjugate[6]
        return abs(determinant) > 1e-12 ? adjugate.map { $0 / determinant } : nil
    }
}
