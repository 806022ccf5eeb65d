import Core

/// Where the dot of a piece stands: on its middle, so that the numbers of touching pieces cannot be confused.
///
/// Only pieces with a plain surface get such a dot. A face, such as the pips of a die, must stay visible.
struct PieceCentre {
    let center: Point
    /// Pixels; the whole dot lies within the piece.
    let radius: Double

    /// Points along each side of the first grid, and the number of finer grids around the best point.
    private static let (grid, refinements) = (12, 6)
    /// Most corners of a shape that are looked at; real pieces have at most eight.
    private static let mostCorners = 64

    /// The largest of `radii` that fits: around the centroid, else around the point that is furthest from the edge.
    ///
    /// - Parameters:
    ///   - outline: corners of the piece in pixels, in order.
    ///   - radii: radii to try, largest first, pixels.
    ///   - neighbours: corners of the other pieces, which the dot must not touch.
    ///   - print: boxes that the dot must not touch.
    /// - Returns: nil if no radius fits, or the outline is not a shape.
    init?(outline: [Point], radii: [Double], neighbours: [[Point]], print: [Quad]) {
        guard (3...Self.mostCorners).contains(outline.count), let box = Quad(aroundPoints: outline),
            outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), box.width > 0, box.height > 0,
            let smallest = radii.last
        else { return nil }
        func isNear(_ other: Quad) -> Bool {
            other.minX <= box.maxX && other.maxX >= box.minX && other.minY <= box.maxY && other.maxY >= box.minY
        }
        let others = neighbours.filter { shape in
            (3...Self.mostCorners).contains(shape.count) && Quad(aroundPoints: shape).map(isNear) == true
        }
        let words = print.filter(isNear).map(\.corners)
        /// The radius of the largest dot around a point.
        func room(_ point: Point) -> Double {
            guard Self.contains(outline, point) else { return 0 }
            var room = Self.distance(point, outline)
            for shape in others + words {
                guard !Self.contains(shape, point) else { return 0 }
                room = min(room, Self.distance(point, shape))
            }
            return room
        }
        if let centroid = Self.centroid(outline), let full = radii.first, room(centroid) >= full {
            (center, radius) = (centroid, full)
            return
        }
        var best = (point: Point(box.center.x, box.center.y), room: 0.0)
        var (step, middle) = (Point(box.width / Double(Self.grid), box.height / Double(Self.grid)), box.center)
        for _ in 0...Self.refinements {
            for row in 0...Self.grid {
                for column in 0...Self.grid {
                    let (x, y) = (Double(column) - Double(Self.grid) / 2, Double(row) - Double(Self.grid) / 2)
                    let point = Point(middle.x + x * step.x, middle.y + y * step.y)
                    let room = room(point)
                    if room > best.room { best = (point, room) }
                }
            }
            guard best.room > 0 else { return nil }
            middle = best.point
            step = Point(step.x / 3, step.y / 3)
        }
        guard best.room >= smallest, let radius = radii.first(where: { $0 <= best.room }) else { return nil }
        (center, self.radius) = (best.point, radius)
    }

    /// The centroid of the area; nil for a shape without area.
    private static func centroid(_ corners: [Point]) -> Point? {
        var (area, x, y) = (0.0, 0.0, 0.0)
        for (one, other) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let cross = one.x * other.y - other.x * one.y
            area += cross
            x += (one.x + other.x) * cross
            y += (one.y + other.y) * cross
        }
        return abs(area) > 1e-9 ? Point(x / (3 * area), y / (3 * area)) : nil
    }

    /// True if the point is inside, by the even-odd rule.
    static func contains(_ corners: [Point], _ point: Point) -> Bool {
        var isInside = false
        for (one, other) in zip(corners, corners.dropFirst() + corners.prefix(1))
        where (one.y > point.y) != (other.y > point.y)
            && point.x < (other.x - one.x) * (point.y - one.y) / (other.y - one.y) + one.x
        {
            isInside.toggle()
        }
        return isInside
    }

    /// Distance of a point from the nearest edge.
    static func distance(_ point: Point, _ corners: [Point]) -> Double {
        var nearest = Double.infinity
        for (one, other) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let (dx, dy) = (other.x - one.x, other.y - one.y)
            let length = dx * dx + dy * dy
            let along = ((point.x - one.x) * dx + (point.y - one.y) * dy) / length
            let share = length > 0 ? min(1, max(0, along)) : 0
            let (x, y) = (one.x + share * dx - point.x, one.y + share * dy - point.y)
            nearest = min(nearest, (x * x + y * y).squareRoot())
        }
        return nearest
    }
}

extension RecognizedPiece {
    /// True if the piece has no face that a dot would cover: no pips, letter or symbol.
    package var isPlain: Bool { symbol == nil && value == nil && (values ?? []).isEmpty }
}
