import Core

/// Tukey's biweight: how much an observation counts in a fit by its deviation, as a share of the one that counts no
/// more.
enum Tukey {
    @inline(__always) static func weight(_ share: Double) -> Double {
        abs(share) < 1 ? (1 - share * share) * (1 - share * share) : 0
    }
}

/// Weighted least squares. Accumulates rows and solves for the step of the unknowns that minimises the residuals.
struct NormalEquations<Row: SIMD> where Row.Scalar == Double {
    private var matrix = [Row](repeating: .zero, count: Row.scalarCount)
    private var right = Row.zero

    /// - Parameter gradient: Derivatives of the residual by each unknown.
    mutating func add(_ gradient: Row, residual: Double, weight: Double = 1) {
        right -= weight * residual * gradient
        for i in 0..<Row.scalarCount { matrix[i] += weight * gradient[i] * gradient }
    }

    /// Keeps an unknown at its current value, if the other rows hardly determine it.
    mutating func hold(_ unknown: Int, residual: Double = 0, weight: Double, in unit: Double = 1) {
        var gradient = Row.zero
        gradient[unknown] = unit
        add(gradient, residual: residual, weight: weight)
    }

    /// Nil if the rows do not determine all unknowns.
    func solution() -> [Double]? {
        let n = Row.scalarCount
        var a = matrix.flatMap { row in (0..<n).map { row[$0] } }
        var b = (0..<n).map { right[$0] }
        return Cholesky.solve(&a, &b, size: n) ? b : nil
    }
}

extension NormalEquations<SIMD4<Double>> {
    /// Adds an observed edge: a point at `offset` from a side with this normal, outward, of a template as it is placed.
    /// Beyond `reach` it does not count. The unknowns are x, y, rotation and scale.
    ///
    /// - Parameter distance: Of the side from the centroid, if the scale is unknown.
    mutating func add(
        _ edge: Point, offset: Double, normal: Point, on placement: Placement, distance: Double = 0, reach: Double,
        weight: Double = 1
    ) {
        guard abs(offset) < reach else { return }
        let turn = Point(-normal.y, normal.x).dot(edge - placement.at)
        let gradient = SIMD4<Double>(-normal.x, -normal.y, turn, -distance)
        add(gradient, residual: offset, weight: weight * Tukey.weight(offset / reach))
    }

    /// Moves and rotates `placement` by the solution, at a fixed scale. False if the rows do not determine it.
    ///
    /// The unknowns are x, y, rotation and scale. Weak regularisation keeps a piece in place that is hardly visible;
    /// a radian counts as 20 pixels.
    mutating func moveRigidly(_ placement: inout Placement) -> Bool {
        hold(3, weight: 1)
        for (unknown, size) in [1.0, 1, 20].enumerated() { hold(unknown, weight: 0.02, in: size) }
        guard let step = solution() else { return false }
        placement.at = placement.at + Point(step[0], step[1])
        placement.angle += step[2]
        return true
    }
}

/// Solves symmetric positive definite systems of any size.
enum Cholesky {
    /// Replaces the lower triangle of `a` (size × size, row by row) by its factor, and `b` (size × columns) by the
    /// solution. False if the matrix is not positive definite.
    static func solve(_ a: inout [Double], _ b: inout [Double], size n: Int, columns: Int = 1) -> Bool {
        for i in 0..<n {
            for j in 0..<i {
                var sum = a[n * i + j]
                for k in 0..<j { sum -= a[n * i + k] * a[n * j + k] }
                a[n * i + j] = sum * a[n * j + j]
            }
            var sum = a[n * i + i]
            for k in 0..<i { sum -= a[n * i + k] * a[n * i + k] }
            guard sum >= .ulpOfOne else { return false }
            a[n * i + i] = 1 / sum.squareRoot()
        }
        for column in 0..<columns {
            for i in 0..<n {
                var sum = b[columns * i + column]
                for k in 0..<i { sum -= a[n * i + k] * b[columns * k + column] }
                b[columns * i + column] = sum * a[n * i + i]
            }
            for i in (0..<n).reversed() {
                var sum = b[columns * i + column]
                for k in (i + 1..<n).reversed() { sum -= a[n * k + i] * b[columns * k + column] }
                b[columns * i + column] = sum * a[n * i + i]
            }
        }
        return true
    }
}
