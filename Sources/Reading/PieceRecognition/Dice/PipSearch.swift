internal import COpenCV
import Core

/// How pips are looked for: the numbers behind the primitive of the façade, and what is kept of its findings.
///
/// All were set by eye on rendered throws and on development photos of four repositories.
struct PipSearch: Sendable {
    /// Smaller photos are not read, pixels.
    var minSide = 16
    /// Longer side of the pyramid's largest level, pixels: at this size pips of dice that fill a fortieth of the photo
    /// have some six pixels.
    var longSide = 1280.0
    /// Minimum scale of that level, raster pixels per pixel. A small photo is enlarged, because the rim of a pip of
    /// five pixels has no shape.
    var minScale = 0.5
    /// A level with a longer side below this is the last, pixels.
    var minLongSide = 240
    /// Kernel that smooths the largest level, pixels.
    var smoothing = 3
    /// Pixels over a face at the level from which its colours are read, about.
    var faceSteps = 40.0
    /// Edges of the means that are compared with those of three times the edge, pixels. The first is used at the
    /// largest level alone.
    var boxes = [3, 5, 7]
    /// Minimum difference of both means, 0…255.
    var minResponse = 15
    /// Ink that is only as visible as in brightness is grey, and found there: difference in the minimum channel
    /// relative to brightness.
    var moreThanGrey = 1.3
    /// Maximum number of places of one level, box, plane and sign. In cloth and grain only the strongest are examined;
    /// no table has more pips.
    var mostPlaces = 900
    /// The numbers of the façade; its header names their units.
    var native = tcv_pip_search(
        // A pip differs from what is around it on nearly all sides, lines and corners do not.
        nearer: 0.75, least_around: 13, least_sides: 6, first_size: 1.25,
        steps: 14, least_step: 0.5, reach: 1.25, inner: 0.15, outside_from: 0.35, outside_to: 1.05, rim_from: 0.2,
        // Half-way between the interior and the extreme of each ray. A glint inside or a shadow outside affects only
        // one ray.
        least_rim: 14, rim_level: 0.5, most_glint: 40, least_ray: 0.5, least_rays: 12, rounds: 3, settled: 0.02,
        // A face at 69° has a roundness of .36.
        least_size: 3, least_roundness: 0.36, least_shorter: 1.2, noise: 0.1, most_misfit: 0.11,
        ring: 1.22, ring_beyond: 0.9, least_ring: 17, inside: 0.5)
    /// A face of fewer pixels' edge is small. So many samples of another colour end a small face's and another face's
    /// colour: a glint or a scratch of one pixel is no end.
    var fewSteps = 22.0
    var neededOfFew = 2
    var needed = 3

    /// Maximum number of findings, each place several times.
    var mostFound = 20_000
    /// Maximum number of pips. No table has as many; print and cloth may.
    var most = 380
    /// Minimum difference between interior and ring, 0…255.
    var minContrast = 24.0
    /// Maximum variation of the ring, relative to the contrast.
    var maxUnevenness = 0.45
    /// Weights of unevenness over contrast, and of contrast, beside the misfit, in the order of the pips.
    var unevennessWeight = 0.7
    var contrastWeight = 0.0006
    /// Two findings are one pip if their centres are nearer than this part of the larger radius, and the ratio of
    /// their radii is within these limits.
    var sameDistance = 0.7
    var sameSize = 0.55..<1.8

    func isPip(_ pip: Pip) -> Bool {
        pip.contrast >= minContrast && pip.unevenness <= maxUnevenness * pip.contrast
    }

    /// Lower for a clearer pip.
    func doubt(_ pip: Pip) -> Double {
        pip.misfit + unevennessWeight * pip.unevenness / pip.contrast - contrastWeight * pip.contrast
    }

    func isOne(_ known: Pip, _ other: Pip) -> Bool {
        sameSize.contains(known.radius / other.radius)
            && (known.at - other.at).length < sameDistance * max(known.radius, other.radius)
    }
}

extension Pip {
    /// - Parameter scale: Raster pixels per pixel of the level.
    init(_ pip: tcv_pip, scale: Double) {
        let (xx, xy, yy) = (pip.xx * scale * scale, pip.xy * scale * scale, pip.yy * scale * scale)
        let area = max(1e-9, xx * yy - xy * xy)
        self.init(
            at: Point(pip.x, pip.y).enlarged(by: scale), shape: Foreshortening(xx: xx, xy: xy, yy: yy),
            radius: area.squareRoot().squareRoot(), contrast: pip.contrast, unevenness: pip.unevenness,
            misfit: pip.misfit, isDark: pip.is_dark != 0,
            inside: SIMD3(Int32(pip.inside.0), Int32(pip.inside.1), Int32(pip.inside.2)),
            around: SIMD3(Int32(pip.around.0), Int32(pip.around.1), Int32(pip.around.2)))
    }
}
