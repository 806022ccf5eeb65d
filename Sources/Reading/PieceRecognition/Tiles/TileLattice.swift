import Core
import Foundation

/// The squares on which tiles lie, in perspective: printed on a mat, or only implied by the tiles.
struct TileLattice {
    /// Columns and rows of the printed squares; nil if none are printed.
    let printed: (columns: Int, rows: Int)?
    /// Homography (column, row) → pixels; (0, 0) is the outer corner of the first square.
    private let map: Homography
    private let toSquares: Homography
    /// Root mean square distance of the printed lines from the lattice, squares.
    let misfit: Double

    /// Nil if the tiles do not lie on a common lattice.
    ///
    /// - Parameters:
    ///   - middles: Centres of the tiles, pixels.
    ///   - side: A tile's edge in pixels, within a quarter of it.
    ///   - angle: Angle of the tiles' edges, radians.
    init?(_ picture: Raster, middles: [Point], side: Double, angle: Double) throws(PictureFailure) {
        guard let found = try LatticeSearch(picture, side: side)?.lattice(of: middles, side: side, angle: angle),
            found.toPicture.values.allSatisfy(\.isFinite), let inverse = found.toPicture.inverse
        else { return nil }
        (map, toSquares) = (found.toPicture, inverse)
        (printed, misfit) = (found.printed, found.misfit)
    }

    /// Row by row.
    var toPicture: [Double] { map.values }

    /// Column and row of a picture point, with fractions.
    func squares(_ place: Point) -> Point { toSquares(place) }

    func inPicture(_ place: Point) -> Point { map(place) }
}
