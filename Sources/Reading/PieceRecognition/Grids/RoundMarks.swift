internal import COpenCV
import Core
import Foundation

/// A round spot of one colour on a face of another, for example a disc.
struct RoundMark: Sendable {
    /// Pixels of the raster.
    var at: Point
    /// Half axes of its ellipse, pixels.
    var longer: Double
    var shorter: Double
    /// Maximum channel difference between inside and ring, 0…255.
    var contrast: Double
    /// Variation of the ring around it, 0…255.
    var unevenness: Double
    /// Mean distance of its outline from the ellipse, in radii.
    var misfit: Double
    /// True if it is darker than the ring around it.
    var isDark: Bool
    /// Median colours inside and of the ring, R G B.
    var inside: SIMD3<Int32>
    var around: SIMD3<Int32>

    var radius: Double { (longer * shorter).squareRoot() }
    /// 1 for a circle.
    var roundness: Double { shorter / longer }
}

/// Detects round marks in a photo.
struct RoundMarks {
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels: a disc of a hundredth of the photo has sixteen. A small photo is
        /// enlarged at most so many times, because outlines of five pixels have no shape.
        var longSide = 1600.0
        var maxEnlargement = 2.0
        /// Smallest side of a photo, pixels.
        var minPhoto = 16
        /// Kernel that suppresses noise, pixels.
        var blur = 3
        /// Windows of the local mean, in longer sides of the picture. Set on development photos, as all values here
        /// without another origin.
        var windows = [0.06, 0.12, 0.2]
        /// Smallest difference from the local mean, grey levels.
        var minDifference = 11.0
        /// Largest half axis: so many windows and pixels.
        var largest = (windows: 0.7, more: 8.0)
        /// Fewer points have no shape.
        var minPoints = 10
        /// Smallest side of the bounding box, pixels, and its largest elongation.
        var minSide = 5
        var maxElongation = 2.6
        /// Smallest half axis, pixels, and smallest ratio of the axes: a disc seen 68° from the vertical has .38.
        var minRadius = 2.0
        var minRoundness = 0.38
        /// Area of the outline relative to its ellipse.
        var fill = 0.72...1.2
        /// Discretisation of a short outline costs so many pixels, which is no misfit. The largest misfit, in radii.
        var discretisation = 0.3
        var maxMisfit = 0.1
        /// The outline runs along the inner pixels of the rim: so many pixels are added.
        var rim = 1.8
        /// Rings of colours around and inside of the mark: radius relative to the rim and to the ellipse, and places.
        var ring = (radius: 1.25, places: 24)
        var inner = (radius: 0.55, places: 12)
        /// Fewer places around are seen at the picture's rim only.
        var minPlaces = 20
        /// Smallest contrast, 0…255, and largest unevenness in contrasts. It is this quantile of the ring's
        /// differences from its median.
        var minContrast = 24.0
        var maxUnevenness = 0.45
        var quantile = 0.75
        /// Marks nearer than this share of the larger one are one.
        var samePlace = 0.7
        /// Maximum number of marks. No table has as many; print may.
        var most = 1200
    }

    private let parameters: Parameters
    /// Colour, lightly smoothed.
    private let work: Picture<UInt8>
    private let grey: Picture<UInt8>
    /// Pixels of the raster per working pixel.
    private let scale: Double

    /// Nil for a photo that is too small.
    init?(_ raster: Raster, _ parameters: Parameters = .init()) throws(PictureFailure) {
        let p = parameters
        let scale = max(1 / p.maxEnlargement, Double(max(raster.width, raster.height)) / p.longSide)
        guard min(raster.width, raster.height) >= p.minPhoto else { return nil }
        let work = try Picture(raster).coloured().reduced(by: scale, enlarging: .cubic).blurred(p.blur)
        (self.parameters, self.work, self.grey, self.scale) = (p, work, try work.grey(), scale)
    }

    /// Each mark once, best fit first. Discs measure up to a tenth of the picture.
    func all() throws(PictureFailure) -> [RoundMark] {
        Suppression.best(
            of: try candidates(), most: parameters.most, by: { -($0.misfit + $0.unevenness / $0.contrast) }
        ) { hypot($0.at.x - $1.at.x, $0.at.y - $1.at.y) < parameters.samePlace * max($0.longer, $1.longer) }
    }

    /// The marks by all masks, in grey and in red, where discs of one brightness differ.
    private func candidates() throws(PictureFailure) -> [RoundMark] {
        let p = parameters
        let size = Double(max(grey.width, grey.height))
        var found: [RoundMark] = []
        for plane in [grey, try work.channel(0)] {
            for part in p.windows {
                let mean = try plane.mean(Int(part * size) | 1)
                let largest = p.largest.windows * part * size + p.largest.more
                for difference in [try mean.minus(plane), try plane.minus(mean)] {
                    try PictureOutlines(difference.above(p.minDifference), .all).forEach {
                        outline throws(PictureFailure) in
                        if let mark = try mark(outline, largest: largest) { found.append(mark) }
                    }
                }
            }
        }
        return found
    }

    /// Nil if the outline is not an ellipse on a uniform background.
    private func mark(_ outline: PixelOutline, largest: Double) throws(PictureFailure) -> RoundMark? {
        let p = parameters
        guard outline.count >= p.minPoints else { return nil }
        let box = outline.box
        let (longer, shorter) = (Double(max(box.width, box.height)), Double(min(box.width, box.height)))
        guard shorter >= Double(p.minSide), longer <= largest, longer <= p.maxElongation * shorter else { return nil }
        let ellipse = try outline.ellipse(.leastSquares)
        let (a, b) = (max(ellipse.a, ellipse.b), min(ellipse.a, ellipse.b))
        guard b >= p.minRadius, b >= p.minRoundness * a, a <= largest, p.fill.contains(outline.area / (.pi * a * b))
        else { return nil }
        let misfit = max(0, outline.misfit(ellipse) - p.discretisation / b)
        guard misfit <= p.maxMisfit else { return nil }
        let ring = colours(on: ellipse, p.ring.radius * (1 + p.rim / b), places: p.ring.places)
        var inner = colours(on: ellipse, p.inner.radius, places: p.inner.places)
        guard ring.count >= p.minPlaces, inner.count >= p.inner.places,
            let middle = work.colour(nearest: ellipse.centre)
        else {
            return nil
        }
        inner.append(middle)
        guard let around = ring.medianColour, let inside = inner.medianColour else { return nil }
        let contrast = Double(Pip.difference(around, inside))
        guard contrast >= p.minContrast else { return nil }
        let unevenness = Double(ring.map { Pip.difference($0, around) }.quantile(p.quantile) ?? 0)
        guard unevenness <= p.maxUnevenness * contrast else { return nil }
        // By its colours, not by the mask: the rim around a dark mark is segmented like a light mark.
        return RoundMark(
            at: ellipse.centre.enlarged(by: scale), longer: (a + 0.5) * scale, shorter: (b + 0.5) * scale,
            contrast: contrast, unevenness: unevenness, misfit: misfit,
            isDark: inside.wrappedSum() < around.wrappedSum(), inside: inside, around: around)
    }

    /// Colours on the ellipse enlarged by `growth`; fewer than `places` if it leaves the picture.
    private func colours(on ellipse: Ellipse, _ growth: Double, places: Int) -> [SIMD3<Int32>] {
        (0..<places).compactMap {
            work.colour(nearest: ellipse.point(at: 2 * .pi * Double($0) / Double(places), enlargedBy: growth))
        }
    }

}
