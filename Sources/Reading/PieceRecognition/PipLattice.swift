import Foundation
import Core

/// The nine places of a die's face, as the camera sees them: corners on ±1, ±1.
struct PipLattice {
    let centre: Point
    /// From one place to the next in a row and in a column, pixels.
    let across: Point
    let down: Point

    /// By a pip in a corner and the one in the opposite corner, on a plane squeezed like this.
    init(corner a: Point, opposite b: Point, seen as: Foreshortening) {
        centre = (a + b) * 0.5
        let half = `as`.flat(b - a) * 0.5
        across = `as`.seen(Point(half.x + half.y, half.y - half.x) * 0.5)
        down = `as`.seen(Point(half.x - half.y, half.x + half.y) * 0.5)
    }

    /// By its middle, the pixels from place to place and the turn on a plane squeezed like this, radians.
    init(centre: Point, step: Double, angle: Double, seen as: Foreshortening) {
        self.centre = centre
        across = `as`.seen(Point(cos(angle), sin(angle)) * step)
        down = `as`.seen(Point(-sin(angle), cos(angle)) * step)
    }

    /// By all four corners, clockwise.
    init(corners: [Point]) {
        centre = corners.reduce(Point(0, 0), +) * 0.25
        across = (corners[1] + corners[2] - corners[0] - corners[3]) * 0.25
        down = (corners[2] + corners[3] - corners[0] - corners[1]) * 0.25
    }

    /// Columns to the right and rows down of the middle.
    func place(of point: Point) -> Point {
        let off = point - centre
        let turn = across.cross(down)
        return Point(off.cross(down) / turn, across.cross(off) / turn)
    }

    func point(_ column: Double, _ row: Double) -> Point { centre + across * column + down * row }

    /// Edge of a square as large as the one between four neighbouring places, pixels.
    var step: Double { abs(across.cross(down)).squareRoot() }
    var longerStep: Double { max(across.length, down.length) }
    var foreshortening: Foreshortening { Foreshortening(across, down) }

    /// Of the unturned face's upper edge, with half of the error that the left edge shows. Radians.
    var angle: Double {
        let one = atan2(across.y, across.x)
        let other = atan2(-down.x, down.y)
        return one + remainder(other - one, 2 * .pi) / 2
    }

    /// The value whose pips lie on these of the nine places, numbered row by row.
    static func value(of places: Set<Int>) -> Int? {
        switch places {
        case [0, 8]: 2
        case [0, 4, 8]: 3
        case [0, 2, 6, 8]: 4
        case [0, 2, 4, 6, 8]: 5
        case [0, 2, 3, 5, 6, 8], [0, 1, 2, 6, 7, 8]: 6
        default: nil
        }
    }
}
