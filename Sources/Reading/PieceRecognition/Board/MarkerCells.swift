import Core

/// A square fiducial marker of 6 × 6 cells in a grey photo: its edges and its cells. The outer cells are black.
struct MarkerCells {
    struct Parameters: Sendable {
        /// Places along a side where its step from black to white is searched, part of the side, and their distance
        /// across, pixels. Set on development photos, as all values here without another origin.
        var places = 16
        var part = 0.12...0.88
        var tap = 0.5
        /// Steps below `minRise` a tap are noise; a place counts with this sum, 0…255.
        var minRise = 1.0
        var minStep = 20.0
        /// Smallest sine between two sides, and the largest distance of a corner from its expected place in reaches.
        var minSine = 0.2
        var cornerReach = 2.0
        /// Nine places of a cell: first and step, in cells.
        var cell = (first: 0.3, step: 0.2)
        /// Smallest difference between the brightest and the darkest cell, 0…255.
        var minContrast = 25.0
        /// Fewest cells that prove a word.
        var minSeen = 12
        /// Step of the search for a shift, pixels, and the fewest black and white cells it compares.
        var shiftStep = 2.0
        var minBlack = 8
        var minWhite = 4
    }

    let grey: Picture<UInt8>
    var parameters = Parameters()

    private static let side = 6

    static func isRim(_ cell: Int) -> Bool { cell / side % (side - 1) == 0 || cell % side % (side - 1) == 0 }

    /// True for a white cell of a word: its inner 4 × 4 cells row by row from the highest bit.
    static func isWhite(_ cell: Int, _ word: Int) -> Bool {
        !isRim(cell) && word >> (15 - ((cell / side - 1) * 4 + cell % side - 1)) & 1 == 1
    }

    /// A quarter turn: the top-right cell becomes the top-left one.
    static func turned(_ word: Int) -> Int {
        (0..<16).reduce(0) { result, place in
            let from = place % 4 * 4 + 3 - place / 4
            return result << 1 | word >> (15 - from) & 1
        }
    }

    /// Brightness between pixels; −1 outside the picture.
    @inline(__always) private func bilinear(_ x: Double, _ y: Double) -> Double {
        guard x >= 0, y >= 0, x < Double(grey.width - 1), y < Double(grey.height - 1) else { return -1 }
        let (x0, y0) = (Int(x), Int(y))
        let (u, v) = (x - Double(x0), y - Double(y0))
        let a = grey.samples + (y0 * grey.stride + x0)
        let b = a + grey.stride
        return (1 - v) * ((1 - u) * Double(a[0]) + u * Double(a[1])) + v * ((1 - u) * Double(b[0]) + u * Double(b[1]))
    }

    /// The line through the steps from black to white across a side; nil if fewer than `least` places show a step,
    /// because the side leaves the picture or is occluded.
    private func edge(
        from a: Point, to b: Point, reach: Double, least: Int
    ) throws(PictureFailure) -> StraightLine? {
        let p = parameters
        let d = b - a
        let length = d.length
        // Clockwise with y down: outside is to the left.
        let out = Point(d.y / length, -d.x / length)
        let half = p.tap / 2
        var steps: [Float] = []
        for index in 0..<p.places {
            let share =
                p.part.lowerBound
                + (p.part.upperBound - p.part.lowerBound) * Double(index) / Double(p.places - 1)
            let at = a + d * share
            var (weight, sum) = (0.0, 0.0)
            var before = bilinear(at.x - out.x * (reach + p.tap), at.y - out.y * (reach + p.tap))
            var s = -reach
            while s <= reach, before >= 0 {
                let next = bilinear(at.x + out.x * (s + p.tap), at.y + out.y * (s + p.tap))
                let rise = max(0, next - before - p.minRise)
                weight += rise
                sum += rise * (s + half)
                before = next
                s += p.tap
            }
            if before >= 0, weight > p.minStep {
                let place = at + out * (sum / weight)
                steps += [Float(place.x), Float(place.y)]
            }
        }
        return steps.count / 2 < least ? nil : try StraightLine.through(steps)
    }

