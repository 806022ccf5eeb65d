import Core

/// Where a photo has print, in cells. A cell counts as print if any part of a word lies in it, so a free rectangle never
/// touches a word.
struct PrintMap {
    /// Side of a cell, pixels.
    private let cell: Double
    private let columns, rows: Int
    /// Summed-area table of printed cells, one row and column larger than the map.
    private var sums: [Int32]

    /// Cells along the longer side: fine enough for a gap between two columns, small enough to sum quickly.
    private static let cells = 700.0

    /// - Parameters:
    ///   - width: pixels, at least 1.
    ///   - print: boxes of words, pieces and codes.
    init(width: Double, height: Double, print: [Quad]) {
        cell = max(1, max(width, height) / Self.cells)
        columns = max(1, Int((width / cell).rounded(.up)))
        rows = max(1, Int((height / cell).rounded(.up)))
        var covered = [Bool](repeating: false, count: columns * rows)
        for box in print {
            guard let (x, y) = Self.span(box.minX, box.maxX, box.minY, box.maxY, cell, columns, rows) else { continue }
            for row in y { for column in x { covered[row * columns + column] = true } }
        }
        sums = [Int32](repeating: 0, count: (columns + 1) * (rows + 1))
        for row in 0..<rows {
            var line: Int32 = 0
            for column in 0..<columns {
                line += covered[row * columns + column] ? 1 : 0
                sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + line
            }
        }
    }

    /// True if no word touches the square around `center`. Outside the photo nothing is printed.
    func isFree(_ center: Point, _ radius: Double) -> Bool {
        guard
            let (x, y) = Self.span(
                center.x - radius, center.x + radius, center.y - radius, center.y + radius, cell, columns, rows)
        else { return true }
        func sum(_ row: Int, _ column: Int) -> Int32 { sums[row * (columns + 1) + column] }
        return sum(y.upperBound, x.upperBound) - sum(y.lowerBound, x.upperBound) - sum(y.upperBound, x.lowerBound)
            + sum(y.lowerBound, x.lowerBound) == 0
    }

    /// The cells that a rectangle touches; nil if it lies outside, or is not finite.
    private static func span(
        _ left: Double, _ right: Double, _ top: Double, _ bottom: Double, _ cell: Double, _ columns: Int, _ rows: Int
    ) -> (x: Range<Int>, y: Range<Int>)? {
        guard [left, right, top, bottom].allSatisfy(\.isFinite), right >= 0, bottom >= 0,
            left <= Double(columns) * cell, top <= Double(rows) * cell
        else { return nil }
        func place(_ value: Double, _ count: Int) -> Int { Int(min(Double(count - 1), max(0, value / cell))) }
        return (
            place(left, columns)..<place(right, columns) + 1, place(top, rows)..<place(bottom, rows) + 1
        )
    }
}
