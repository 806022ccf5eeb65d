import Core

/// Pixels of ink: x and y one after the other.
struct InkPixels {
    var xy: [Int32] = []

    var count: Int { xy.count / 2 }
    var isEmpty: Bool { xy.isEmpty }

    /// The smallest box around them.
    var box: PixelBox {
        xy.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return PixelBox(x: 0, y: 0, width: 0, height: 0) }
            return PixelOutline(xy: base, count: buffer.count / 2).box
        }
    }

    mutating func append(_ x: Int32, _ y: Int32) {
        xy.append(x)
        xy.append(y)
    }
}

/// Assigns the ink that remains beside the lines to the nine squares.
struct SquareInk {
    struct Parameters: Sendable {
        /// Smaller parts are noise: pixels, and longer side in squares. Set on development pictures, as all values
        /// here.
        var minArea = 6
        var minSide = 0.08
        /// Slivers beside a line: largest width, and largest distance from the line, in squares.
        var sliver = 0.13
        var beside = 0.2
        /// A part with more than this share outside of the bounds is not on the grid, percent.
        var maxOutside = 45
        /// Smaller parts belong to one square, the one that holds most of them. Larger ones are divided. In squares.
        var whole = 1.25
    }

    let plan: GridPlan
    let bounds: GridBounds
    var parameters = Parameters()

    /// - Parameter level: Darkness of ink, 0…255.
    /// - Returns: The ink of each square, row by row.
    func squares(level: Double) throws(PictureFailure) -> [InkPixels] {
        let p = parameters
        var squares = [InkPixels](repeating: InkPixels(), count: 9)
        let (labels, parts) = try plan.dark.above(level - 1).parts(neighbours: 8)
        for part in parts where part.area >= p.minArea && isMark(part.box) {
            let pixels = try labels.part(part.box).equal(to: part.label).points()
            try assign(pixels, from: part.box, to: &squares)
        }
        return squares
    }

    /// False for parts that are too small, and for slivers beside a line.
    private func isMark(_ box: PixelBox) -> Bool {
        let p = parameters
        let (left, right) = (plan.u(Double(box.x)), plan.u(Double(box.right - 1)))
        let (top, bottom) = (plan.v(Double(box.y)), plan.v(Double(box.bottom - 1)))
        let (w, h) = (right - left, bottom - top)
        func isNearLine(_ place: Double) -> Bool { min(abs(place - 1), abs(place - 2)) < p.beside }
        return max(w, h) >= p.minSide && !(w < p.sliver && isNearLine((left + right) / 2))
            && !(h < p.sliver && isNearLine((top + bottom) / 2))
    }

    /// - Parameter pixels: Of one part, from the corner of its box.
    private func assign(
        _ pixels: [Int32], from box: PixelBox, to squares: inout [InkPixels]
    ) throws(PictureFailure) {
        let p = parameters
        // Pixels' coordinates in squares, and their squares.
        let us = (box.x..<box.right).map { plan.u(Double($0)) }
        let vs = (box.y..<box.bottom).map { plan.v(Double($0)) }
        let columns = us.map { max(0, min(2, Int(whole: $0, .down))) }
        let rows = vs.map { max(0, min(2, Int(whole: $0, .down))) }
        var (outside, shares) = (0, [Int](repeating: 0, count: 9))
        for index in stride(from: 0, to: pixels.count, by: 2) {
            let (x, y) = (Int(pixels[index]), Int(pixels[index + 1]))
            if bounds.contains(us[x], vs[y]) { shares[3 * rows[y] + columns[x]] += 1 } else { outside += 1 }
        }
        guard outside <= pixels.count / 2 * p.maxOutside / 100 else { return }
        let isWhole = max((us.last ?? 0) - (us.first ?? 0), (vs.last ?? 0) - (vs.first ?? 0)) < p.whole
        let own = shares.firstIndex(of: shares.max() ?? 0) ?? 0
        for index in stride(from: 0, to: pixels.count, by: 2) {
            let (x, y) = (Int(pixels[index]), Int(pixels[index + 1]))
            guard isWhole || bounds.containsInside(us[x], vs[y]) else { continue }
            squares[isWhole ? own : 3 * rows[y] + columns[x]].append(Int32(box.x + x), Int32(box.y + y))
        }
    }
}
