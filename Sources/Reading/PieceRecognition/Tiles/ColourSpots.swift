internal import COpenCV
import Core
import Foundation

/// A coloured spot on a dark background.
struct ColourSpot {
    /// Side of `mask`, pixels.
    static let side = 48

    /// Centroid of its area.
    var at: Point
    /// Square root of its area, pixels.
    var size: Double
    /// Angle of the straight edges around it, radians, clockwise, modulo a quarter turn.
    var angle = 0.0
    /// Agreement of those edges on the angle, 0…1.
    var agreement = 0.0
    /// How much darker the background around it is, 0…255.
    var darkness: Double
    /// Median colour.
    var rgb: [Double]
    /// Second moments xx, xy, yy about `at`, pixels².
    var moments = SIMD3<Double>.zero
    /// The spot rotated back by `angle`, 255 or 0; its box fills the square.
    var mask: [UInt8] = []
}

/// Detects coloured spots on dark tiles.
struct ColourSpots {
    struct Parameters: Sendable {
        /// Maximum number.
        var most = 300
        /// Longer side of the working copy, pixels, for usual and for large photos (above `large`), and the strongest
        /// enlargement. Symbols of 25 pixels are recognised; large photos show smaller tiles. Set on development photos,
        /// as all values here.
        var longSide = 1280.0
        var large = 2000
        var longSideOfLarge = 1600.0
        var minStep = 0.6
        /// Saturated and brighter than the environment: chroma and brightness 0…255, chroma in brightness, chroma in
        /// the mean chroma of a window of this share of the longer side.
        var saturated = tcv_saturation(
            least_value: 60, least_chroma: 45, least_share: 0.32, most_share: 2, least_of_mean: 0.9)
        var window = 0.045
        /// White has no saturation. Bright regions on a dark tile are segmented by brightness, at several levels.
        var brightLevels = [90.0, 125, 165]
        var maxWhiteChroma = 0.4
        /// A spot's area in pixels, share of its box, and the ratio of its box's sides.
        var minArea = 120
        var minFill = 0.22
        var maxStretch = 1.7
        /// A bright region nearer than this to a saturated one is the same, in the larger one's size.
        var sameSpot = 0.6
        /// Width of the background around a spot, in its size, and its fewest pixels.
        var ring = 0.12
        var minRing = 20
        /// The background is darker by this, 0…255, and at most this share as bright; the second for white.
        var minDarkness = 25.0
        var maxGround = (coloured: 0.72, white: 0.5)
        /// Around white, this share of pixels is darker than this share of it. A white square between printed lines is
        /// not a symbol.
        var environment = (share: 0.9, brightness: 0.6)
        /// Edges around a spot: reach in its size, and smallest squared gradient in Sobel's units.
        var edgeReach = 1.35
        var minGradient = 900.0
        /// So many spots whose directions agree by this share have a common one. Spots below `minAgreement`, or off by
        /// more than `maxTurn` radians, take it.
        var minSpotsInLine = 4
        var commonShare = 0.75
        var minAgreement = 0.5
        var maxTurn = 0.2
    }

    var parameters = Parameters()

