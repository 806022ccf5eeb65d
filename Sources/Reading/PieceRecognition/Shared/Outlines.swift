internal import COpenCV
import Core

/// The outline of a part of a mask: whole pixels in order.
///
/// Valid inside `PictureOutlines.forEach` only: it points into memory of the façade.
struct PixelOutline {
    /// x and y one after the other.
    let xy: UnsafePointer<Int32>
    let count: Int

    func point(_ index: Int) -> Point { Point(Double(xy[2 * index]), Double(xy[2 * index + 1])) }

    /// A copy that stays valid.
    var copied: [Int32] { Array(UnsafeBufferPointer(start: xy, count: 2 * count)) }

    var box: PixelBox {
        var (left, top, right, bottom) = (Int32.max, Int32.max, Int32.min, Int32.min)
        for index in 0..<count {
            let (x, y) = (xy[2 * index], xy[2 * index + 1])
            (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
        }
        return PixelBox(x: Int(left), y: Int(top), width: Int(right - left) + 1, height: Int(bottom - top) + 1)
    }

    var area: Double { abs(PixelPolygon.signedArea(xy, count)) }

    func hull() throws(PictureFailure) -> PixelPolygon {
        var (found, kept) = ([Int32](repeating: 0, count: 2 * count), Int32(0))
        try PictureFailure.check(tcv_outline_hull(xy, Int32(count), &found, &kept))
        return PixelPolygon(xy: Array(found.prefix(2 * Int(kept))))
    }

    /// Douglas and Peucker's approximation of the closed outline, `tolerance` in pixels.
    func simplified(_ tolerance: Double) throws(PictureFailure) -> PixelPolygon {
        var (found, kept) = ([Int32](repeating: 0, count: 2 * count), Int32(0))
        try PictureFailure.check(tcv_outline_simplified(xy, Int32(count), tolerance, &found, &kept))
        return PixelPolygon(xy: Array(found.prefix(2 * Int(kept))))
    }

    /// The same with the first of the tolerances, in lengths of the outline, that leaves at most so many corners; else
    /// the last.
    func simplified(by tolerances: [Double], to most: Int) throws(PictureFailure) -> PixelPolygon {
        let around = Outline.perimeter(corners)
        var few = PixelPolygon(xy: [])
        for tolerance in tolerances where few.count == 0 || few.count > most {
            few = try simplified(tolerance * around)
        }
        return few
    }

    var corners: [Point] { (0..<count).map(point) }

    /// The corners of a polygon moved to the crossings of lines through the points beside its sides, and the mean
    /// distance of these points from them; nil if a side has too few points, or if two are parallel.
    ///
    /// - Parameters:
    ///   - part: Of a side.
    ///   - beside: Distance of the points, in lengths of the side and pixels.
    ///   - isEnough: By the number of points and the length of the side.
    func fitted(
        _ polygon: [Point], within part: Range<Double>, beside: (share: Double, pixels: Double), minSine: Double,
        isEnough: (Int, Double) -> Bool
    ) throws(PictureFailure) -> (corners: [Point], misfit: Double)? {
        var lines: [StraightLine] = []
        var (misfit, used) = (0.0, 0)
        for (index, a) in polygon.enumerated() {
            let side = polygon[(index + 1) % polygon.count] - a
            let length = side.length
            let near = (0..<count).map(point).filter { point in
                let q = point - a
                return part.contains(q.dot(side) / (length * length))
                    && abs(q.cross(side)) / length < beside.share * length + beside.pixels
            }
            guard isEnough(near.count, length) else { return nil }
            let line = try StraightLine.through(near.flatMap { [Float($0.x), Float($0.y)] })
            misfit += near.reduce(0) { $0 + line.distance($1) }
            used += near.count
            lines.append(line)
        }
        return StraightLine.corners(of: lines, minSine: minSine).map { ($0, misfit / Double(max(1, used))) }
    }

    /// Number of points nearer to the polygon than `distance` pixels.
    func countNear(_ polygon: [Point], distance: Double) -> Int {
        let sides = PolygonSides(polygon)
        return (0..<count).count { sides.nearest(to: point($0)).distance < distance }
    }

    /// For each side of the polygon a line through the points beside its middle part, and their number.
    func lines(
        along polygon: [Point], within part: Range<Double>
    ) throws(PictureFailure) -> [(line: StraightLine, used: Int)] {
        let sides = PolygonSides(polygon)
        var beside = [[Float]](repeating: [], count: polygon.count)
        for index in 0..<count {
            let (side, _, along) = sides.nearest(to: point(index))
            guard along > part.lowerBound, along < part.upperBound else { continue }
            beside[side] += [Float(xy[2 * index]), Float(xy[2 * index + 1])]
        }
        var lines: [(StraightLine, Int)] = []
        for points in beside { lines.append((try StraightLine.through(points), points.count / 2)) }
        return lines
    }
}

/// The sides of a polygon, for the distances of many points.
private struct PolygonSides {
    private let sides: [(at: Point, way: Point, square: Double)]

    init(_ polygon: [Point]) {
        sides = polygon.indices.map { index in
            let way = polygon[(index + 1) % polygon.count] - polygon[index]
            return (polygon[index], way, max(1e-9, way.dot(way)))
        }
    }

