import Core

/// A projective map of the plane: a 3 × 3 matrix.
struct Homography: Sendable, Hashable {
    private var first, second, third: SIMD3<Double>

    static let identity = Homography([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// The affine map of (0, 0) to `origin`, with the pictures of a step to the right and down.
    init(origin: Point, across: Point = Point(1, 0), down: Point = Point(0, 1)) {
        self.init([across.x, down.x, origin.x, across.y, down.y, origin.y, 0, 0, 1])
    }

    /// Moves by `origin` after all lengths were multiplied.
    init(origin: Point, scale: Double) { self.init(origin: origin, across: Point(scale, 0), down: Point(0, scale)) }

    /// Nine values, row by row.
    init(_ values: [Double]) {
        first = SIMD3(values[0], values[1], values[2])
        second = SIMD3(values[3], values[4], values[5])
        third = SIMD3(values[6], values[7], values[8])
    }

    var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) { (first, second, third) }

    /// Row by row.
    var values: [Double] {
        [first.x, first.y, first.z, second.x, second.y, second.z, third.x, third.y, third.z]
    }

    func callAsFunction(_ p: Point) -> Point {
        let depth = third.x * p.x + third.y * p.y + third.z
        return Point(
            (first.x * p.x + first.y * p.y + first.z) / depth, (second.x * p.x + second.y * p.y + second.z) / depth)
    }

    /// The map by `other`, then by this one.
    static func * (one: Homography, other: Homography) -> Homography {
        let (a, b) = (one.values, other.values)
        return Homography(
            (0..<9).map { index in
                let (row, column) = (3 * (index / 3), index % 3)
                return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
            })
    }

    /// Nil if it has none.
    var inverse: Homography? {
        let h = values
        func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { h[a] * h[d] - h[b] * h[c] }
        let adjugate = [
            minor(4, 5, 7, 8), minor(2, 1, 8, 7), minor(1, 2, 4, 5), minor(5, 3, 8, 6), minor(0, 2, 6, 8),
            minor(2, 0, 5, 3), minor(3, 4, 6, 7), minor(1, 0, 7, 6), minor(0, 1, 3, 4),
        ]
        let determinant = h[0] * minor(4, 5, 7, 8) - h[1] * minor(3, 5, 6, 8) + h[2] * minor(3, 4, 6, 7)
        return abs(determinant) > 1e-12 ? Homography(adjugate.map { $0 * (1 / determinant) }) : nil
    }

    /// This map of millimetres for a view of `scale` pixels per millimetre: its pixel (u, v) is the millimetre
    /// ((u + ½)/scale, (v + ½)/scale).
    func fromView(scale: Double) -> Homography {
        var h = values
        for row in stride(from: 0, to: 9, by: 3) {
            (h[row], h[row + 1]) = (h[row] / scale, h[row + 1] / scale)
            h[row + 2] += 0.5 * (h[row] + h[row + 1])
        }
        return Homography(h)
    }

    /// With a last value of 1.
    var normalized: Homography { Homography(values.map { $0 / third.z }) }

    /// Pixels of a copy at `1 / step` of the size → pixels of the picture, by the centres of pixels.
    static func enlarging(by step: Double) -> Homography {
        Homography(origin: Point((step - 1) / 2, (step - 1) / 2), scale: step)
    }
}

extension Point {
    /// The place in the full picture of a place in a copy at `1 / scale` of its size.
    func enlarged(by scale: Double) -> Point { Point((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) }
    /// The place in a copy at `1 / scale` of the size.
    func reduced(by scale: Double) -> Point { Point((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) }
}

extension Homography {
    /// The map of the corners (0, 0), (width, 0), (width, height), (0, height) to four places; nil if they are
    /// degenerate.
    init?(toCorners corners: [Point], width: Double = 1, height: Double = 1) {
        guard corners.count == 4 else { return nil }
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        // Heckbert 1989, §2.2.3: unit square → quadrangle.
        let sum = a - b + c - d
        let (e, f) = (b - c, d - c)
        let turn = e.cross(f)
        guard abs(turn) > 1e-9 else { return nil }
        let g = sum.cross(f) / turn
        let h = e.cross(sum) / turn
        self.init([
            (b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x,
            (b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y,
            g / width, h / height, 1,
        ])
    }

    /// The least-squares map between at least four pairs (direct linear transformation on normalised points), and its
    /// root mean square residual; nil if they do not determine it.
    static func fitting(_ from: [Point], to: [Point]) -> (map: Homography, residual: Double)? {
        guard from.count >= 4, from.count == to.count else { return nil }
        let (normalFrom, normalTo) = (normalizing(from), normalizing(to))
        var system = NormalEquations<SIMD8<Double>>()
        for (p, q) in zip(from.map { normalFrom($0) }, to.map { normalTo($0) }) {
            let (x, y) = (p * -q.x, p * -q.y)
            system.add(SIMD8(p.x, p.y, 1, 0, 0, 0, x.x, x.y), residual: -q.x)
            system.add(SIMD8(0, 0, 0, p.x, p.y, 1, y.x, y.y), residual: -q.y)
        }
        guard let solution = system.solution(), let back = normalTo.inverse else { return nil }
        let map = (back * Homography(solution + [1]) * normalFrom).normalized
        let squares = zip(from, to).reduce(0) { sum, pair in
            let off = map(pair.0) - pair.1
            return sum + off.dot(off)
        }
        return map.values.allSatisfy(\.isFinite) ? (map, (squares / Double(from.count)).squareRoot()) : nil
    }

    /// Moves the points' mean to the origin, and their mean distance from it to √2.
    private static func normalizing(_ points: [Point]) -> Homography {
        let middle = points.reduce(Point(0, 0), +) * (1 / Double(points.count))
        let spread = points.reduce(0) { $0 + ($1 - middle).length } / Double(points.count)
        let scale = 2.0.squareRoot() / max(1e-9, spread)
        return Homography(origin: middle * -scale, scale: scale)
    }

    /// Pixels of a copy of another size → pixels of the picture, by the centres of pixels.
    static func enlarging(x: Double, y: Double) -> Homography {
        Homography(origin: Point(0.5 * x - 0.5, 0.5 * y - 0.5), across: Point(x, 0), down: Point(0, y))
    }
}
