internal import COpenCV
import Core
import Foundation

/// A straight narrow piece of ink, as across the middle of a domino. Pixels of the working copy.
struct BarMark {
    /// Its middle.
    var at: Point
    /// Radians, clockwise.
    var angle: Double
    var length: Double
    /// Median difference of the ink from the background beside it, 0…255.
    var contrast: Double
    /// True if it is lighter than the background.
    var isLight: Bool
}

/// A round spot of ink, such as a pip. Pixels of the working copy.
struct InkSpot {
    /// The centre of its box.
    var at: Point
    /// The mean of its box's sides.
    var size: Double
    var isLight: Bool
}

/// Detects bars and spots of ink, dark on light or light on dark.
///
/// Ink differs from the mean of a window around it. Its outline then decides what it is.
struct BarMarks {
    struct Parameters: Sendable {
        /// Edges of the windows, pixels. A narrow window separates thin bars from their environment; a wide one finds
        /// broad bars whole. Set on development photos, as all values here.
        var windows = [13, 41]
        /// Minimum difference from the window's mean, 0…255.
        var minDifference = 12.0
        /// A bar's outline has at least and at most so many pixels, in its shortest and its greatest length.
        var outline = 1.4...3.5
        /// A bar is longer than its thickness by this factor, and covers this share of its box.
        var slenderness = 3.5
        var barFill = 0.6
        /// A bar is sampled at `2 * halfPlaces + 1` places along its middle, `step` lengths apart, and the background
        /// at as many on both sides, this far from its rim, pixels.
        var halfPlaces = 8
        var step = 1.0 / 20
        var beside = 2.5
        /// Minimum contrast of a bar, 0…255, and the largest spread of the background between two quantiles, in tenths,
        /// relative to the contrast.
        var minContrast = 25.0
        var spreadTenths = (low: 1, high: 9)
        var maxSpread = 0.5
        /// Bars nearer than this share of the longer one are one; the other must be stronger by this factor. Spots
        /// nearer than this share of the larger one are one too.
        var sameBar = 0.4
        var stronger = 1.2
        var sameSpot = 0.4
        /// Shorter side of a spot, pixels, the greatest ratio of its sides, and its share of its box: of a circle, .79.
        /// The rim of a small spot may exceed the circle by so many pixels.
        var minSpot = 3
        var maxStretch = 1.5
        var spotFill = 0.6...0.92
        var spotExcess = 2.0
        var mostSpots = 600
    }

    private let grey: Picture<UInt8>
    private let lengths: ClosedRange<Double>
    private let parameters: Parameters
    private(set) var bars: [BarMark] = []
    private(set) var spots: [InkSpot] = []

    /// - Parameter lengths: Of bars, pixels.
    init(
        in grey: Picture<UInt8>, lengths: ClosedRange<Double>, _ parameters: Parameters = .init()
    ) throws(PictureFailure) {
        (self.grey, self.lengths, self.parameters) = (grey, lengths, parameters)
        for window in parameters.windows {
            let mean = try grey.mean(window)
            for isLight in [true, false] {
                let off = isLight ? try grey.minus(mean) : try mean.minus(grey)
                try PictureOutlines(off.above(parameters.minDifference), .parts).forEach {
                    outline throws(PictureFailure) in
                    try add(outline, isLight: isLight)
                }
            }
        }
    }

    private mutating func add(_ outline: PixelOutline, isLight: Bool) throws(PictureFailure) {
        let count = Double(outline.count)
        guard count <= parameters.outline.upperBound * lengths.upperBound else { return }
        if let spot = spot(outline, isLight: isLight) {
            if spots.count < parameters.mostSpots, !spots.contains(where: { isOne($0, spot) }) { spots.append(spot) }
        } else if count >= parameters.outline.lowerBound * lengths.lowerBound,
            let bar = try bar(outline, isLight: isLight),
            lengths.contains(bar.length)
        {
            guard
                let known = bars.firstIndex(where: {
                    ($0.at - bar.at).length < parameters.sameBar * max($0.length, bar.length)
                })
            else { return bars.append(bar) }
            if bar.contrast > parameters.stronger * bars[known].contrast { bars[known] = bar }
        }
    }

    private func isOne(_ known: InkSpot, _ spot: InkSpot) -> Bool {
        known.isLight == spot.isLight
            && (known.at - spot.at).length < parameters.sameSpot * max(known.size, spot.size)
    }

    private func spot(_ outline: PixelOutline, isLight: Bool) -> InkSpot? {
        let p = parameters
        let box = outline.box
        let (longer, shorter) = (Double(max(box.width, box.height)), Double(min(box.width, box.height)))
        guard shorter >= Double(p.minSpot), longer <= p.maxStretch * shorter else { return nil }
        let area = outline.coveredArea
        guard area >= p.spotFill.lowerBound * longer * shorter,
            area <= p.spotFill.upperBound * longer * shorter + p.spotExcess
        else { return nil }
        return InkSpot(
            at: Point(Double(box.x) + Double(box.width - 1) / 2, Double(box.y) + Double(box.height - 1) / 2),
            size: (longer + shorter) / 2, isLight: isLight)
    }

    /// Nil if the outline is not straight, or if the background beside it is not uniform.
    private func bar(_ outline: PixelOutline, isLight: Bool) throws(PictureFailure) -> BarMark? {
        let p = parameters
        let box = try outline.smallestBox()
        // An outline runs through the centres of its pixels.
        let (length, thickness) = (max(box.width, box.height) + 1, min(box.width, box.height) + 1)
        guard length >= p.slenderness * thickness, outline.coveredArea >= p.barFill * length * thickness
        else { return nil }
        let line = try StraightLine.through((0..<2 * outline.count).map { Float(outline.xy[$0]) })
        let along = line.direction
        let out = Point(-along.y, along.x) * (thickness / 2 + p.beside)
        var (ink, ground) = (ByteCounts(), ByteCounts())
        for index in -p.halfPlaces...p.halfPlaces {
            let at = box.middle + along * (Double(index) * p.step * length)
            guard let own = value(at), let one = value(at - out), let other = value(at + out) else { return nil }
            ink.add(own)
            ground.add(one)
            ground.add(other)
        }
        let places = 2 * p.halfPlaces + 1
        let difference = ink.median() - ground.median()
        let contrast = Double(isLight ? difference : -difference)
        let spread =
            ground.value(at: 2 * places * p.spreadTenths.high / 10)
            - ground.value(at: 2 * places * p.spreadTenths.low / 10)
        guard contrast > p.minContrast, Double(spread) < p.maxSpread * contrast else { return nil }
        return BarMark(
            at: box.middle, angle: atan2(along.y, along.x), length: length, contrast: contrast, isLight: isLight)
    }

    /// Of the nearest pixel; nil outside.
    private func value(_ at: Point) -> UInt8? {
        let (x, y) = (Int(at.x.rounded(.toNearestOrEven)), Int(at.y.rounded(.toNearestOrEven)))
        return x >= 0 && y >= 0 && x < grey.width && y < grey.height ? grey[x, y] : nil
    }
}

extension PixelOutline {
    /// Area of the pixels that it encloses and runs through. It runs through the centres of the outermost ones.
    fileprivate var coveredArea: Double { area + Double(count) / 2 + 1 }

    /// The rotated rectangle of least area around the points.
    fileprivate func smallestBox() throws(PictureFailure) -> (middle: Point, width: Double, height: Double) {
        var box = [0.0, 0, 0, 0]
        try PictureFailure.check(tcv_outline_box(xy, Int32(count), &box))
        return (Point(box[0], box[1]), box[2], box[3])
    }
}
