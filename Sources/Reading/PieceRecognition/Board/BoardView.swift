import Foundation
import Core

/// The geometry of a board located by its markers: the camera's view and the rectified view from above.
struct BoardView {
    /// Board millimetres → picture pixels.
    let homography: Homography
    /// Root mean square residual of the marker corners, pixels.
    let residual: Double
    let widthMM: Double
    let heightMM: Double
    /// Pixels per millimetre of the view from above.
    let scale: Double
    /// Camera position: x and y on the board, and height above it, millimetres.
    private let camera: (x: Double, y: Double, height: Double)

    /// Pixels per millimetre of the view from above. A 720-line photo filled by the board has fewer.
    static let scale = 3.0

    /// Maximum uncertainty of any place on the board, millimetres. Poses are reported within two.
    private static let maxUncertainty = 1.0
    /// A larger residual of the markers means that the board is not flat, pixels.
    private static let maxResidual = 2.0

    /// Nil if too little of the markers is visible. Usually two whole markers and part of a third are needed.
    init?(_ raster: Raster, markers: BoardMarkers) throws(PictureFailure) {
        guard let board = try MarkedBoard(raster.grey(), markers: markers),
            board.uncertainty < Self.maxUncertainty, board.residual < Self.maxResidual
        else { return nil }
        homography = board.map
        residual = board.residual
        (widthMM, heightMM) = (markers.widthMM, markers.heightMM)
        scale = Self.scale
        guard let camera = Self.camera(homography.values, width: raster.width, height: raster.height) else {
            return nil
        }
        self.camera = camera
    }

    /// Width of the view from above, pixels.
    var width: Int { Int((widthMM * scale).rounded()) }
    var height: Int { Int((heightMM * scale).rounded()) }

    /// View → picture.
    var viewToPicture: Homography { homography.fromView(scale: scale) }

    /// Board millimetres of a point in the view from above.
    func onTable(_ point: Point) -> Point { Point((point.x + 0.5) / scale, (point.y + 0.5) / scale) }

    /// The point of the view vertically below the camera.
    var nadir: Point { Point(camera.x * scale - 0.5, camera.y * scale - 0.5) }

    /// Magnification of a point at this height in millimetres, which is also its displacement factor from the nadir.
    func growth(height: Double) -> Double { camera.height / max(1, camera.height - height) }

    /// Picture pixels of a point in the view from above.
    func inPicture(_ point: Point) -> Point { homography(onTable(point)) }

    /// The board rectified to a view from above, `scale` pixels per millimetre.
    func fromAbove(_ raster: Raster) throws(PictureFailure) -> Raster {
        let seen = try raster.warped(viewToPicture, width: width, height: height)
        guard let top = seen.raster else { throw .argument }
        return top
    }

    /// Camera position from the homography of a pinhole camera with square pixels and a central principal point
    /// (Zhang 2000, §3.1).
    ///
    /// A board seen from straight above does not determine the focal length. A common camera's is then assumed: 0.8
    /// of the picture's longer side.
    private static func camera(_ h: [Double], width: Int, height: Int) -> (x: Double, y: Double, height: Double)? {
        let (cx, cy) = (Double(width - 1) / 2, Double(height - 1) / 2)
        let size = Double(max(width, height))
        // Columns of the homography, in units of the picture's longer side about its centre.
        let columns = (0..<3).map { column -> (Double, Double, Double) in
            let depth = h[6 + column]
            return ((h[column] - cx * depth) / size, (h[3 + column] - cy * depth) / size, depth)
        }
        let (a, b, t) = (columns[0], columns[1], columns[2])
        // a·b = 0 and a·a = b·b with x and y over f: two equations for w = 1/f².
        let p1 = a.0 * b.0 + a.1 * b.1
        let q1 = a.2 * b.2
        let p2 = a.0 * a.0 + a.1 * a.1 - b.0 * b.0 - b.1 * b.1
        let q2 = a.2 * a.2 - b.2 * b.2
        let unit = a.0 * a.0 + a.1 * a.1 + b.0 * b.0 + b.1 * b.1
        let usual = 1 / (0.8 * 0.8)
        let priorWeight = 1e-3 * unit * unit
        let w = max(0.25, min(4, (priorWeight * usual - p1 * q1 - p2 * q2) / (priorWeight + p1 * p1 + p2 * p2)))
        let f = 1 / w.squareRoot()
        let (r1, r2, shift) = ((a.0 / f, a.1 / f, a.2), (b.0 / f, b.1 / f, b.2), (t.0 / f, t.1 / f, t.2))
        let n1 = (r1.0 * r1.0 + r1.1 * r1.1 + r1.2 * r1.2).squareRoot()
        let n2 = (r2.0 * r2.0 + r2.1 * r2.1 + r2.2 * r2.2).squareRoot()
        let length = (n1 + n2) / 2
        guard length > 1e-12 else { return nil }
        // The camera position is −Rᵀt: two components along the board's axes, one above it.
        let x = -(r1.0 * shift.0 + r1.1 * shift.1 + r1.2 * shift.2) / (n1 * length)
        let y = -(r2.0 * shift.0 + r2.1 * shift.1 + r2.2 * shift.2) / (n2 * length)
        let distance = (shift.0 * shift.0 + shift.1 * shift.1 + shift.2 * shift.2) / (length * length)
        let height = max(1, distance - x * x - y * y).squareRoot()
        return x.isFinite && y.isFinite && height.isFinite ? (x, y, height) : nil
    }
}
