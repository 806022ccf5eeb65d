import Core

/// Weighted least squares in four unknowns. Accumulates rows and solves for the step that minimises the residuals.
struct NormalEquations {
    private var matrix = [SIMD4<Double>](repeating: .zero, count: 4)
    private var right = SIMD4<Double>.zero
    private var rows = 0

    /// - Parameter gradient: Derivatives of the residual by each unknown.
    mutating func add(_ gradient: SIMD4<Double>, residual: Double, weight: Double) {
        rows += 1
        right -= weight * residual * gradient
        for i in 0..<4 { matrix[i] += weight * gradient[i] * gradient }
    }

    /// Nil if the rows do not determine all four unknowns.
    func solution() -> [Double]? {
        guard rows >= 4 else { return nil }
        var a = matrix
        var b = right
        for column in 0..<4 {
            guard let pivot = (column..<4).max(by: { abs(a[$0][column]) < abs(a[$1][column]) }),
                abs(a[pivot][column]) > 1e-9
            else { return nil }
            if pivot != column {
                a.swapAt(column, pivot)
                (b[column], b[pivot]) = (b[pivot], b[column])
            }
            for row in 0..<4 where row != column {
                let factor = a[row][column] / a[column][column]
                a[row] -= factor * a[column]
                b[row] -= factor * b[column]
            }
        }
        return (0..<4).map { b[$0] / a[$0][$0] }
    }
}

extension NormalEquations {
    /// Moves and rotates `placement` by the solution, at a fixed scale. False if the rows do not determine it.
    ///
    /// The unknowns are x, y, rotation and scale. Weak regularisation keeps a piece in place that is hardly visible;
    /// a radian counts as 20 pixels.
    mutating func moveRigidly(_ placement: inout Placement) -> Bool {
        add([0, 0, 0, 1], residual: 0, weight: 1)
        for (unknown, size) in [1.0, 1, 20].enumerated() {
            var gradient = SIMD4<Double>.zero
            gradient[unknown] = size
            add(gradient, residual: 0, weight: 0.02)
        }
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
