import Foundation
import Core

/// The area centroid and rotation of a piece: millimetres, x right, y down; clockwise degrees.
struct PiecePose: Sendable, Hashable {
    var center: Point
    var degrees: Double
    /// Mirrored x → −x before the rotation.
    var flipped: Bool

    var isFinite: Bool { center.x.isFinite && center.y.isFinite && degrees.isFinite }
}

/// A similarity transform of the plane: rotation, then uniform scale, then translation. It never mirrors.
struct SimilarityTransform: Sendable, Hashable {
    var degrees: Double
    var scale: Double
    var shift: Point
    private let cosine: Double
    private let sine: Double

    init(degrees: Double, scale: Double = 1, shift: Point) {
        self.degrees = degrees
        self.scale = scale
        self.shift = shift
        cosine = cos(degrees * .pi / 180)
        sine = sin(degrees * .pi / 180)
    }

    /// Rotates by `degrees`, scales by `scale`, and maps `origin` to `target`.
    init(degrees: Double, scale: Double = 1, taking origin: Point, to target: Point) {
        let rotated = SimilarityTransform(degrees: degrees, scale: scale, shift: Point(0, 0)).applied(to: origin)
        self.init(degrees: degrees, scale: scale, shift: Point(target.x - rotated.x, target.y - rotated.y))
    }

    func applied(to point: Point) -> Point {
        Point(
            scale * (cosine * point.x - sine * point.y) + shift.x,
            scale * (sine * point.x + cosine * point.y) + shift.y)
    }

    func applied(to pose: PiecePose) -> PiecePose {
        PiecePose(center: applied(to: pose.center), degrees: pose.degrees + degrees, flipped: pose.flipped)
    }
}

extension Double {
    /// Reduces this angle difference in degrees by the symmetry of a piece. The result lies in −180/fold … 180/fold.
    func smallestRotation(fold: Int) -> Double { remainder(dividingBy: 360 / Double(fold)) }
}

extension Point {
    func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
}
