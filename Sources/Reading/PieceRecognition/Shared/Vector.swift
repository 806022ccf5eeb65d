import Core
import Foundation

/// Plane geometry with y down: positive rotations are clockwise as seen.
extension Point {
    static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }

    func dot(_ other: Point) -> Double { x * other.x + y * other.y }
    /// Positive if `other` is clockwise of this vector.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }
    var length: Double { (x * x + y * y).squareRoot() }

    /// This vector rotated clockwise by the angle with this cosine and sine.
    func rotated(cosine: Double, sine: Double) -> Point { Point(cosine * x - sine * y, sine * x + cosine * y) }
}

/// A closed polygon: corners in order, the last joined to the first.
enum Outline {
    /// A parallelogram about a centre, from the halves of its edges: −u −v, u −v, u v, −u v.
    static func corners(about centre: Point, _ u: Point, _ v: Point) -> [Point] {
        [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { u * $0.0 + v * $0.1 + centre }
    }

    /// - Parameter angle: Of the first edge, radians clockwise.
    static func square(about centre: Point, half: Double, angle: Double = 0) -> [Point] {
        let u = Point(half, 0).rotated(cosine: cos(angle), sine: sin(angle))
        return corners(about: centre, u, Point(-u.y, u.x))
    }

    /// Positive for corners in clockwise order as seen.
    static func area(_ corners: [Point]) -> Double {
        var twice = 0.0
        for (index, corner) in corners.enumerated() { twice += corner.cross(corners[(index + 1) % corners.count]) }
        return twice / 2
    }

    /// The area's centroid; the mean of the corners if there is no area.
    static func centroid(_ corners: [Point]) -> Point {
        var sum = Point(0, 0)
        var twice = 0.0
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            let part = corner.cross(next)
            twice += part
            sum = sum + (corner + next) * part
        }
        guard abs(twice) > 1e-9 else { return corners.reduce(Point(0, 0), +) * (1 / Double(max(1, corners.count))) }
        return sum * (1 / (3 * twice))
    }

    static func perimeter(_ corners: [Point]) -> Double {
        corners.indices.reduce(0) { $0 + (corners[($1 + 1) % corners.count] - corners[$1]).length }
    }

    /// The convex hull in clockwise order (Andrew's monotone chain).
    static func hull(_ points: [Point]) -> [Point] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: [Point]) -> [Point] {
            var kept: [Point] = []
            for point in points {
                while kept.count > 1,
                    (kept[kept.count - 1] - kept[kept.count - 2]).cross(point - kept[kept.count - 1]) <= 1e-9
                {
                    kept.removeLast()
                }
                kept.append(point)
            }
            return Array(kept.dropLast())
        }
        return chain(sorted) + chain(sorted.reversed())
    }

    /// For convex corners in clockwise order.
    static func contains(_ corners: [Point], _ point: Point) -> Bool {
        corners.indices.allSatisfy { index in
            (corners[(index + 1) % corners.count] - corners[index]).cross(point - corners[index]) >= 0
        }
    }

    /// True if more than a sixth of the second quadrilateral lies in the convex first. Adjacent tiles cannot overlap
    /// so much.
    static func overlap(_ one: [Point], _ other: [Point]) -> Bool {
        let steps = 12
        var inside = 0
        for row in 0..<steps {
            for column in 0..<steps {
                let (u, v) = ((Double(column) + 0.5) / Double(steps), (Double(row) + 0.5) / Double(steps))
                let upper = other[0] * (1 - u) + other[1] * u
                let lower = other[3] * (1 - u) + other[2] * u
                if contains(one, upper * (1 - v) + lower * v) { inside += 1 }
            }
        }
        return inside > steps * steps / 6
    }
}