    /// The corners at which both edges are visible; nil for the others.
    func seenCorners(_ corners: [Point], reach: Double, least: Int) throws(PictureFailure) -> [Point?] {
        var edges: [StraightLine?] = []
        for side in 0..<4 {
            edges.append(try edge(from: corners[side], to: corners[(side + 1) % 4], reach: reach, least: least))
        }
        return (0..<4).map { index in
            guard let before = edges[(index + 3) % 4], let after = edges[index],
                let at = before.crossing(after, minSine: parameters.minSine),
                (at - corners[index]).length <= parameters.cornerReach * reach
            else { return nil }
            return at
        }
    }

    /// Cells → picture.
    private static func map(to corners: [Point]) -> Homography? {
        Homography(toCorners: corners, width: Double(side), height: Double(side))
    }

    /// Brightness of each cell, row by row; −1 outside the picture.
    private func cells(_ corners: [Point]) -> [Double] {
        guard let map = Self.map(to: corners) else { return [] }
        let (first, step) = parameters.cell
        return (0..<Self.side * Self.side).map { cell in
            var sum = 0.0
            for place in 0..<9 {
                let at = map(
                    Point(
                        Double(cell % Self.side) + first + step * Double(place % 3),
                        Double(cell / Self.side) + first + step * Double(place / 3)))
                let value = bilinear(at.x, at.y)
                if value < 0 { return -1 }
                sum += value / 9
            }
            return sum
        }
    }

    /// Midpoint between the darkest and the brightest visible cell; nil if they hardly differ.
    private func middle(of cells: [Double]) -> Double? {
        let seen = cells.filter { $0 >= 0 }
        guard let low = seen.min(), let high = seen.max(), high - low >= parameters.minContrast else { return nil }
        return (low + high) / 2
    }

    /// The 16 inner cells, 1 for white, highest bit first. Nil if the rim is not black, a cell is not visible, or the
    /// contrast is too low.
    func word(_ corners: [Point]) -> Int? {
        let cells = cells(corners)
        guard let middle = middle(of: cells) else { return nil }
        var word = 0
        for (cell, value) in cells.enumerated() {
            if value < 0 || Self.isRim(cell) && value > middle { return nil }
            if !Self.isRim(cell) { word = word << 1 | (value > middle ? 1 : 0) }
        }
        return word
    }

    /// The share of visible cells that match the word; 0 if fewer than a third of all are visible.
    func agreement(_ corners: [Point], _ word: Int) -> Double {
        let cells = cells(corners)
        guard let middle = middle(of: cells) else { return 0 }
        let seen = cells.indices.filter { cells[$0] >= 0 }
        let right = seen.count { (cells[$0] > middle) == Self.isWhite($0, word) }
        return seen.count < parameters.minSeen ? 0 : Double(right) / Double(seen.count)
    }

    /// The shift of at most `farthest` pixels that maximises the difference between white and black cells.
    func bestShift(_ corners: [Point], _ word: Int, farthest: Double) -> Point {
        guard let map = Self.map(to: corners) else { return Point(0, 0) }
        let cells = (0..<Self.side * Self.side).map { cell in
            (
                at: map(Point(Double(cell % Self.side) + 0.5, Double(cell / Self.side) + 0.5)),
                isWhite: Self.isWhite(cell, word)
            )
        }
        var (best, most) = (Point(0, 0), 0.0)
        for dy in stride(from: -farthest, through: farthest, by: parameters.shiftStep) {
            for dx in stride(from: -farthest, through: farthest, by: parameters.shiftStep) {
                var (white, black, whites, blacks) = (0.0, 0.0, 0, 0)
                for cell in cells {
                    let value = bilinear(cell.at.x + dx, cell.at.y + dy)
                    guard value >= 0 else { continue }
                    if cell.isWhite {
                        white += value
                        whites += 1
                    } else {
                        black += value
                        blacks += 1
                    }
                }
                guard blacks >= parameters.minBlack, whites >= parameters.minWhite else { continue }
                let apart = white / Double(whites) - black / Double(blacks)
                if apart > most { (best, most) = (Point(dx, dy), apart) }
            }
        }
        return best
    }
}
