internal import COpenCV
import Core

/// Colour steps across lines parallel to the sides of a patch: between the strips on both sides of a line, or of a seam
/// against both.
struct LineSteps {
    struct Parameters: Sendable {
        /// The strips, pixels from the line: those compared, those beside a seam, and half of the seam. Set on
        /// development photos.
        var strips = tcv_strips(near_from: 1, near_to: 3, wide_from: 2, wide_to: 4, seam: 1)
        /// Parts of a line, and the one that counts in rising order. Pips beside a side affect only some parts.
        var parts: Int32 = 8
        var rank: Int32 = 2
    }

    let width: Int
    let height: Int
    private let sums: Picture<Int32>
    private let parameters: Parameters

    init(_ patch: Picture<UInt8>, _ parameters: Parameters = .init()) throws(PictureFailure) {
        (width, height, self.parameters) = (patch.width, patch.height, parameters)
        sums = Picture(width: width + 1, height: height + 1, channels: patch.channels)
        try patch.fill(sums) { tcv_image_sums($0, $1) }
    }

    /// The line with the strongest step, weighed by `weight` of its distance from `middle`, and its step; nil without
    /// any step.
    ///
    /// - Parameters:
    ///   - isUpright: True for lines from top to bottom.
    ///   - reach: Lines on both sides of `middle`, pixels.
    ///   - part: Part of the lines that is seen, pixels.
    func strongest(
        isUpright: Bool, about middle: Int, reach: Int, in part: Range<Int>, weight: (Int) -> Double
    ) throws(PictureFailure) -> (place: Int, step: Double)? {
        var (image, strips) = (sums.image, parameters.strips)
        let count = 2 * reach + 1
        var best: (place: Int, step: Double)?
        let status = withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { steps in
            let status = tcv_sums_steps(
                &image, &strips, isUpright ? 1 : 0, Int32(middle - reach), Int32(count), Int32(part.lowerBound),
                Int32(part.upperBound), parameters.parts, parameters.rank, steps.baseAddress)
            guard status == TCV_OK else { return status }
            var top = 0.0
            for index in 0..<count {
                let value = steps[index] * weight(abs(index - reach))
                if value > top { (top, best) = (value, (middle - reach + index, steps[index])) }
            }
            return status
        }
        try PictureFailure.check(status)
        return best
    }
}

/// The four edges of a tile around a patch's centre, pixels of the patch.
struct TileEdges {
    struct Parameters: Sendable {
        /// Part of a shorter and of a longer side that is seen, from the middle to its corner. Corners are rounded. Set
        /// on development photos, as all values here.
        var inner = (shorter: 0.8, longer: 0.85)
        /// A side is looked for within this share of half the tile. The farthest steps count less by this share: a
        /// smaller step suffices nearer to the expected position.
        var reach = 0.07
        var farther = 0.3
        /// A stronger step counts as the weakest side's, this many times: a strong step on one side, for example of a
        /// shadow, proves nothing about the others.
        var maxRatio = 3.0
        /// Hardly visible sides move nothing; the bar then gives the centre. Sides of this step count fully, 0…255.
        var fullTrust = 10.0
        /// Weights of the weakest step and of the sum of all four.
        var strength = (weakest: 0.7, sum: 0.075)
        /// The same to compare rotations and sizes, where the most visible sides determine the rotation, and the limit
        /// of a side's step, 0…255.
        var value = (weakest: 0.4, sum: 0.15)
        var clear = 40.0
    }

    /// From the patch's centre.
    var middle: Point
    /// Half of the shorter and of the longer edge.
    var half, halfLong: Double
    /// The weakest edge's colour step, 0…255, plus a small share of the others'.
    var strength: Double
    /// The same, to compare rotations and sizes.
    var value: Double

    /// Nil if the tile exceeds the patch.
    ///
    /// - Parameter half: Half of the expected shorter edge.
    init?(
        in steps: LineSteps, aspect: Double, half: Double, _ p: Parameters = .init()
    ) throws(PictureFailure) {
        let (cx, cy) = (steps.width / 2, steps.height / 2)
        let halfLong = aspect * half
        let (inner, innerLong) = (Int(p.inner.shorter * half), Int(p.inner.longer * halfLong))
        guard cy - innerLong >= 0, cy + innerLong < steps.height, cx - inner >= 0, cx + inner < steps.width else {
            return nil
        }
        let reach = max(1, Int(p.reach * half))
        /// The place of a side from its expected place, and its step.
        func side(_ expected: Double, isUpright: Bool) throws(PictureFailure) -> (place: Double, step: Double) {
            let part = isUpright ? cy - innerLong..<cy + innerLong : cx - inner..<cx + inner
            let found = try steps.strongest(
                isUpright: isUpright, about: Int(expected.rounded(.toNearestOrEven)), reach: reach, in: part
            ) { 1 - p.farther * Double($0) / Double(reach) }
            return found.map { (Double($0.place), $0.step) } ?? (expected, 0)
        }
        let (x, y) = (Double(cx), Double(cy))
        let left = try side(x - half, isUpright: true)
        let right = try side(x + half, isUpright: true)
        let up = try side(y - halfLong, isUpright: false)
        let down = try side(y + halfLong, isUpright: false)
        let all = [left.step, right.step, up.step, down.step]
        let weakest = all.min() ?? 0
        let sum = all.reduce(0) { $0 + min($1, p.maxRatio * weakest) }
        let clear = all.reduce(0) { $0 + min($1, p.clear) }
        let trust = min(1, weakest / p.fullTrust)
        middle = Point(
            trust * ((left.place + right.place) / 2 - x), trust * ((up.place + down.place) / 2 - y))
        self.half = half + trust * ((right.place - left.place) / 2 - half)
        self.halfLong = halfLong + trust * ((down.place - up.place) / 2 - halfLong)
        strength = p.strength.weakest * weakest + p.strength.sum * sum
        value = p.value.weakest * weakest + p.value.sum * clear
    }
}
