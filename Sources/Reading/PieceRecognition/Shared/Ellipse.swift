internal import COpenCV
import Core
import Foundation

/// An ellipse in a picture.
struct Ellipse {
    /// Pixels.
    var centre: Point
    /// Direction of the first axis, length 1.
    var along: Point
    /// Half axes, pixels.
    var a, b: Double

    enum Method: Int32 { case leastSquares, direct }

    /// Fitted to at least five points (x, y one after the other).
    init(through xy: UnsafePointer<Int32>, count: Int, _ method: Method) throws(PictureFailure) {
        var values = tcv_ellipse()
        try PictureFailure.check(tcv_ellipse_fit(xy, Int32(count), method.rawValue, &values))
        let turn = Double(values.angle) * .pi / 180
        centre = Point(Double(values.x), Double(values.y))
        along = Point(cos(turn), sin(turn))
        (a, b) = (Double(values.width / 2), Double(values.height / 2))
    }

    /// Distance of a point from the centre, in radii: 1 on the ellipse.
    func radius(of point: Point) -> Double {
        let d = point - centre
        return hypot(d.dot(along) / a, along.cross(d) / b)
    }

    /// The turn of a point from the first axis, as on a circle, −π…π.
    func turn(of point: Point) -> Double {
        let d = point - centre
        return atan2(along.cross(d) / b, d.dot(along) / a)
    }

    /// The point at this turn on the ellipse enlarged by `growth`.
    func point(at turn: Double, enlargedBy growth: Double = 1) -> Point {
        let (u, v) = (a * growth * cos(turn), b * growth * sin(turn))
        return Point(centre.x + u * along.x - v * along.y, centre.y + u * along.y + v * along.x)
    }
}

extension PixelOutline {
    func ellipse(_ method: Ellipse.Method) throws(PictureFailure) -> Ellipse {
        try Ellipse(through: xy, count: count, method)
    }

    /// Mean distance of the outline from an ellipse, in radii.
    func misfit(_ ellipse: Ellipse) -> Double {
        (0..<count).reduce(0) { $0 + abs(ellipse.radius(of: point($1)) - 1) } / Double(max(1, count))
    }
}
