import Core

/// Two lines that run down and two that run across: the inner lines of nine squares.
struct LineGrid {
    /// Left, right, upper, lower.
    let lines: [Stroke]
    /// Squares → pixels; the inner crossings are (1, 1), (2, 1), (2, 2), (1, 2).
    let toPixels: Homography
    let toSquares: Homography
    /// How well the four lines form such a grid, 0…1.
    let quality: Double

    struct Parameters: Sendable {
        /// Smallest distance between crossings, pixels. Set on development pictures, as all values here.
        var minGap = 12.0
        /// Lines that end so near to the picture's rim leave it: a share of the longer side, and pixels. They are
        /// longer than their visible part, `half` of a square at least, if they extend by `visible`.
        var rim = (share: 0.02, more: 2.0, visible: 0.05, half: 0.5)
        /// Smallest and largest extension of a line beyond the crossings, in squares.
        var least = 0.12
        var longest = 3.2
        /// Smallest ratio of opposite sides, and of the sides of a square.
        var minRatio = 0.6
        var minAspect = 0.2
        /// Half widths of bars in a square: wider ones are not drawn lines.
        var maxHalf = 0.25
        var others = OtherLines()
        /// Certainty by each measure, and the least factor of its doubt.
        var evenness = (ramp: Ramp(0.5, 0.75), least: 0.3)
        var overhang = (ramp: Ramp(0.12, 0.5), least: 0.6)
        var tooLong = (ramp: Ramp(1.6, 3.2), most: 0.5)
        var uneven = (ramp: Ramp(0.8, 2), most: 0.3)
        var aspect = (ramp: Ramp(0.2, 0.35), least: 0.5)
        /// Of the smallest angle between crossing lines, radians.
        var slant = (ramp: Ramp(0.65, 1), least: 0.4)
        var ratio = (ramp: Ramp(0.6, 0.8), least: 0.5)
        /// Of the thinnest line in the thickest.
        var thickness = (ramp: Ramp(0.25, 0.5), least: 0.5, floor: 0.5)
        /// Of the mean length in the drawing's size.
        var length = (ramp: Ramp(0.4, 0.75), least: 0.6)
    }

    /// Other long parallel lines, in squares. A frame is allowed; more indicate a table, a window or a floor.
    struct OtherLines: Sendable {
        /// Smallest length, and largest slope to the grid.
        var minLength = 1.15
        var maxSlope = 0.3
        /// Part of the grid that a line must pass.
        var middle = 0.7...2.3
        /// Distance of a frame from the outer edges.
        var frame = 0.35
        /// Where a line beside the grid excludes the grid.
        var beside = -2.6..<5.6
        /// A line so near to one of the grid's is its other edge.
        var same = 0.2
        /// A line may strike out three marks, but then it is shorter than the grid's lines.
        var most = 1
        var strike = 0.95
    }
}

extension LineGrid {
    /// Indices of four strokes.
    struct Choice {
        var left, right, upper, lower: Int

        func contains(_ index: Int) -> Bool { index == left || index == right || index == upper || index == lower }
    }

