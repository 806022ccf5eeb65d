internal import COpenCV
import Core
import Foundation

/// Detects tiles by their glyphs, if tile and table are too similar for segmentation.
///
/// Ink marks on a uniform background are located first; each limits where its tile's edges may be. Steps too faint
/// for a threshold become visible when averaged along a whole edge.
struct FaceSquares {
    struct Square {
        /// Pixels of the raster, clockwise.
        var corners: [Point]
        var side: Double
        /// The weakest edge's step divided by the noise.
        var strength: Double
    }

    struct Parameters: Sendable {
        /// Steps below this multiple of the noise are grain; the second if the edge length is known. Set on development
        /// photos, as all values here.
        var minStrength = 3.2
        var minStrengthKnownSide = 2.6
        var most = 60
        /// Maximum size difference between squares of one set, as a natural logarithm.
        var maxDeviation = 0.12
        /// Longer side of the working copy, pixels.
        var longSide = 1000.0
        /// Sizes of marks: in a known tile's edge, with a minimum in pixels; else pixels.
        var markInSide = 0.3...0.95
        var minMark = 8.0
        var markSizes = 11.0...110
        /// Width of the patch around a mark, in a known edge or in the mark's size.
        var patch = (side: 1.8, mark: 4.4)
        /// Known edges vary within this; unknown ones in the mark's size.
        var knownSide = 0.85...1.15
        var sideInMark = 1.12...2.9
        /// Coarse and fine search: the mark's size in pixels of the patch, degrees between angles, number of angles to
        /// both sides (coarse: in all), and the largest difference of both edges as a natural logarithm.
        var coarse = Search(size: 15, degrees: 5, angles: 18, maxStretch: 0.14)
        var fine = Search(size: 32, degrees: 1, angles: 5, maxStretch: 0.09)
        var minStep = 0.5
        /// Half of the band along which steps are averaged, and the largest shift of the square, in the mark's size.
        var band = 0.5
        var shift = 0.33
        /// The square contains this part of the mark, from its centre.
        var inside = 0.4
        /// Weights of the weakest step and of all four, and the deviation from a known edge, as a natural logarithm.
        var weights = (weakest: 0.7, sum: 0.15)
        var expectedSpread = 0.12
    }

    struct Search: Sendable {
        var size: Double
        var degrees: Double
        var angles: Int
        var maxStretch: Double
    }

    private let parameters = Parameters()
    private let work: Picture<UInt8>
    private let scale: Double

    /// - Parameters:
    ///   - known: Corners of tiles that are already detected; they are excluded from the search.
    ///   - side: A tile's edge in pixels, if known.
    static func squares(
        in raster: Raster, besides known: [[Point]], side: Double?
    ) throws(PictureFailure) -> [Square] {
        try FaceSquares(raster).squares(besides: known, side: side)
    }

    private init(_ raster: Raster) throws(PictureFailure) {
        scale = max(1, Double(max(raster.width, raster.height)) / parameters.longSide)
        work = try raster.reduced(by: scale)
    }

    private func squares(besides known: [[Point]], side: Double?) throws(PictureFailure) -> [Square] {
        if let side { return try detected(known, side: side).filter { $0.strength > parameters.minStrengthKnownSide } }
        let first = try detected(known, side: nil).filter { $0.strength > parameters.minStrength }
        // Two squares of one size are a set. A single one may be any square with a mark on it.
        let near = SizeConsensus.agreeing(first, size: \.side, within: parameters.maxDeviation, support: Self.weight)
        guard near.count > 1, let side = near.map(\.side).median else { return [] }
        return try detected(known, side: side).filter {
            $0.strength > parameters.minStrengthKnownSide
        }
    }

    private static func weight(_ squares: [Square]) -> Double {
        squares.reduce(0) { $0 + min(12, $1.strength) * $1.side.squareRoot() }
    }

    private func detected(_ known: [[Point]], side: Double?) throws(PictureFailure) -> [Square] {
        let grey = try work.blurred(3).grey()
        let taken = Picture<UInt8>(width: work.width, height: work.height, isCleared: true)
        for corners in known {
            try taken.fillConvex(
                corners.map {
                    (Int(($0.x / scale).rounded(.toNearestOrEven)), Int(($0.y / scale).rounded(.toNearestOrEven)))
                })
        }
        let sizes =
            side.map {
                let least = max(parameters.minMark, parameters.markInSide.lowerBound * $0 / scale)
                return least...max(least, parameters.markInSide.upperBound * $0 / scale)
            } ?? parameters.markSizes
        let marks = try GlyphMarks().all(in: grey, besides: taken, sizes: sizes)
        let bare = try work.filled(channels: 3) { tcv_image_convert($0, $1) } as Picture<UInt8>
        try GlyphMarks().erase(marks, from: bare)
        let soft = try bare.blurred(3)
        var found: [Square] = []
        for mark in marks.prefix(parameters.most) {
            guard let one = try square(about: mark, bare: bare, soft: soft, side: side.map { $0 / scale }) else {
                continue
            }
            let side = one.side * scale
            let corners = Outline.square(about: one.at.enlarged(by: scale), half: side / 2, angle: one.angle)
            found.append(Square(corners: corners, side: side, strength: one.strength))
        }
        return found
    }

    /// A square in pixels of the working copy, or of a patch.
    private struct Fit {
        var at: Point
        var side: Double
        var angle = 0.0
        var strength: Double
    }

