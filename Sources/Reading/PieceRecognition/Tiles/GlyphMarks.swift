import Core
import Foundation

/// A mark of ink on a uniform background.
struct GlyphMark {
    /// Centre of its box, pixels of the working copy.
    var at: Point
    /// Longer side of its box.
    var size: Double
    /// 0…255.
    var contrast: Double
    /// Its box and some pixels more, and its ink in that box.
    var box: PixelBox
    var ink: Picture<UInt8>
}

/// Detects marks of the size of letters on tiles.
struct GlyphMarks {
    struct Parameters: Sendable {
        /// Windows of the local mean, in the geometric mean of the smallest and the largest mark. The second is used if
        /// these differ by more than `wideRange`. Set on development photos, as all values here.
        var windows = [1.2, 2.4]
        var wideRange = 4.0
        var minWindow = 9
        /// Smallest difference from the local mean, 0…255.
        var minDifference = 14.0
        /// Shorter side of a mark, pixels, and its area in squares of the longer one.
        var minShorter = 2
        var minArea = 0.08 / 1.5
        var maxArea = 0.8
        /// The ring just outside of its box's circle is sampled at so many places, at this distance in pixels.
        var ringPlaces = 40
        var ringDistance = 2.0
        /// Quantile of the ink that is its core, without its blurred rim.
        var core = 0.75
        /// Quantiles of the ring between which it spreads, the largest spread in contrasts, and the smallest contrast.
        var spread = (low: 0.15, high: 0.85)
        var maxSpread = 0.35
        var minContrast = 30.0
        /// Marks nearer than this share of the larger one are at one place; the other must be stronger by this factor.
        var samePlace = 0.5
        var stronger = 1.25
        /// Pixels around a mark's box, and brushes that widen the ink and the background beside it.
        var rim = 3
        var inkBrush = 7
        var besideBrush = 5
    }

    var parameters = Parameters()

    /// Marks with a longer side in the range, largest first.
    ///
    /// - Parameter taken: Mask of places that are ignored.
    func all(
        in grey: Picture<UInt8>, besides taken: Picture<UInt8>, sizes: ClosedRange<Double>
    ) throws(PictureFailure) -> [GlyphMark] {
        let p = parameters
        var marks: [GlyphMark] = []
        for share in sizes.upperBound < p.wideRange * sizes.lowerBound ? [p.windows[0]] : p.windows {
            let window = max(p.minWindow, Int(share * (sizes.lowerBound * sizes.upperBound).squareRoot())) | 1
            let mean = try grey.mean(window)
            for isBright in [true, false] {
                let off = isBright ? try grey.minus(mean) : try mean.minus(grey)
                let (labels, parts) = try off.above(p.minDifference).parts(neighbours: 8)
                for part in parts {
                    guard let mark = try mark(part, labels, in: grey, taken, sizes: sizes, isBright: isBright) else {
                        continue
                    }
                    keep(mark, in: &marks)
                }
            }
        }
        return marks.sorted { $0.size > $1.size }
    }

    /// Among marks at one place the strongest is kept: a letter, not the shadow around its tile.
    private func keep(_ mark: GlyphMark, in marks: inout [GlyphMark]) {
        let isNear = { (other: GlyphMark) in
            (other.at - mark.at).length < parameters.samePlace * max(other.size, mark.size)
        }
        // In order, until one is stronger.
        var index = 0
        while index < marks.count {
            if !isNear(marks[index]) {
                index += 1
            } else if mark.contrast < parameters.stronger * marks[index].contrast {
                return
            } else {
                marks.remove(at: index)
            }
        }
        marks.append(mark)
    }

    private func mark(
        _ part: MaskPart, _ labels: Picture<Int32>, in grey: Picture<UInt8>, _ taken: Picture<UInt8>,
        sizes: ClosedRange<Double>, isBright: Bool
    ) throws(PictureFailure) -> GlyphMark? {
        let p = parameters
        let box = part.box
        let (longer, shorter) = (Double(max(box.width, box.height)), min(box.width, box.height))
        guard sizes.contains(longer), shorter >= p.minShorter,
            (p.minArea * longer * longer...p.maxArea * longer * longer).contains(Double(part.area))
        else { return nil }
        let at = Point(Double(box.x) + Double(box.width - 1) / 2, Double(box.y) + Double(box.height - 1) / 2)
        guard taken[Int(at.x.rounded(.toNearestOrEven)), Int(at.y.rounded(.toNearestOrEven))] == 0 else { return nil }
        let radius = 0.5 * hypot(Double(box.width), Double(box.height)) + p.ringDistance
        var ring = ByteCounts()
        for index in 0..<p.ringPlaces {
            let angle = 2 * Double.pi * Double(index) / Double(p.ringPlaces)
            let x = Int((at.x + radius * cos(angle)).rounded(.toNearestOrEven))
            let y = Int((at.y + radius * sin(angle)).rounded(.toNearestOrEven))
            guard x >= 0, y >= 0, x < grey.width, y < grey.height else { return nil }
            ring.add(grey[x, y])
        }
        // The ring must have one brightness.
        let ground = Double(ring.median())
        let spread =
            ring.value(at: Int(Double(p.ringPlaces) * p.spread.high))
            - ring.value(at: Int(Double(p.ringPlaces) * p.spread.low))
        let ink = try labels.part(box).equal(to: part.label)
        var values = ByteCounts()
        for y in 0..<box.height {
            for x in 0..<box.width where ink[x, y] != 0 { values.add(grey[box.x + x, box.y + y]) }
        }
        let core = Int(Double(part.area - 1) * (isBright ? p.core : 1 - p.core))
        let contrast = abs(Double(values.value(at: core)) - ground)
        guard contrast >= p.minContrast, Double(spread) <= p.maxSpread * contrast else { return nil }
        let wide = box.grown(by: p.rim, inWidth: grey.width, height: grey.height)
        return GlyphMark(
            at: at, size: longer, contrast: contrast, box: wide, ink: try labels.part(wide).equal(to: part.label))
    }

    /// Paints the marks with the mean colour beside each, for the search for a tile's faint edges.
    func erase(_ marks: [GlyphMark], from picture: Picture<UInt8>) throws(PictureFailure) {
        for mark in marks {
            let inked = try mark.ink.morphed(.dilate, .ellipse, parameters.inkBrush)
            let beside = try inked.morphed(.dilate, .rectangle, parameters.besideBrush).without(inked)
            let part = picture.part(mark.box)
            let counts = try part.histogram(where: beside)
            let count = try beside.count()
            let colour = (0..<3).map { channel -> UInt8 in
                let sum = (0..<256).reduce(0) { $0 + $1 * Int(counts[256 * channel + $1]) }
                return count > 0
                    ? UInt8((Double(sum) * (1 / Double(count))).rounded(.toNearestOrEven)) : 0
            }
            for y in 0..<part.height {
                for x in 0..<part.width where inked[x, y] != 0 {
                    for channel in 0..<3 { part.samples[y * part.stride + 3 * x + channel] = colour[channel] }
                }
            }
        }
    }
}
