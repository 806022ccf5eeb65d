import Core

/// The filled area of a shape, normalised to mean 0 and length 1, so that a dot product is a correlation.
///
/// A star with blunt tips and a square have similar outlines and different areas. For letters, outlines discriminate
/// better.
struct FilledArea: Sendable {
    let cells: [SIMD8<Float>]

    /// Empty cells around the face. Without them, a square that fills its box would have no contrast.
    private static let margin = 2

    /// - Parameter coverage: Filled share of each cell, 0…1, row by row.
    init(_ coverage: [Float]) {
        let size = FaceTemplate.size
        let side = size + 2 * Self.margin
        var plane = [Float](repeating: 0, count: side * side)
        for cell in coverage.indices {
            plane[(cell / size + Self.margin) * side + cell % size + Self.margin] = coverage[cell]
        }
        let mean = plane.reduce(0, +) / Float(plane.count)
        let length = max(1e-6, plane.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot())
        cells = stride(from: 0, to: plane.count, by: 8).map { start in
            SIMD8((start..<start + 8).map { (plane[$0] - mean) / length })
        }
    }

    func likeness(to other: FilledArea) -> Float {
        var sums = SIMD8<Float>.zero
        for index in cells.indices { sums += cells[index] * other.cells[index] }
        return sums.sum()
    }
}