    /// The best square around a mark: coarse, then fine.
    private func square(
        about mark: GlyphMark, bare: Picture<UInt8>, soft: Picture<UInt8>, side: Double?
    ) throws(PictureFailure) -> Fit? {
        let p = parameters
        let wide = side.map { p.patch.side * $0 } ?? p.patch.mark * mark.size
        var best: Fit?
        for (search, picture) in [(p.coarse, soft), (p.fine, bare)] {
            let step = max(p.minStep, mark.size / search.size)
            let width = max(24, Int(wide / step)) | 1
            let own = mark.size / step
            let sides =
                side.map { (p.knownSide.lowerBound * $0 / step, p.knownSide.upperBound * $0 / step) }
                ?? (p.sideInMark.lowerBound * own, min(p.sideInMark.upperBound * own, Double(width) - 6))
            let start = best?.angle
            let turns = start == nil ? Array(0..<search.angles) : Array(-search.angles...search.angles)
            var top: Fit?
            for turn in turns {
                let angle = (start ?? 0) + Double(turn) * search.degrees * .pi / 180
                let patch = try picture.patch(about: mark.at, angle: angle, step: step, width: width, height: width)
                guard
                    var one = try square(
                        in: patch, mark: own, sides: sides, maxStretch: search.maxStretch,
                        expected: side.map { $0 / step }), one.strength > top?.strength ?? 0
                else { continue }
                one.angle = angle
                top = one
            }
            guard var top else { return nil }
            let off = (top.at * step).rotated(cosine: cos(top.angle), sine: sin(top.angle))
            top.at = mark.at + off
            top.side *= step
            best = top
        }
        return best
    }

    /// The best square about the patch's centre: two steps at equal distance on each axis. In patch pixels.
    private func square(
        in patch: Picture<UInt8>, mark: Double, sides: (Double, Double), maxStretch: Double, expected: Double?
    ) throws(PictureFailure) -> Fit? {
        let band = max(2, Int(parameters.band * mark))
        let (down, noiseDown) = patch.steps(ofRows: true, band: band)
        let (across, noiseAcross) = patch.steps(ofRows: false, band: band)
        let noise = max(1, 0.5 * (noiseAcross + noiseDown))
        let reach = Int(parameters.shift * mark)
        let first = Int(sides.0)
        guard Int(sides.1) >= first else { return nil }
        // For each edge length the best pair on each axis; the square must contain the mark.
        let rows = (first...Int(sides.1)).map { pair(down, side: $0, reach: reach, mark: mark) }
        let columns = (first...Int(sides.1)).map { pair(across, side: $0, reach: reach, mark: mark) }
        var best: Fit?
        for (i, row) in rows.enumerated() {
            for (j, column) in columns.enumerated() {
                let (a, b) = (Double(first + i), Double(first + j))
                guard abs(log(a / b)) <= maxStretch else { continue }
                let off = expected.map { log((a + b) / 2 / $0) / parameters.expectedSpread } ?? 0
                let steps =
                    parameters.weights.weakest * min(row.strength, column.strength)
                    + parameters.weights.sum * (row.strength + column.strength)
                let strength = steps / noise * exp(-off * off)
                if strength > best?.strength ?? 0 {
                    best = Fit(at: Point(column.at, row.at), side: (a + b) / 2, strength: strength)
                }
            }
        }
        return best
    }

    /// The best pair of steps at a distance: its middle from the patch's centre, and the weaker step.
    private func pair(_ steps: [Double], side: Int, reach: Int, mark: Double) -> (at: Double, strength: Double) {
        let (count, middle) = (steps.count, steps.count / 2)
        var best = (at: 0.0, strength: 0.0)
        for shift in stride(from: -reach, through: reach, by: 1) {
            let a = middle + shift - side / 2
            let b = a + side
            guard a >= 2, b <= count - 3, Double(a) <= Double(middle) - parameters.inside * mark,
                Double(b) >= Double(middle) + parameters.inside * mark
            else { continue }
            let value = min(steps[a], steps[b])
            if value > best.strength { best = (Double(a + b) / 2 - Double(middle), value) }
        }
        return best
    }
}

extension Picture where Sample == UInt8 {
    /// Colour steps along one axis of a patch, averaged over a band about the centre, and their median.
    fileprivate func steps(ofRows: Bool, band: Int) -> (steps: [Double], noise: Double) {
        let (count, middle) = ofRows ? (height, width / 2) : (width, height / 2)
        var sums = [Int](repeating: 0, count: 3 * count)
        for index in 0..<count {
            for other in middle - band...middle + band {
                let (r, g, b) = ofRows ? rgb(other, index) : rgb(index, other)
                sums[3 * index] += Int(r)
                sums[3 * index + 1] += Int(g)
                sums[3 * index + 2] += Int(b)
            }
        }
        var steps = [Double](repeating: 0, count: count)
        for index in 2..<max(2, count - 2) {
            var squares = 0.0
            for channel in 0..<3 {
                let at = 3 * index + channel
                let change = Double(sums[at + 3] + sums[at + 6] - sums[at - 3] - sums[at - 6])
                squares += change * change
            }
            steps[index] = squares.squareRoot() / Double(2 * (2 * band + 1))
        }
        return (steps, steps[2..<max(2, count - 2)].median ?? 0)
    }
}
