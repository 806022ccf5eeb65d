/// Where a filled shape has its area: mean 0 and length 1, so that a product of two is their correlation.
///
/// A star with blunt tips and a square have like outlines and other areas; of letters the area says less than their outlines.
struct FilledArea: Sendable {
    let cells: [SIMD8<Float>]

    /// Empty cells around the face: a square that fills its box differs from nothing else but by them.
    private static let margin = 2

    /// - Parameter coverage: how much of a cell is filled, 0…1, row by row.
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
