internal import COpenCV
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
        guard length > 0, min(raster.width, raster.height) >= parameters.minPhoto else { return [] }
        var found = [tcv_round_region](repeating: tcv_round_region(), count: most)
        var count: Int32 = 0
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            parameters.offsets.withUnsafeBufferPointer { offsets in
                var cut = tcv_round_cut(
                    way: (way[0] / length, way[1] / length, way[2] / length), floor: parameters.floor,
                    long_side: parameters.longSide, offsets: offsets.baseAddress,
                    offset_count: Int32(offsets.count),
                    most_side: Int32(parameters.largest * Double(parameters.longSide)),
                    least_side: parameters.smallest)
                return tcv_round_regions(
                    pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), &cut,
                    &found, Int32(most), &count)
            }
        }
        try PictureFailure.check(status)
        let round = found.prefix(Int(count)).filter {
            parameters.fill.contains($0.fill) && $0.solid >= parameters.minSolid
                && $0.shorter >= parameters.minRoundness * $0.longer
        }.sorted { abs($0.fill - 1) + 1 - $0.solid < abs($1.fill - 1) + 1 - $1.solid }
        var kept: [RoundRegion] = []
        for one in round {
            let at = Point(one.x, one.y)
            guard !kept.contains(where: { ($0.at - at).length < max($0.shorter, one.shorter) }) else { continue }
            kept.append(
                RoundRegion(
                    at: at, longer: one.longer, shorter: one.shorter, fill: one.fill, solid: one.solid))
        }
        return kept
    }
}
