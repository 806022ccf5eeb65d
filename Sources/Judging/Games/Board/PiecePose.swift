import Foundation
import Core

/// Where a piece's area centroid lies and how the piece is turned: millimetres, x right, y down; clockwise degrees.
struct PiecePose: Sendable, Hashable {
    var center: Point
    var degrees: Double
    /// Mirrored x → −x before it is turned.
    var flipped: Bool

    var isFinite: Bool { center.x.isFinite && center.y.isFinite && degrees.isFinite }
}

/// A turn, then a stretch, then a shift of the plane; never a mirroring.
struct PlaneMotion: Sendable, Hashable {
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

    /// The motion that turns by `degrees`, stretches by `scale` and takes `origin` to `target`.
    init(degrees: Double, scale: Double = 1, taking origin: Point, to target: Point) {
        let turned = PlaneMotion(degrees: degrees, scale: scale, shift: Point(0, 0)).applied(to: origin)
        self.init(degrees: degrees, scale: scale, shift: Point(target.x - turned.x, target.y - turned.y))
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
    /// This difference of two angles in degrees as the smallest turn that a piece of this symmetry can tell:
    /// −180/fold … 180/fold.
    func smallestTurn(fold: Int) -> Double { remainder(dividingBy: 360 / Double(fold)) }
}

extension Point {
    func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
}
