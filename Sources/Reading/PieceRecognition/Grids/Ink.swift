internal import COpenCV
import Core

/// Ink on a lighter background.
enum Ink {
    struct Parameters: Sendable {
        /// Kernel that suppresses noise, pixels.
        var blur = 3
        /// The background counts at least as so many grey levels, and as this share of its bright quantile: noise on a
        /// dark object in a bright picture is no ink. Set on development pictures, as all values here without another
        /// origin.
        var minGround = 24.0
        var ground = (quantile: 0.9, share: 0.35)
        /// Grain of the paper, 0…255: a constant, and a factor of this quantile of the darkness.
        var grain = (base: 12.0, factor: 2.5, quantile: 0.5)
    }

    /// How much darker each pixel is than the background, relative to it, 0…255.
    ///
    /// The background is estimated by filling dark structures narrower than `window` pixels. Edges of larger objects
    /// and soft shadows give 0.
    static func darkness(
        of grey: Picture<UInt8>, window: Int, _ p: Parameters = .init()
    ) throws(PictureFailure) -> Picture<UInt8> {
        let smooth = try grey.blurred(p.blur)
        let ground = try smooth.morphed(.close, .rectangle, window | 1)
        let rest = try ground.minus(smooth)
        let least = max(p.minGround, p.ground.share * Double(try ground.quantile(p.ground.quantile)))
        return try rest.share(of: try ground.atLeast(least), times: 255)
    }

    /// Darkness that the grain of the paper reaches, 0…255.
    static func grain(of dark: Picture<UInt8>, _ p: Parameters = .init()) throws(PictureFailure) -> Double {
        p.grain.base + p.grain.factor * Double(try dark.quantile(p.grain.quantile))
    }
}

extension Picture where Sample == UInt8 {
    /// The smallest value that a share of the pixels does not exceed.
    func quantile(_ share: Double) throws(PictureFailure) -> Int {
        ByteCounts(try histogram()).value(at: Int((share * Double(height) * Double(width)).rounded(.up)) - 1)
    }

    /// Mean of a grey picture where the mask is set; 0 for an empty mask.
    func mean(where mask: Picture? = nil) throws(PictureFailure) -> Double {
        let counts = try histogram(where: mask)
        var (sum, count) = (0, 0)
        for value in 0..<256 {
            sum += value * Int(counts[value])
            count += Int(counts[value])
        }
        return count > 0 ? Double(sum) / Double(count) : 0
    }

    /// The largest value of a grey picture.
    func largest() throws(PictureFailure) -> Int { try histogram().lastIndex { $0 > 0 } ?? 0 }

    func atLeast(_ least: Double) throws(PictureFailure) -> Picture {
        try filled { tcv_image_at_least($0, least, $1) }
    }

    /// The share of this picture in another, times a factor.
    func share(of other: Picture, times factor: Double) throws(PictureFailure) -> Picture {
        try filled { from, to in
            var other = other.image
            return tcv_image_share(from, &other, factor, to)
        }
    }

    /// Gaussian blur by a standard deviation in pixels.
    func smoothed(_ deviation: Double) throws(PictureFailure) -> Picture {
        try filled(channels: channels) { tcv_image_smooth($0, $1, deviation) }
    }

    /// A mask where all pixels are set.
    static func white(width: Int, height: Int) -> Picture {
        let made = Picture(width: width, height: height)
        made.samples.update(repeating: 255, count: width * height)
        return made
    }

    /// 255 less each value of a grey picture.
    func inverted() throws(PictureFailure) -> Picture { try Picture.white(width: width, height: height).minus(self) }

    /// Distance of each set pixel from the nearest one that is not, pixels.
    func depth() throws(PictureFailure) -> Picture<Float> { try filled { tcv_mask_depth($0, $1) } }

    /// The pixels that are set, x and y one after the other, row by row.
    func points() throws(PictureFailure) -> [Int32] {
        var (from, found) = (image, Int32(0))
        let capacity = try count()
        var xy = [Int32](repeating: 0, count: 2 * capacity)
        try PictureFailure.check(tcv_mask_points(&from, &xy, Int32(capacity), &found))
        return xy
    }

    /// Number and centroid of the pixels that are set; nil if none is.
    func centroid() throws(PictureFailure) -> (count: Double, at: Point)? {
        var (from, count, x, y) = (image, 0.0, 0.0, 0.0)
        try PictureFailure.check(tcv_mask_sums(&from, &count, &x, &y))
        return count > 0 ? (count, Point(x / count, y / count)) : nil
    }
}
