import Core

/// The four corners around the points at which a scanner detected a symbol.
struct Outline {
    /// Clockwise as seen, starting with the corner nearest to the picture's top-left. Empty if there are no points.
    let corners: [Point]

    /// The rectangle of least area around the points, at any angle. Collinear points give a flat rectangle.
    init(around points: [Point]) {
        let hull = Self.hull(of: points)
        guard let first = hull.first else {
            corners = []
            return
        }
        let rectangles = zip(hull, hull.dropFirst() + [first]).map { Self.rectangle(around: hull, along: $0, $1) }
        corners = Self.fromTopLeft(rectangles.min { $0.area < $1.area }?.corners ?? [])
    }

    /// The points themselves, for scanners that return the four corners of a symbol.
    init(corners points: [Point]) {
        let hull = Self.hull(of: points)
        self = hull.count == 4 ? Outline(ordered: hull) : Outline(around: points)
    }

    private init(ordered corners: [Point]) { self.corners = Self.fromTopLeft(corners) }

    private static func fromTopLeft(_ corners: [Point]) -> [Point] {
        guard let start = corners.indices.min(by: { corners[$0].x + corners[$0].y < corners[$1].x + corners[$1].y })
        else { return [] }
        return Array(corners[start...] + corners[..<start])
    }

    /// The rectangle around the points with axes along `a`→`b`, or along the rows if `a` and `b` coincide.
    private static func rectangle(around points: [Point], along a: Point, _ b: Point) -> (
        area: Double, corners: [Point]
    ) {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = (dx * dx + dy * dy).squareRoot()
        let (ux, uy) = length > 0 ? (dx / length, dy / length) : (1, 0)
        let along = points.map { $0.x * ux + $0.y * uy }
        let across = points.map { $0.y * ux - $0.x * uy }
        guard let left = along.min(), let right = along.max(), let top = across.min(), let bottom = across.max() else {
            return (0, [])
        }
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            Point($0.0 * ux - $0.1 * uy, $0.0 * uy + $0.1 * ux)
        }
        return ((right - left) * (bottom - top), corners)
    }

    /// The convex hull by Andrew's monotone chain, clockwise as seen (y grows down).
    private static func hull(of points: [Point]) -> [Point] {
        let sorted = Set(points).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var chain: [Point] = []
            for point in points {
                while let last = chain.last, let before = chain.dropLast().last,
                    (last.x - before.x) * (point.y - before.y) - (last.y - before.y) * (point.x - before.x) <= 0
                {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return chain(sorted) + chain(sorted.reversed())
    }
}
