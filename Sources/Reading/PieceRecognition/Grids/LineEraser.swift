import Core

/// A line along the grid: its places where the other coordinate is 0 and 3, in squares.
struct RuledLine {
    var start, end: Double
    /// Inked share of its length, 0…1.
    var cover: Double

    /// Its place where the other coordinate is `at`.
    func place(at other: Double) -> Double { start + (end - start) * other / 3 }
}

/// Removes lines' ink from a plan and follows their curvature. A line runs along y, or along x if `isAcross`.
struct LineEraser {
    struct Parameters: Sendable {
        /// A ruled line is searched for at steps of so many pixels of the plan, at these places along it (squares), of
        /// which so many must be seen. Set on development pictures, as all values here.
        var step = 1.5
        var places = (first: 0.06, end: 2.95, step: 0.04)
        var minSeen = 45
        /// Reach across in which the line's width is measured, in squares, its quantile of all widths, and the smallest
        /// number of widths.
        var widthReach = 0.12
        var width = 0.4
        var minWidths = 4
        /// Reach across in which the line is followed: squares, and pixels at least.
        var reach = (share: 0.06, least: 2.0)
        /// Widths that belong to the line: factors of its width, and pixels more and less.
        var widest = (factor: 1.7, more: 2.0)
        var narrowest = (factor: 0.4, less: 1.0)
        /// Larger steps aside are other ink, in squares. The line follows this part of a step, and leaves its nominal
        /// place at most so far, in squares.
        var maxMiss = 0.1
        var follow = 0.35
        var maxOffset = 0.25
        /// A line may continue beyond its end after a gap, where the pen ran dry: largest gap, and largest
        /// continuation, in squares. Gaps shorter than `bare` are erased too.
        var maxGap = 0.1
        var maxBeyond = 0.5
        var bare = 0.03
        /// Half of the erased width beyond the line's: pixels, and a factor of the width.
        var margin = (least: 1.2, factor: 0.12)
    }

    private let plan: GridPlan
    /// The ink before anything was erased.
    private let dark: Picture<UInt8>
    /// Darkness of the line, 0…255.
    private let level: Int
    private let parameters: Parameters

    init(_ plan: GridPlan, before dark: Picture<UInt8>, level: Double, _ parameters: Parameters = .init()) {
        (self.plan, self.dark, self.parameters) = (plan, dark, parameters)
        self.level = Int(whole: level, .up)
    }

    /// The straight line with the largest inked share.
    ///
    /// - Parameters:
    ///   - start: Its nominal place where the other coordinate is 0, squares; `end` where it is 3.
    ///   - reach: Around both, squares.
    ///   - level: Darkness of ink, 0…255.
    func ruled(isAcross: Bool, start: Double, end: Double, reach: Double, level: Double) -> RuledLine {
        let (p, dark, unobserved) = (parameters, plan.dark, plan.unobserved)
        let least = Int(whole: level, .up)
        var best = RuledLine(start: 0, end: 0, cover: 0)
        guard start.isFinite, end.isFinite else { return best }
        var along: [(s: Double, pixel: Int)] = []
        var s = p.places.first
        while s < p.places.end {
            along.append((s, Int(whole: isAcross ? plan.x(s) : plan.y(s))))
            s += p.places.step
        }
        let (across, length) = isAcross ? (dark.height, dark.width) : (dark.width, dark.height)
        // Samples from one place to the next along the line, and across it.
        let (alongStride, acrossStride) = isAcross ? (1, dark.stride) : (dark.stride, 1)
        let (scale, margin) = (isAcross ? plan.height : plan.width, plan.margin)
        let step = p.step / scale
        var a = start - reach
        while a <= start + reach {
            var b = end - reach
            while b <= end + reach {
                var (inked, seen) = (0, 0)
                for (s, pixel) in along {
                    let place = a + (b - a) * s / 3
                    let aside = Int(whole: (place + margin) * scale - 0.5)
                    guard pixel >= 1, aside >= 1, pixel + 1 < length, aside + 1 < across else { continue }
                    let at = pixel * alongStride + aside * acrossStride
                    guard unobserved.samples[at] == 0 else { continue }
                    seen += 1
                    if Int(dark.samples[at]) >= least || Int(dark.samples[at - acrossStride]) >= least
                        || Int(dark.samples[at + acrossStride]) >= least
                    {
                        inked += 1
                    }
                }
                if seen >= p.minSeen, Double(inked) / Double(seen) > best.cover {
                    best = RuledLine(start: a, end: b, cover: Double(inked) / Double(seen))
                }
                b += step
            }
            a += step
        }
        return best
    }

