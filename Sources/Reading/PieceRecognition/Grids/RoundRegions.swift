import Core

/// A round region of a photo: a hole of a frame or the disc in it.
struct RoundRegion {
    /// Pixels of the raster.
    var at: Point
    /// Half axes of its ellipse, pixels.
    var longer: Double
    var shorter: Double
    /// Area of its convex hull relative to its ellipse; 1 for an ellipse.
    var fill: Double
    /// Its area relative to its convex hull, 0…1.
    var solid: Double
}

/// Round regions that differ in colour from the frame around them.
enum RoundRegions {
    /// How regions are segmented.
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels: a hole of a board that fills a third of the photo has 20.
        var longSide: Int32 = 1000
        /// Added to the brightness by which chroma is divided, grey levels: dark pixels have no hue.
        var floor = 20.0
        /// Thresholds relative to Otsu's, of 256. Three, because glare and shade shift single holes.
        var offsets: [Double] = [-20, 0, 20]
        /// Limits of a region's bounding box, relative to `longSide` and in working pixels.
        var largest = 0.2
        var smallest: Int32 = 6
        /// A photo with a shorter side, in pixels, shows no stand.
        var minPhoto = 16
        /// Limits of an ellipse: hull over ellipse, and region over hull. Measured on seven stands: .93 to 1.03, > .9.
        var fill = 0.85...1.1
        var minSolid = 0.8
        /// Minimum ratio of the axes; a stand seen at 65° has .42.
        var minRoundness = 0.4
    }

    /// Maximum number of regions at all thresholds; a stand has 126, a room behind it a few hundred.
    private static let most = 2000

    /// The regions, each once, best ellipse first. Empty for a grey photo or a grey frame.
    static func all(
        in raster: Raster, besides frame: [UInt8], _ parameters: Parameters = .init()
    ) throws(PictureFailure) -> [RoundRegion] {
        let mean = frame.reduce(0) { $0 + Double($1) } / 3
        let way = frame.map { Double($0) - mean }
        let length = way.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, raster.format == .rgb8, min(raster.width, raster.height) >= parameters.minPhoto else {
            return []
        }
        let scale = Double(max(raster.width, raster.height)) / Double(parameters.longSide)
        let work = try raster.reduced(by: scale, enlarging: .linear)
        // Bright where the hue is not the frame's.
        let plane = Picture<UInt8>(width: work.width, height: work.height)
        for y in 0..<work.height {
            for x in 0..<work.width {
                let (r, g, b) = work.rgb(x, y)
                let sum = (way[0] * Double(r) + way[1] * Double(g) + way[2] * Double(b)) / length
                plane[x, y] = UInt8(
                    max(0, min(255, (127 - 127 * sum / (Double(max(r, g, b)) + parameters.floor)).rounded())))
            }
        }
        let level = try plane.otsu()
        var found: [RoundRegion] = []
        for offset in parameters.offsets {
            try PictureOutlines(plane.above(level - offset), .all).forEach { outline throws(PictureFailure) in
                if found.count < most, let region = try region(outline, scale, parameters) { found.append(region) }
            }
        }
        let round = found.filter {
            parameters.fill.contains($0.fill) && $0.solid >= parameters.minSolid
                && $0.shorter >= parameters.minRoundness * $0.longer
        }
        return Suppression.best(of: round, by: { -(abs($0.fill - 1) + 1 - $0.solid) }) {
            ($0.at - $1.at).length < max($0.shorter, $1.shorter)
        }
    }

    /// Nil for an outline that is too small, too large or no region.
    private static func region(
        _ outline: PixelOutline, _ scale: Double, _ p: Parameters
    ) throws(PictureFailure) -> RoundRegion? {
        let sides = Int(p.smallest)...Int(p.largest * Double(p.longSide))
        guard sides.contains(outline.box.width), sides.contains(outline.box.height) else { return nil }
        let hull = try outline.hull()
        guard hull.count >= 5 else { return nil }
        let ellipse = try hull.withOutline { hull throws(PictureFailure) in try hull.ellipse(.leastSquares) }
        guard ellipse.a > 0, ellipse.b > 0, hull.area > 0 else { return nil }
        return RoundRegion(
            at: ellipse.centre.enlarged(by: scale), longer: max(ellipse.a, ellipse.b) * scale,
            shorter: min(ellipse.a, ellipse.b) * scale, fill: hull.area / (.pi * ellipse.a * ellipse.b),
            solid: outline.area / hull.area)
    }
}