    /// The nearest side, the distance, and the place along that side, 0…1 between its corners.
    func nearest(to point: Point) -> (side: Int, distance: Double, along: Double) {
        var best = (side: 0, distance: Double.infinity, along: 0.0)
        for (index, side) in sides.enumerated() {
            let off = point - side.at
            let along = off.dot(side.way) / side.square
            let rest = off - side.way * max(0, min(1, along))
            if rest.dot(rest) < best.distance { best = (index, rest.dot(rest), along) }
        }
        best.distance = best.distance.squareRoot()
        return best
    }
}

/// A polygon of whole pixels.
struct PixelPolygon {
    /// x and y one after the other.
    var xy: [Int32]

    var count: Int { xy.count / 2 }
    var corners: [Point] { (0..<count).map { Point(Double(xy[2 * $0]), Double(xy[2 * $0 + 1])) } }
    /// Positive for corners in clockwise order as seen.
    var signedArea: Double { xy.withUnsafeBufferPointer { $0.baseAddress.map { Self.signedArea($0, count) } ?? 0 } }
    var area: Double { abs(signedArea) }

    /// Clockwise as seen.
    var clockwise: [Point] { signedArea < 0 ? corners.reversed() : corners }

    func simplified(by tolerances: [Double], to most: Int) throws(PictureFailure) -> PixelPolygon {
        try withOutline { outline throws(PictureFailure) in try outline.simplified(by: tolerances, to: most) }
    }

    var isConvex: Bool {
        let corners = corners
        let turns = corners.indices.map { index in
            let next = corners[(index + 1) % corners.count]
            return (next - corners[index]).cross(corners[(index + 2) % corners.count] - next)
        }
        return turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 }
    }

    func withOutline<Value>(_ body: (PixelOutline) throws(PictureFailure) -> Value) throws(PictureFailure) -> Value {
        try xy.withUnsafeBufferPointer { buffer throws(PictureFailure) in
            guard let base = buffer.baseAddress else { throw PictureFailure(status: Int32(TCV_E_ARGUMENT)) }
            return try body(PixelOutline(xy: base, count: buffer.count / 2))
        }
    }

    static func signedArea(_ xy: UnsafePointer<Int32>, _ count: Int) -> Double {
        var twice = 0
        for index in 0..<count {
            let next = index + 1 == count ? 0 : index + 1
            twice += Int(xy[2 * index]) * Int(xy[2 * next + 1]) - Int(xy[2 * next]) * Int(xy[2 * index + 1])
        }
        return Double(twice) / 2
    }
}

/// The outlines of a mask.
final class PictureOutlines {
    enum Choice: Int32 { case outer, holes, all, parts }

    private let handle: OpaquePointer

    /// Of the mask's outermost parts, of the holes in all parts, of both, or of all parts; moved by `origin`.
    init(
        _ mask: Picture<UInt8>, _ which: Choice = .outer, origin: (x: Int, y: Int) = (0, 0)
    ) throws(PictureFailure) {
        var (from, opened) = (mask.image, OpaquePointer?.none)
        try PictureFailure.check(
            tcv_outlines_open(&from, which.rawValue, Int32(origin.x), Int32(origin.y), &opened))
        guard let opened else { throw PictureFailure(status: Int32(TCV_E_MEMORY)) }
        handle = opened
    }

    deinit { tcv_outlines_close(handle) }

    var count: Int { Int(tcv_outlines_count(handle)) }

    /// Calls `body` for each outline.
    func forEach(_ body: (PixelOutline) throws(PictureFailure) -> Void) throws(PictureFailure) {
        for index in 0..<count {
            if let outline = outline(index) { try body(outline) }
        }
    }

    /// Valid as long as this object.
    func outline(_ index: Int) -> PixelOutline? {
        var points = Int32(0)
        return tcv_outline(handle, Int32(index), &points).map { PixelOutline(xy: $0, count: Int(points)) }
    }
}

/// A straight line: a direction of length 1 and a point on it.
struct StraightLine {
    var direction: Point
    var at: Point

    /// Distance in pixels beyond which a point's pull is constant: Huber's constant of 95 % efficiency for noise of one
    /// pixel.
    static let huber = 1.345

    init(direction: Point, at: Point) { (self.direction, self.at) = (direction, at) }

    /// Direction and point, as primitives give them.
    init(_ values: [Float]) {
        direction = Point(Double(values[0]), Double(values[1]))
        at = Point(Double(values[2]), Double(values[3]))
    }

    /// Robustly fitted to points (x, y one after the other).
    static func through(_ xy: [Float]) throws(PictureFailure) -> StraightLine {
        var line = [Float](repeating: 0, count: 4)
        guard !xy.isEmpty else { return StraightLine(line) }
        try PictureFailure.check(tcv_line_through(xy, Int32(xy.count / 2), huber, &line))
        return StraightLine(line)
    }

    /// The intersection; nil if the sine of the angle between the lines is below `sine`.
    func crossing(_ other: StraightLine, minSine sine: Double) -> Point? {
        let turn = direction.cross(other.direction)
        guard abs(turn) >= sine else { return nil }
        let t = (other.at - at).cross(other.direction) / turn
        return at + direction * t
    }

    /// The crossing of each line with the one before it; nil if two of them have too small a sine between them.
    static func corners(of lines: [StraightLine], minSine: Double) -> [Point]? {
        let seen = lines.indices.compactMap {
            lines[($0 + lines.count - 1) % lines.count].crossing(lines[$0], minSine: minSine)
        }
        return seen.count == lines.count ? seen : nil
    }

    func distance(_ point: Point) -> Double { abs((point - at).cross(direction)) }
}
