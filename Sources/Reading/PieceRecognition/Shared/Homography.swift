internal import COpenCV
import Core

/// A projective map of the plane: a 3 × 3 matrix.
struct Homography: Sendable, Hashable {
    private var first, second, third: SIMD3<Double>

    static let identity = Homography([1, 0, 0, 0, 1, 0, 0, 0, 1])

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

    /// With a last value of 1.
    var normalized: Homography { Homography(values.map { $0 / third.z }) }

    /// Pixels of a copy at `1 / step` of the size → pixels of the picture, by the centres of pixels.
    static func enlarging(by step: Double) -> Homography {
        Homography([step, 0, (step - 1) / 2, 0, step, (step - 1) / 2, 0, 0, 1])
    }
}

extension Point {
    /// The place in the full picture of a place in a copy at `1 / scale` of its size.
    func enlarged(by scale: Double) -> Point { Point((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) }
    /// The place in a copy at `1 / scale` of the size.
    func reduced(by scale: Double) -> Point { Point((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) }
}

extension Homography {
    /// The least-squares map between at least four pairs, and its root mean square residual; nil if they do not
    /// determine it.
    static func fitting(
        _ from: [Point], to: [Point]
    ) throws(PictureFailure) -> (map: Homography, residual: Double)? {
        guard from.count >= 4, from.count == to.count else { return nil }
        var values = [Double](repeating: 0, count: 9)
        var (residual, found) = (0.0, Int32(0))
        try PictureFailure.check(
            tcv_homography_fit(
                from.flatMap { [$0.x, $0.y] }, to.flatMap { [$0.x, $0.y] }, Int32(from.count), &values, &residual,
                &found))
        return found != 0 ? (Homography(values), residual) : nil
    }
}

extension Homography {
    /// The map of four places to four others.
    static func through(from: [Point], to: [Point]) throws(PictureFailure) -> Homography {
        guard from.count == 4, to.count == 4 else { throw PictureFailure.argument }
        var values = [Double](repeating: 0, count: 9)
        try PictureFailure.check(
            tcv_homography_through(
                from.flatMap { [Float($0.x), Float($0.y)] }, to.flatMap { [Float($0.x), Float($0.y)] }, &values))
        return Homography(values)
    }

    /// Pixels of a copy of another size → pixels of the picture, by the centres of pixels.
    static func enlarging(x: Double, y: Double) -> Homography {
        Homography([x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5, 0, 0, 1])
    }
}
