import Foundation
import Core

/// Faces of dice, tiles and boards, drawn with the polygons of `BoardDrawing`.
extension BoardDrawing {
    static let black: RGB = (28, 28, 30)
    static let white: RGB = (240, 238, 232)

    /// A square of `side` pixels about a centre, rotated clockwise by `angle` degrees.
    static func square(_ x: Double, _ y: Double, side: Double, angle: Double, width: Double? = nil) -> [Point] {
        let (w, h) = ((width ?? side) / 2, side / 2)
        return [(-w, -h), (w, -h), (w, h), (-w, h)].map { rotated($0.0, $0.1, about: (x, y), angle) }
    }

    static func rotated(_ u: Double, _ v: Double, about middle: (Double, Double), _ angle: Double) -> Point {
        let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        return Point(middle.0 + c * u - s * v, middle.1 + s * u + c * v)
    }

    mutating func disc(_ x: Double, _ y: Double, radius: Double, _ colour: RGB) {
        fill(
            (0..<28).map { Point(x + radius * cos(Double($0) * .pi / 14), y + radius * sin(Double($0) * .pi / 14)) },
            colour)
    }

    /// A straight stroke.
    mutating func line(_ a: Point, _ b: Point, width: Double, _ colour: RGB) {
        let length = hypot(b.x - a.x, b.y - a.y)
        let (nx, ny) = ((b.y - a.y) / length * width / 2, -(b.x - a.x) / length * width / 2)
        fill(
            [
                Point(a.x + nx, a.y + ny), Point(b.x + nx, b.y + ny), Point(b.x - nx, b.y - ny),
                Point(a.x - nx, a.y - ny),
            ], colour)
    }

    /// Pips in the standard arrangement, a quarter of the side apart.
    mutating func pips(_ count: Int, _ x: Double, _ y: Double, side: Double, angle: Double, _ colour: RGB) {
        let places: [[(Double, Double)]] = [
            [], [(0, 0)], [(-1, -1), (1, 1)], [(-1, -1), (0, 0), (1, 1)], [(-1, -1), (1, -1), (1, 1), (-1, 1)],
            [(-1, -1), (1, -1), (0, 0), (1, 1), (-1, 1)], [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
        ]
        for place in places[count] {
            let at = Self.rotated(place.0 * 0.25 * side, place.1 * 0.25 * side, about: (x, y), angle)
            disc(at.x, at.y, radius: 0.09 * side, colour)
        }
    }
}