    /// Four strokes as a grid; nil if they are none.
    ///
    /// - Parameters:
    ///   - picture: Width and height, pixels.
    ///   - size: Of the drawing, pixels.
    init?(
        _ choice: Choice, of strokes: [Stroke], picture: (width: Int, height: Int), size: Double,
        _ p: Parameters = .init()
    ) throws(PictureFailure) {
        let (left, right) = (strokes[choice.left], strokes[choice.right])
        let (upper, lower) = (strokes[choice.upper], strokes[choice.lower])
        guard let a = left.crossing(upper), let b = right.crossing(upper), let c = right.crossing(lower),
            let d = left.crossing(lower)
        else { return nil }
        var measures = Measures(picture: picture)
        guard measures.add(left, 0, between: a, d, p), measures.add(right, 1, between: b, c, p),
            measures.add(upper, 2, between: a, b, p), measures.add(lower, 3, between: d, c, p),
            measures.least >= p.least, measures.longest <= p.longest
        else { return nil }
        let sides = measures.sides
        func ratio(_ a: Double, _ b: Double) -> Double { min(a, b) / max(a, b) }
        let (down, across) = ((sides[0] + sides[1]) / 2, (sides[2] + sides[3]) / 2)
        let (parallel, aspect) = (min(ratio(sides[0], sides[1]), ratio(sides[2], sides[3])), ratio(down, across))
        guard parallel >= p.minRatio, aspect >= p.minAspect, measures.thick <= p.maxHalf * min(down, across),
            Outline.area([a, b, c, d]) >= 0
        else { return nil }
        guard
            let map = Homography(toCorners: [a, b, c, d]).map({ $0 * Homography(origin: Point(-1, -1)) }),
            let back = map.inverse,
            Self.isAlone(
                choice, among: strokes, back,
                shortest: (down: min(left.length, right.length), across: min(upper.length, lower.length)), p.others)
        else { return nil }
        (lines, toPixels, toSquares) = ([left, right, upper, lower], map, back)
        let (first, second, third, fourth) = (left.angle, right.angle, upper.angle, lower.angle)
        let slant = min(
            HalfTurn.between(first, third), HalfTurn.between(second, third), HalfTurn.between(second, fourth),
            HalfTurn.between(first, fourth))
        let thin = measures.thin / max(p.thickness.floor, measures.thick)
        var quality = measures.support
        quality *= p.evenness.ramp.factor(measures.evenness, least: p.evenness.least)
        quality *= p.overhang.ramp.factor(measures.least, least: p.overhang.least)
        quality *= p.tooLong.ramp.discount(measures.longest, most: p.tooLong.most)
        quality *= p.uneven.ramp.discount(measures.uneven, most: p.uneven.most)
        quality *= p.aspect.ramp.factor(aspect, least: p.aspect.least)
        quality *= p.slant.ramp.factor(slant, least: p.slant.least)
        quality *= p.ratio.ramp.factor(parallel, least: p.ratio.least)
        quality *= p.thickness.ramp.factor(thin, least: p.thickness.least)
        quality *= p.length.ramp.factor(measures.length / size, least: p.length.least)
        self.quality = quality
    }

    /// Measures of the four lines.
    private struct Measures {
        let picture: (width: Int, height: Int)
        /// Shortest and longest extension beyond the crossings, and largest difference of a line's two, in gaps.
        var least = Double.infinity
        var longest = 0.0
        var uneven = 0.0
        /// Distances between the crossings, pixels.
        var sides = SIMD4<Double>()
        /// Means.
        var support = 0.0
        var length = 0.0
        var evenness = 0.0
        /// Half widths, pixels.
        var thin = Double.infinity
        var thick = 0.0

        init(picture: (width: Int, height: Int)) { self.picture = picture }

        /// Adds the line `index` between two crossings. False if these are too near.
        mutating func add(_ line: Stroke, _ index: Int, between a: Point, _ b: Point, _ p: Parameters) -> Bool {
            let (s, t) = (line.coordinate(a), line.coordinate(b))
            let gap = abs(t - s)
            guard gap >= p.minGap else { return false }
            var (before, after) = ((min(s, t) - line.from) / gap, (line.to - max(s, t)) / gap)
            longest = max(longest, before, after)
            uneven = max(uneven, abs(before - after))
            let rim = p.rim.share * Double(max(picture.width, picture.height)) + p.rim.more
            func isAtRim(_ place: Point) -> Bool {
                place.x < rim || place.y < rim || place.x > Double(picture.width - 1) - rim
                    || place.y > Double(picture.height - 1) - rim
            }
            if before > p.rim.visible, isAtRim(line.start) { before = max(before, p.rim.half) }
            if after > p.rim.visible, isAtRim(line.end) { after = max(after, p.rim.half) }
            least = min(least, before, after)
            sides[index] = gap
            support += line.support / 4
            length += line.length / 4
            evenness += line.evenness / 4
            (thin, thick) = (min(thin, line.half), max(thick, line.half))
            return true
        }
    }

