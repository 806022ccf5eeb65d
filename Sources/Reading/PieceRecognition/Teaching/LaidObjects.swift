import Core
import Foundation

/// An object on a table.
struct LaidObject {
    /// Clockwise; empty for a round object. Pixels.
    var corners: [Point]
    /// Centroid of its area.
    var at: Point
    /// Of the circle of the same area, pixels.
    var radius: Double
    /// Median colour, as on a white table in even light.
    var rgb: [UInt8]
}

/// Detects the objects on a table by comparison with a photo of the empty table.
struct LaidObjects {
    struct Parameters: Sendable {
        /// Longer side of the working copies, pixels. Set on development photos, as all values here.
        var longSide = 1600.0
        /// Every so many pixels the exposure of both photos is compared.
        var exposureStep = 4
        /// A shadow darkens all channels equally (ratios within `even`), and to no less than `darkest`. Its difference
        /// counts by this share.
        var shadow = (darkest: 0.5, even: 0.1, share: 0.4)
        /// Smallest difference of an object: 0…255, and in medians of all differences.
        var minDifference = 22.0
        var differenceInNoise = 6.0
        /// A part without shadow replaces its region if it has this share of it.
        var unshadedShare = 0.6
        /// Smallest object, share of the picture; most objects.
        var minArea = 0.0006
        var most = 120
        /// Mean distance from a circle below which an object is round, in radii.
        var round = 0.045
        /// Tolerances of the approximation that finds at most six corners, in outline lengths.
        var tolerances = stride(from: 0.015, to: 0.05, by: 0.005).map { $0 }
        var fewCorners = 6
        var mostCorners = 12
        /// The same for four corners of the hull; shares of the hull that the object and these enclose.
        var hullTolerances = stride(from: 0.02, to: 0.1, by: 0.005).map { $0 }
        var filled = (object: 0.92, corners: 0.9)
        /// Points beside a side: part of it, distance in its length and pixels, and their fewest; smallest sine.
        var part = 0.1..<0.9
        var beside = (share: 0.04, pixels: 2.0)
        var minPoints = 6
        var minSine = 0.1
        /// Brush that removes an object's rim before its colour is measured, pixels.
        var rimBrush = 5
    }

    private(set) var objects: [LaidObject] = []
    /// Number of objects that leave the picture.
    private(set) var cut = 0

    private let parameters: Parameters
    private let before, after: Picture<UInt8>
    private let gain: [Double]
    private let table: [Double]

    /// Both photos are taken by one camera from one place, in one size and in colour.
    init(empty: Raster, laidOut: Raster, parameters p: Parameters = Parameters()) throws(PictureFailure) {
        let scale = max(1, Double(max(empty.width, empty.height)) / p.longSide)
        func copy(_ raster: Raster) throws(PictureFailure) -> Picture<UInt8> {
            try Picture(raster).reduced(by: scale).blurred(3)
        }
        parameters = p
        before = try copy(empty)
        after = try copy(laidOut)
        gain = Self.gains(before, after, step: p.exposureStep)
        table = try before.medianColour()
        let (off, unshaded) = Self.difference(before, after, gain: gain, p)
        let quiet = try off.medianColour()[0]
        let mask = try off.above(max(p.minDifference, p.differenceInNoise * quiet)).morphed(.open, .rectangle, 3)
            .morphed(.close, .rectangle, 5)
        let clear = try mask.and(unshaded).morphed(.open, .rectangle, 3)
        var regions: [PixelPolygon] = []
        try PictureOutlines(mask).forEach { outline throws(PictureFailure) in
            regions.append(try Self.unshaded(outline, clear, p) ?? PixelPolygon(xy: outline.copied))
        }
        let least = p.minArea * Double(before.width * before.height)
        var (found, cut) = ([LaidObject](), 0)
        let all = regions.filter { $0.area >= least }.sorted { $0.area > $1.area }
        for region in all where found.count < p.most {
            let object = try region.withOutline { outline throws(PictureFailure) -> LaidObject? in
                let box = outline.box
                guard box.x > 1, box.y > 1, box.right < before.width - 1, box.bottom < before.height - 1 else {
                    cut += 1
                    return nil
                }
                return try self.object(outline, scale: scale)
            }
            if let object { found.append(object) }
        }
        (objects, self.cut) = (found, cut)
    }

    /// Exposure gain of each channel between both photos, estimated from most of the table.
    private static func gains(_ before: Picture<UInt8>, _ after: Picture<UInt8>, step: Int) -> [Double] {
        (0..<3).map { channel in
            var ratios: [Double] = []
            for y in stride(from: 0, to: before.height, by: step) {
                for x in stride(from: 0, to: before.width, by: step) {
                    let at = y * before.stride + 3 * x + channel
                    ratios.append((Double(after.samples[at]) + 4) / (Double(before.samples[at]) + 4))
                }
            }
            return ratios.median ?? 1
        }
    }