    /// Largest first in each segmentation.
    func all(in colour: Raster) throws(PictureFailure) -> [ColourSpot] {
        let p = parameters
        let longSide = max(colour.width, colour.height)
        let scale =
            longSide > p.large ? Double(longSide) / p.longSideOfLarge : max(p.minStep, Double(longSide) / p.longSide)
        let work = try colour.reduced(by: scale, enlarging: .linear).blurred(3)
        let gradients = try work.grey().gradients()
        let (value, chroma) = try work.chroma()
        let window = Int(p.window * Double(max(work.width, work.height))) | 1
        var masks = [try value.within(p.saturated, chroma: chroma, mean: try chroma.mean(window))]
        for level in p.brightLevels {
            let limits = tcv_saturation(
                least_value: level, least_chroma: -1, least_share: -1, most_share: p.maxWhiteChroma, least_of_mean: 0)
            masks.append(try value.within(limits, chroma: chroma, mean: nil))
        }
        var spots: [ColourSpot] = []
        var places: [[Point]] = []
        for (index, raw) in masks.enumerated() {
            let mask = try raw.morphed(.open, .cross, 3)
            let thick = try mask.morphed(.dilate, .rectangle, 7)
            let (labels, parts) = try mask.parts(neighbours: 4)
            let isWhite = index > 0
            let found = parts.filter { part in
                isCandidate(part, in: work)
                    && !(isWhite && spots.contains { isSame($0, part.centre, Double(part.area).squareRoot()) })
            }
            for part in found.sorted(by: { $0.area > $1.area }) where spots.count < p.most {
                let segment = Segment(
                    work: work, value: value, labels: labels, thick: thick, part: part, isWhite: isWhite)
                guard var spot = try spot(segment) else { continue }
                let reach = Int(spot.size * p.edgeReach)
                let sums = try gradients.x.direction(
                    gradients.y, without: thick,
                    in: PixelBox(
                        x: Int(part.centre.x) - reach, y: Int(part.centre.y) - reach, width: 2 * reach,
                        height: 2 * reach), least: p.minGradient)
                spot.angle = atan2(sums.odd, sums.even) / 4
                spot.agreement = sums.all > 0 ? hypot(sums.even, sums.odd) / sums.all : 0
                spots.append(spot)
                places.append(pixels(of: part, in: labels))
            }
        }
        turnUpright(&spots, places)
        for index in spots.indices {
            spots[index].at = spots[index].at.enlarged(by: scale)
            spots[index].size *= scale
            spots[index].moments = Self.moments(of: places[index]) * (scale * scale)
        }
        return spots
    }

    private func isCandidate(_ part: MaskPart, in work: Picture<UInt8>) -> Bool {
        let box = part.box
        let (longer, shorter) = (max(box.width, box.height), min(box.width, box.height))
        return part.area >= parameters.minArea && box.width <= work.width / 3 && box.height <= work.height / 3
            && Double(longer) <= parameters.maxStretch * Double(shorter)
            && Double(part.area) >= parameters.minFill * Double(box.width * box.height) && box.x >= 2 && box.y >= 2
            && box.right <= work.width - 2 && box.bottom <= work.height - 2
    }

    private func isSame(_ spot: ColourSpot, _ at: Point, _ size: Double) -> Bool {
        (spot.at - at).length < parameters.sameSpot * max(size, spot.size)
    }

    /// One part of a mask with the pictures around it.
    private struct Segment {
        var work, value: Picture<UInt8>
        var labels: Picture<Int32>
        var thick: Picture<UInt8>
        var part: MaskPart
        var isWhite: Bool
    }

    /// Nil if the background is not dark.
    private func spot(_ segment: Segment) throws(PictureFailure) -> ColourSpot? {
        let (part, work) = (segment.part, segment.work)
        let size = Double(part.area).squareRoot()
        let rgb = try work.part(part.box).medianColour(where: try segment.labels.part(part.box).equal(to: part.label))
        // The background: a ring around the spot without spots.
        let rim = max(2, Int(parameters.ring * size))
        let wide = part.box.grown(by: rim + 4, inWidth: work.width, height: work.height)
        let own = try segment.labels.part(wide).equal(to: part.label)
        let ring = try own.morphed(.dilate, .ellipse, 2 * rim + 7).without(segment.thick.part(wide))
        guard try ring.count() >= parameters.minRing else { return nil }
        let ground = try work.part(wide).medianColour(where: ring).max() ?? 0
        let most = rgb.max() ?? 0
        let limit = segment.isWhite ? parameters.maxGround.white : parameters.maxGround.coloured
        guard most - ground >= parameters.minDarkness, ground <= limit * most else { return nil }
        if segment.isWhite {
            // The environment of the softened outline.
            let around = try own.morphed(.dilate, .ellipse, 2 * rim + 3).without(own.morphed(.dilate, .ellipse, 7))
            let level = (parameters.environment.brightness * most).rounded(.up) - 1
            let dark = try around.without(segment.value.part(wide).above(level)).count()
            guard Double(dark) >= parameters.environment.share * Double(try around.count()) else { return nil }
        }
        return ColourSpot(at: part.centre, size: size, darkness: most - ground, rgb: rgb)
    }

    /// The pixels of a part, from its centroid.
    private func pixels(of part: MaskPart, in labels: Picture<Int32>) -> [Point] {
        var inside: [Point] = []
        inside.reserveCapacity(part.area)
        for y in part.box.y..<part.box.bottom {
            for x in part.box.x..<part.box.right where labels[x, y] == part.label {
                inside.append(Point(Double(x), Double(y)) - part.centre)
            }
        }
        return inside
    }