    /// True without other long parallel lines, except for a frame and a line that strikes out three marks.
    ///
    /// - Parameter shortest: Length of the shorter line that runs down, and of the shorter that runs across, pixels.
    private static func isAlone(
        _ choice: Choice, among strokes: [Stroke], _ back: Homography, shortest: (down: Double, across: Double),
        _ p: OtherLines
    ) -> Bool {
        var within = 0
        for (index, line) in strokes.enumerated() where !choice.contains(index) {
            let (a, b) = (back(line.start), back(line.end))
            let (dx, dy) = (abs(a.x - b.x), abs(a.y - b.y))
            guard max(dx, dy) >= p.minLength, min(dx, dy) <= p.maxSlope * max(dx, dy) else { continue }
            let runsDown = dy > dx
            let place = runsDown ? (a.x + b.x) / 2 : (a.y + b.y) / 2
            let (low, high) = runsDown ? (min(a.y, b.y), max(a.y, b.y)) : (min(a.x, b.x), max(a.x, b.x))
            guard high >= p.middle.lowerBound, low <= p.middle.upperBound else { continue }
            if min(abs(place), abs(place - 3)) < p.frame { continue }
            if place < 0 || place > 3 {
                if place > p.beside.lowerBound, place < p.beside.upperBound { return false }
            } else if min(abs(place - 1), abs(place - 2)) > p.same {
                within += 1
                if within > p.most || line.length > p.strike * (runsDown ? shortest.down : shortest.across) {
                    return false
                }
            }
        }
        return true
    }
}

/// Chooses the four strokes that form the best grid.
struct LineGridSearch {
    struct Parameters: Sendable {
        /// Largest turn between parallel lines and smallest between crossing ones, radians. Set on development
        /// pictures, as all values here.
        var parallel = 0.45
        var crossing = 0.65
        /// Smallest length of a line in the longest, and of the shorter of two parallel lines in the longer.
        var ofLongest = 0.25
        var ofOther = 0.4
        var grid = LineGrid.Parameters()
    }

    let strokes: [Stroke]
    /// Of the working picture, pixels.
    let picture: (width: Int, height: Int)
    /// Of the drawing, pixels.
    let size: Double
    var parameters = Parameters()

    /// Two strokes of about one direction and length.
    private struct Pair {
        var first, second: Int
        /// Turn of both from the vertical, radians.
        var steepness: Double
    }

    func best() throws(PictureFailure) -> LineGrid? {
        let angles = strokes.map(\.angle)
        let pairs = pairs(angles)
        var best: LineGrid?
        for (index, one) in pairs.enumerated() {
            for other in pairs[(index + 1)...] {
                guard one.first != other.first, one.first != other.second, one.second != other.first,
                    one.second != other.second,
                    HalfTurn.between(angles[one.first], angles[other.first]) >= parameters.crossing,
                    HalfTurn.between(angles[one.second], angles[other.second]) >= parameters.crossing,
                    // Lines nearer to the vertical run down.
                    let four = other.steepness < one.steepness ? ordered(other, one) : ordered(one, other),
                    let grid = try LineGrid(four, of: strokes, picture: picture, size: size, parameters.grid),
                    grid.quality > best?.quality ?? -1
                else { continue }
                best = grid
            }
        }
        return best
    }

    private func pairs(_ angles: [Double]) -> [Pair] {
        let lengths = strokes.map(\.length)
        let longest = lengths.max() ?? 0
        let steepness = angles.map { HalfTurn.between($0, .pi / 2) }
        var pairs: [Pair] = []
        for first in strokes.indices {
            for second in strokes.indices.dropFirst(first + 1) {
                let (shorter, longer) = (min(lengths[first], lengths[second]), max(lengths[first], lengths[second]))
                guard HalfTurn.between(angles[first], angles[second]) < parameters.parallel,
                    shorter > parameters.ofLongest * longest, shorter > parameters.ofOther * longer
                else { continue }
                pairs.append(Pair(first: first, second: second, steepness: steepness[first] + steepness[second]))
            }
        }
        return pairs
    }

    /// Left, right, upper, lower; nil if lines that should cross are parallel.
    private func ordered(_ down: Pair, _ across: Pair) -> LineGrid.Choice? {
        var (left, right, upper, lower) = (down.first, down.second, across.first, across.second)
        func crossing(_ a: Int, _ b: Int) -> Point? { strokes[a].crossing(strokes[b]) }
        guard let one = crossing(left, upper), let two = crossing(right, upper) else { return nil }
        let rightward = strokes[upper].along * (strokes[upper].along.x < 0 ? -1 : 1)
        if (two - one).dot(rightward) < 0 { (left, right) = (right, left) }
        guard let one = crossing(left, upper), let two = crossing(left, lower) else { return nil }
        let downward = strokes[left].along * (strokes[left].along.y < 0 ? -1 : 1)
        if (two - one).dot(downward) < 0 { (upper, lower) = (lower, upper) }
        return LineGrid.Choice(left: left, right: right, upper: upper, lower: lower)
    }
}