    /// Erases a line through the places `first` and `second` where the other coordinate is 1 and 2, all in squares.
    func erase(isAcross: Bool, first: Double, second: Double, along range: ClosedRange<Double>) {
        let p = parameters
        let (along, side) = isAcross ? (plan.width, plan.height) : (plan.height, plan.width)
        func pixel(_ s: Double) -> Int { Int(whole: isAcross ? plan.x(s) : plan.y(s), .towardZero) }
        let (begin, end) = (pixel(range.lowerBound), pixel(range.upperBound))
        let most = (isAcross ? dark.width : dark.height) - 1
        let origin = isAcross ? plan.y(0) : plan.x(0)
        func nominal(_ t: Int) -> Double {
            let s = isAcross ? plan.u(Double(t)) : plan.v(Double(t))
            return origin + (first + (second - first) * (s - 1)) * side
        }
        var widths: [Int] = []
        for t in stride(from: max(0, begin), through: min(most, end), by: 1) {
            if let run = run(isAcross, t, nominal(t), reach: p.widthReach * side) { widths.append(run.count) }
        }
        guard widths.count >= p.minWidths, let width = widths.quantile(p.width).map(Double.init) else { return }
        // Traced from the centre outwards, with the current offset.
        let start = max(0, min(most, (begin + end) / 2))
        for way in [-1, 1] {
            var (off, bare) = (0.0, 0)
            var t = start
            while t >= 0, t <= most {
                let isInside = t >= begin && t <= end
                let middle = nominal(t) + off
                let run = run(isAcross, t, middle, reach: max(p.reach.least, p.reach.share * side))
                if let run, Double(run.count) < p.widest.factor * width + p.widest.more,
                    Double(run.count) > p.narrowest.factor * width - p.narrowest.less
                {
                    let miss = Double(run.lowerBound + run.upperBound) / 2 - middle
                    if abs(miss) < p.maxMiss * side { off += p.follow * miss }
                }
                off = max(-p.maxOffset * side, min(p.maxOffset * side, off))
                bare = run == nil ? bare + 1 : 0
                let beyond = t < begin ? begin - t : t > end ? t - end : 0
                if !isInside, Double(bare) > p.maxGap * along || Double(beyond) > p.maxBeyond * along { break }
                if isInside || Double(bare) < p.bare * along {
                    wipe(isAcross, t, nominal(t) + off, half: width / 2 + p.margin.least + p.margin.factor * width)
                }
                t += way
            }
        }
    }

    /// The run of ink nearest to `middle`, within reach of it, pixels across the line.
    private func run(_ isAcross: Bool, _ t: Int, _ middle: Double, reach: Double) -> ClosedRange<Int>? {
        let limit = isAcross ? dark.height : dark.width
        let (first, step) = isAcross ? (t, dark.stride) : (t * dark.stride, 1)
        func isInk(_ s: Int) -> Bool { s >= 0 && s < limit && Int(dark.samples[first + s * step]) >= level }
        let centre = Int(whole: middle)
        for distance in stride(from: 0, through: Int(whole: reach, .towardZero), by: 1) {
            let place = isInk(centre + distance) ? centre + distance : centre - distance
            guard isInk(place) else { continue }
            var (low, high) = (place, place)
            while isInk(low - 1) { low -= 1 }
            while isInk(high + 1) { high += 1 }
            return low...high
        }
        return nil
    }

    private func wipe(_ isAcross: Bool, _ t: Int, _ middle: Double, half: Double) {
        let limit = isAcross ? dark.height : dark.width
        let (from, to) = (Int(whole: middle - half, .down), Int(whole: middle + half, .up))
        for s in stride(from: max(0, from), through: min(limit - 1, to), by: 1) {
            let (x, y) = isAcross ? (t, s) : (s, t)
            plan.dark[x, y] = 0
            plan.unobserved[x, y] = 255
        }
    }
}
