import Foundation
import Core

/// The 3×3 lattice of pip positions on a die's face in the photo; its corners have coordinates ±1.
struct PipLattice {
    let centre: Point
    /// One step along a row, and one along a column, pixels.
    let across: Point
    let down: Point

    /// From two pips in opposite corners and the foreshortening of the plane.
    init(corner a: Point, opposite b: Point, seen as: Foreshortening) {
        centre = (a + b) * 0.5
        let half = `as`.flat(b - a) * 0.5
        across = `as`.seen(Point(half.x + half.y, half.y - half.x) * 0.5)
        down = `as`.seen(Point(half.x - half.y, half.x + half.y) * 0.5)
    }

    /// From the centre, the step in pixels, the rotation in radians and the foreshortening of the plane.
    init(centre: Point, step: Double, angle: Double, seen as: Foreshortening) {
        self.centre = centre
        across = `as`.seen(Point(cos(angle), sin(angle)) * step)
        down = `as`.seen(Point(-sin(angle), cos(angle)) * step)
    }

    /// From all four corners, clockwise.
    init(corners: [Point]) {
        centre = corners.reduce(Point(0, 0), +) * 0.25
        across = (corners[1] + corners[2] - corners[0] - corners[3]) * 0.25
        down = (corners[2] + corners[3] - corners[0] - corners[1]) * 0.25
    }

    /// Lattice coordinates: columns to the right of the centre and rows below it.
    func place(of point: Point) -> Point {
        let off = point - centre
        let turn = across.cross(down)
        return Point(off.cross(down) / turn, across.cross(off) / turn)
    }

    func point(_ column: Double, _ row: Double) -> Point { centre + across * column + down * row }

    /// Edge of a square with the area of one lattice cell, pixels.
    var step: Double { abs(across.cross(down)).squareRoot() }
    var foreshortening: Foreshortening { Foreshortening(across, down) }

    /// Angle of the unrotated face's upper edge, averaged with the left edge's deviation. Radians.
    var angle: Double {
        let one = atan2(across.y, across.x)
        let other = atan2(-down.x, down.y)
        return one + remainder(other - one, 2 * .pi) / 2
    }

    /// The value of a die whose pips occupy these of the nine positions, which include two opposite corners.
    static func value(of places: Set<Int>) -> Int? {
        (2...6).contains(places.count) && places.isSuperset(of: [0, 8])
            && PipLayout.known[places.count]?.contains(places) == true
            ? places.count : nil
    }
}