    /// The maximum channel difference, and a mask without shadows.
    private static func difference(
        _ before: Picture<UInt8>, _ after: Picture<UInt8>, gain: [Double], _ p: Parameters
    ) -> (off: Picture<UInt8>, unshaded: Picture<UInt8>) {
        let off = Picture<UInt8>(width: before.width, height: before.height)
        let unshaded = Picture<UInt8>(width: before.width, height: before.height)
        for y in 0..<before.height {
            for x in 0..<before.width {
                var (most, ratioMost, ratioLeast) = (0.0, 0.0, Double.infinity)
                for channel in 0..<3 {
                    let at = y * before.stride + 3 * x + channel
                    let (a, b) = (Double(before.samples[at]) * gain[channel], Double(after.samples[at]))
                    most = max(most, abs(b - a))
                    let ratio = (b + 6) / (a + 6)
                    ratioMost = max(ratioMost, ratio)
                    ratioLeast = min(ratioLeast, ratio)
                }
                let isShadow =
                    ratioMost < 1 && ratioLeast > p.shadow.darkest && ratioMost - ratioLeast < p.shadow.even
                off[x, y] = UInt8(min(255, isShadow ? p.shadow.share * most : most))
                unshaded[x, y] = isShadow ? 0 : 255
            }
        }
        return (off, unshaded)
    }

    /// A hard shadow beside a piece is removed if most of the region remains. A piece that looks like a shadow would
    /// vanish, and stays whole: nil.
    private static func unshaded(
        _ outline: PixelOutline, _ clear: Picture<UInt8>, _ p: Parameters
    ) throws(PictureFailure) -> PixelPolygon? {
        let box = outline.box
        let own = Picture<UInt8>(width: box.width, height: box.height, isCleared: true)
        try own.fill(outline, movedBy: (-box.x, -box.y))
        let parts = try PictureOutlines(try own.and(clear.part(box)), origin: (box.x, box.y))
        for index in 0..<parts.count {
            guard let part = parts.outline(index), part.area > p.unshadedShare * outline.area else { continue }
            return PixelPolygon(xy: part.copied)
        }
        return nil
    }

    /// Nil if the outline has no straight sides and is not round.
    private func object(_ outline: PixelOutline, scale: Double) throws(PictureFailure) -> LaidObject? {
        let middle = Outline.centroid(outline.corners)
        let radius = (outline.area / .pi).squareRoot()
        let round =
            (0..<outline.count).reduce(0.0) { $0 + abs((outline.point($1) - middle).length - radius) }
            / Double(outline.count)
        var corners: [Point] = []
        if round >= parameters.round * radius {
            guard let straight = try straightCorners(outline) else { return nil }
            corners = straight
        }
        return LaidObject(
            corners: corners.map { $0.enlarged(by: scale) }, at: middle.enlarged(by: scale), radius: radius * scale,
            rgb: try colour(of: outline))
    }

    private func straightCorners(_ outline: PixelOutline) throws(PictureFailure) -> [Point]? {
        let p = parameters
        var few = try outline.simplified(by: p.tolerances, to: p.fewCorners)
        // Remaining shadow or noise along a side creates extra corners. Four corners that enclose nearly the same area
        // replace them.
        if few.count > 4 {
            let hull = try outline.hull()
            let four = try hull.simplified(by: p.hullTolerances, to: 4)
            if four.count == 4, outline.area > p.filled.object * hull.area, four.area > p.filled.corners * hull.area {
                few = four
            }
        }
        guard (3...p.mostCorners).contains(few.count) else { return nil }
        return try outline.fitted(few.clockwise, within: p.part, beside: p.beside, minSine: p.minSine) { used, _ in
            used >= p.minPoints
        }?.corners
    }

    /// The colour with the light correction of the recogniser: by a nearly grey table's colour, else by its brightness.
    private func colour(of outline: PixelOutline) throws(PictureFailure) -> [UInt8] {
        let inside = Picture<UInt8>(width: before.width, height: before.height, isCleared: true)
        try inside.fill(outline, movedBy: (0, 0))
        let mask = try inside.morphed(.erode, .rectangle, parameters.rimBrush)
        let own = try after.medianColour(where: mask)
        let lights = zip(try before.medianColour(where: mask), gain).map(*)
        let light = TableLight.Parameters()
        let (brightest, dullest) = (table.max() ?? 0, table.min() ?? 0)
        let isNeutral = (brightest - dullest) / max(1, brightest) < light.maxGreyTint
        let isDark = brightest < light.minBrightness
        return (0..<3).map { channel in
            let own = own[channel]
            let lit = isNeutral ? lights[channel] : lights.max() ?? 0
            let gain = isDark ? 1 : Double(light.evenBrightness) / max(Double(light.darkest), lit)
            return UInt8(min(255, own * gain))
        }
    }
}
