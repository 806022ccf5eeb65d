import Foundation
import Core

/// A convex polygon in millimetres. Its corners are ordered so that the shoelace sum is positive.
struct ConvexPolygon: Sendable, Hashable {
    let corners: [Point]
    /// Square millimetres.
    let area: Double
    /// The area's centroid.
    let centroid: Point
    /// The distance from the centroid to the farthest corner, millimetres.
    let radius: Double

    /// Nil for fewer than three corners, zero area, a value that is not finite, or a concave corner.
    init?(_ points: [Point]) {
        guard points.count >= 3, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let signed = Self.signedArea(points)
        guard abs(signed) > 1e-6 else { return nil }
        let corners = signed > 0 ? points : points.reversed()
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let c = corners[(index + 2) % corners.count]
            guard (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > -1e-6 else { return nil }
        }
        self.init(ordered: corners, area: abs(signed))
    }

    private init(ordered corners: [Point], area: Double) {
        self.corners = corners
        self.area = area
        var sum = Point(0, 0)
        let first = corners[0]
        for index in 1..<(corners.count - 1) {
            let (a, b) = (corners[index], corners[index + 1])
            let weight = ((a.x - first.x) * (b.y - first.y) - (a.y - first.y) * (b.x - first.x)) / 6 / area
            sum.x += weight * (a.x + b.x - 2 * first.x)
            sum.y += weight * (a.y + b.y - 2 * first.y)
        }
        let centroid = Point(first.x + sum.x, first.y + sum.y)
        self.centroid = centroid
        radius = corners.reduce(0) { max($0, centroid.distance(to: $1)) }
    }

    private init(corners: [Point], area: Double, centroid: Point, radius: Double) {
        self.corners = corners
        self.area = area
        self.centroid = centroid
        self.radius = radius
    }

    /// The polygon placed at `pose`. Its centroid must be the origin.
    func laid(at pose: PiecePose) -> ConvexPolygon {
        let transform = SimilarityTransform(degrees: pose.degrees, shift: pose.center)
        let laid =
            pose.flipped
            ? corners.reversed().map { transform.applied(to: Point(-$0.x, $0.y)) }
            : corners.map { transform.applied(to: $0) }
        return ConvexPolygon(corners: laid, area: area, centroid: pose.center, radius: radius)
    }

    /// The polygon translated so that its centroid is the origin.
    var centred: ConvexPolygon {
        let shift = centroid
        return ConvexPolygon(
            corners: corners.map { Point($0.x - shift.x, $0.y - shift.y) }, area: area, centroid: Point(0, 0),
            radius: radius)
    }

    /// The transformed polygon. The scale of `transform` must be 1.
    func moved(by transform: SimilarityTransform) -> ConvexPolygon {
        ConvexPolygon(
            corners: corners.map { transform.applied(to: $0) }, area: area, centroid: transform.applied(to: centroid),
            radius: radius)
    }

    /// The polygon scaled by `factor` about its centroid.
    func shrunk(to factor: Double) -> ConvexPolygon {
        ConvexPolygon(
            corners: corners.map {
                Point(centroid.x + factor * ($0.x - centroid.x), centroid.y + factor * ($0.y - centroid.y))
            }, area: area * factor * factor, centroid: centroid, radius: radius * factor)
    }

    /// Area of the intersection in square millimetres (Sutherland–Hodgman clipping).
    func overlap(with other: ConvexPolygon) -> Double {
        guard centroid.distance(to: other.centroid) < radius + other.radius else { return 0 }
        var clipped = corners
        var next: [Point] = []
        next.reserveCapacity(corners.count + other.corners.count)
        for index in other.corners.indices {
            let (a, b) = (other.corners[index], other.corners[(index + 1) % other.corners.count])
            next.removeAll(keepingCapacity: true)
            guard var previous = clipped.last else { return 0 }
            var previousSide = (b.x - a.x) * (previous.y - a.y) - (b.y - a.y) * (previous.x - a.x)
            for corner in clipped {
                let side = (b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x)
                if (side > 0) != (previousSide > 0) {
                    let share = previousSide / (previousSide - side)
                    next.append(
                        Point(
                            previous.x + share * (corner.x - previous.x), previous.y + share * (corner.y - previous.y)))
                }
                if side > 0 { next.append(corner) }
                (previous, previousSide) = (corner, side)
            }
            swap(&clipped, &next)
        }
        return clipped.count < 3 ? 0 : abs(Self.signedArea(clipped))
    }

    /// Smallest distance between both outlines, millimetres, for polygons that do not overlap.
    func gap(to other: ConvexPolygon) -> Double { min(outlineDistance(to: other), other.outlineDistance(to: self)) }

    /// Smallest distance from a corner of `other` to this outline, millimetres.
    private func outlineDistance(to other: ConvexPolygon) -> Double {
        var smallest = Double.infinity
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            for point in other.corners {
                let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy)
                let share = min(1, max(0, along))
                smallest = min(smallest, point.distance(to: Point(a.x + share * dx, a.y + share * dy)))
            }
        }
        return smallest
    }

    private static func signedArea(_ points: [Point]) -> Double {
        var sum = 0.0
        for index in points.indices {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            sum += a.x * b.y - a.y * b.x
        }
        return sum / 2
    }
}