    /// Tiles in lines share one direction. A spot whose own edges are weak or different takes it. Each spot's mask is
    /// then rotated back.
    private func turnUpright(_ spots: inout [ColourSpot], _ places: [[Point]]) {
        let even = spots.reduce(0) { $0 + $1.agreement * cos(4 * $1.angle) }
        let odd = spots.reduce(0) { $0 + $1.agreement * sin(4 * $1.angle) }
        let all = spots.reduce(0) { $0 + $1.agreement }
        let isCommon = spots.count >= parameters.minSpotsInLine && hypot(even, odd) > parameters.commonShare * all
        let direction = atan2(odd, even) / 4
        for index in spots.indices {
            let off = abs(remainder(spots[index].angle - direction, .pi / 2))
            if isCommon, spots[index].agreement < parameters.minAgreement || off > parameters.maxTurn {
                spots[index].angle = direction
            }
            spots[index].mask = Self.upright(places[index], angle: spots[index].angle)
        }
    }

    private static func moments(of places: [Point]) -> SIMD3<Double> {
        let sum = places.reduce(SIMD3<Double>.zero) { $0 + SIMD3($1.x * $1.x, $1.x * $1.y, $1.y * $1.y) }
        return sum * (1 / Double(max(1, places.count)))
    }

    private static func upright(_ places: [Point], angle: Double) -> [UInt8] {
        let (c, s) = (cos(angle), sin(angle))
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for p in places {
            let (u, v) = (p.x * c + p.y * s, -p.x * s + p.y * c)
            (left, right, top, bottom) = (min(left, u), max(right, u), min(top, v), max(bottom, v))
        }
        let longer = max(right - left, bottom - top) + 1
        let (u0, v0) = ((left + right - longer) / 2, (top + bottom - longer) / 2)
        let reach = Int(longer) + 2
        let width = 2 * reach + 1
        func cell(_ x: Double, _ y: Double) -> Int? {
            let (x, y) = (Int(x.rounded(.toNearestOrEven)) + reach, Int(y.rounded(.toNearestOrEven)) + reach)
            return x >= 0 && y >= 0 && x < width && y < width ? y * width + x : nil
        }
        var own = [UInt8](repeating: 0, count: width * width)
        for p in places { if let at = cell(p.x, p.y) { own[at] = 255 } }
        let side = ColourSpot.side
        return (0..<side * side).map { index in
            let p = (Double(index % side) + 0.5) / Double(side) * longer + u0
            let q = (Double(index / side) + 0.5) / Double(side) * longer + v0
            return cell(p * c - q * s, p * s + q * c).map { own[$0] } ?? 0
        }
    }
}

extension Picture where Sample == UInt8 {
    /// The maximum channel, and its difference from the minimum channel.
    fileprivate func chroma() throws(PictureFailure) -> (value: Picture, chroma: Picture) {
        let value = Picture(width: width, height: height)
        let chroma = Picture(width: width, height: height)
        var (from, most, range) = (image, value.image, chroma.image)
        try PictureFailure.check(tcv_image_chroma(&from, &most, &range))
        return (value, chroma)
    }

    /// The mask of this brightness and a chroma within limits.
    fileprivate func within(
        _ limits: tcv_saturation, chroma: Picture, mean: Picture?
    ) throws(PictureFailure) -> Picture {
        try filled { from, to in
            var (rich, limits) = (chroma.image, limits)
            guard let mean else { return tcv_mask_saturation(from, &rich, nil, &limits, to) }
            var around = mean.image
            return tcv_mask_saturation(from, &rich, &around, &limits, to)
        }
    }
}

extension Picture where Sample == Int16 {
    /// Direction modulo a quarter turn of gradients along x (this picture) and y in a box, outside of a mask.
    fileprivate func direction(
        _ dy: Picture, without mask: Picture<UInt8>, in box: PixelBox, least: Double
    ) throws(PictureFailure) -> (even: Double, odd: Double, all: Double) {
        var (x, y, none, sums) = (image, dy.image, mask.image, [0.0, 0, 0])
        let area = tcv_box(
            x: Int32(box.x), y: Int32(box.y), width: Int32(box.width), height: Int32(box.height))
        try PictureFailure.check(tcv_gradients_direction(&x, &y, &none, area, least, &sums))
        return (sums[0], sums[1], sums[2])
    }
}
