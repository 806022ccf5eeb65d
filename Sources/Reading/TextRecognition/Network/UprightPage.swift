import Core

/// A page rotated so that its text is upright, with its detected lines.
///
/// Lines are detected again after a rotation by 90, 180 or 270 degrees.
struct UprightPage {
    let raster: Raster
    let lines: [DetectedLine]
    /// Maps pixels of `raster` to pixels of the given page.
    let toRaster: PageMap
    /// Lines that were read to determine the page orientation. They need not be read again.
    let read: [LineShape: PageLine]

    /// Number of lines read to determine the orientation, and their preferred length in heights.
    private static let sampleSize = 5
    /// Number of lines read in both directions, at most, until enough of them are legible.
    private static let largestSample = 10
    private static let sampleLength = 12.0
    /// Mean letter probability above which the page counts as upright.
    private static let uprightThreshold = 0.9

    init(
        of page: Raster, search: PrintSearch, detector: any LineDetector, reader: CascadeLineReader
    ) throws {
        var read: [LineShape: PageLine] = [:]
        func reading(_ line: DetectedLine) throws -> PageLine {
            if let known = read[line.shape] { return known }
            let line = try reader.line(line, on: page)
            read[line.shape] = line
            return line
        }
        /// Mean confidence of a sample of lines.
        func confidence(of lines: [DetectedLine]) throws -> Double {
            let sample = lines.prefix(Self.sampleSize)
            guard !sample.isEmpty else { return 0 }
            return try sample.reduce(0) { try $0 + reading($1).confidence } / Double(sample.count)
        }
        var turns = 0
        var upright = page
        var lines = try detector.lines(on: page, search: search)
        let long = Self.sampleOrder(lines.filter { $0.shape.span > 2.5 * $0.shape.thickness })
        let vertical = long.filter(\.shape.isVertical)
        let verticalLength = vertical.reduce(0) { $0 + $1.shape.span }
        if verticalLength > long.reduce(0, { $0 + $1.shape.span }) - verticalLength {
            // Text that runs up becomes upright by a quarter turn clockwise.
            let up = try confidence(of: vertical.map { $0.read(.up) })
            let down = try confidence(of: vertical.map { $0.read(.down) })
            turns = up >= down ? 1 : 3
        } else {
            let horizontal = long.filter { !$0.shape.isVertical }
            if try !horizontal.isEmpty && confidence(of: horizontal) < Self.uprightThreshold {
                var vote = OrientationVote()
                for line in horizontal.prefix(Self.largestSample) where !vote.isDecided {
                    let reversed = DetectedLine(shape: line.shape.reversed, score: line.score)
                    vote.add(upright: .init(try reading(line)), reversed: .init(try reading(reversed)))
                }
                if vote.isUpsideDown { turns = 2 }
            }
        }
        if turns != 0 {
            upright = try page.rotated(quarters: turns)
            lines = try detector.lines(on: upright, search: search.withoutPlaces)
            read = [:]
        }
        self.read = read
        raster = upright
        self.lines = Self.withDirections(lines)
        toRaster =
            PageMap.rotation(width: page.width, height: page.height, degrees: Double(turns) * 90).map.inverse
            ?? PageMap()
    }

    /// The lines with the preferred length first.
    private static func sampleOrder(_ lines: [DetectedLine]) -> [DetectedLine] {
        func oddness(_ line: DetectedLine) -> Double {
            abs(line.shape.span / max(1, line.shape.thickness) - sampleLength)
        }
        return lines.sorted { oddness($0) < oddness($1) }
    }

    /// Vertical lines are read from the bottom up. A line no higher than the page's other lines is a single digit and
    /// stays.
    private static func withDirections(_ lines: [DetectedLine]) -> [DetectedLine] {
        let height = lines.filter { !$0.shape.isVertical }.map(\.shape.height).median ?? 0
        return lines.map { line in
            guard line.shape.isVertical, line.shape.span > 1.6 * height else { return line }
            return line.read(.up)
        }
    }
}

extension DetectedLine {
    func read(_ direction: LineShape.VerticalReadingDirection) -> DetectedLine {
        DetectedLine(shape: shape.read(direction), score: score)
    }
}
