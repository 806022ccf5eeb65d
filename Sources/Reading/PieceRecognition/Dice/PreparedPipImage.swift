internal import COpenCV
import Core

/// A photo prepared for pip detection: a pyramid of halves. Used by one recognition at a time.
struct PreparedPipImage {
    /// A straight ray along which a colour is followed.
    struct Ray {
        var from: Point
        /// Direction of length 1.
        var way: Point
        /// Maximum length, pixels.
        var most: Double
    }

    /// The end of a ray.
    struct End {
        /// Distance from the start in pixels; `most` if the colour did not end.
        var distance: Double
        /// Maximum channel difference beyond the end, 0…255; 0 if the colour did not end.
        var change: Double
    }

    private struct Level {
        var colour: Picture<UInt8>
        /// Brightness, and the minimum channel: coloured ink on white is dark in the latter.
        var planes: [Picture<UInt8>]
        /// Raster pixels per pixel of this level.
        var scale: Double
    }

    private let levels: [Level]
    private let parameters: PipSearch

    /// Nil for a photo that is too small.
    init?(_ raster: Raster, _ parameters: PipSearch = .init()) throws(PictureFailure) {
        guard min(raster.width, raster.height) >= parameters.minSide else { return nil }
        (self.levels, self.parameters) = (try Self.levels(of: raster, parameters), parameters)
    }

    private static func levels(of raster: Raster, _ p: PipSearch) throws(PictureFailure) -> [Level] {
        var scale = max(p.minScale, Double(max(raster.width, raster.height)) / p.longSide)
        var colour = try raster.reduced(by: scale, enlarging: .linear).blurred(p.smoothing)
        var levels: [Level] = []
        while true {
            levels.append(
                Level(
                    colour: colour, planes: [try colour.grey(), try colour.filled { tcv_image_least($0, $1) }],
                    scale: scale))
            if max(colour.width, colour.height) < p.minLongSide { return levels }
            colour = try colour.scaled(toWidth: (colour.width + 1) / 2, height: (colour.height + 1) / 2, .area)
            scale *= 2
        }
    }

    /// Each pip once, best first.
    func pips() throws(PictureFailure) -> [Pip] {
        Suppression.best(
            of: try allPips().lazy.filter(parameters.isPip), most: parameters.most, by: { -parameters.doubt($0) },
            conflict: parameters.isOne)
    }

    /// Places whose mean differs from their environment, examined at every size. Each may occur several times.
    private func allPips() throws(PictureFailure) -> [Pip] {
        let p = parameters
        var found: [Pip] = []
        for (index, level) in levels.enumerated() {
            for box in p.boxes.dropFirst(index == 0 ? 0 : 1) {
                var inBrightness: [Picture<UInt8>] = []
                for (which, plane) in level.planes.enumerated() {
                    let (inner, outer) = (try plane.mean(box), try plane.mean(3 * box))
                    for (sign, isDark) in [true, false].enumerated() {
                        let response = try isDark ? outer.minus(inner) : inner.minus(outer)
                        // Grey ink is visible in both planes and is counted once.
                        let places = try response.peaks(
                            side: box, above: p.minResponse, most: p.mostPlaces,
                            exceeding: which == 0 ? nil : (inBrightness[sign], p.moreThanGrey))
                        if which == 0 { inBrightness.append(response) }
                        let pips = try plane.pips(
                            at: places, mean: inner, colour: level.colour, isDark: isDark, box: box, p.native)
                        for pip in pips where found.count < p.mostFound { found.append(Pip(pip, scale: level.scale)) }
                    }
                }
            }
        }
        return found
    }

    /// The level with the wanted number of steps over a face, so that the step size is relative to the face.
    private func level(forSide side: Double) -> Level {
        var index = 0
        while index + 1 < levels.count, side / levels[index + 1].scale > parameters.faceSteps { index += 1 }
        return levels[index]
    }

    /// The distance over which a colour continues along each ray. Rays skip pips.
    ///
    /// - Parameter side: Approximate size of the face in pixels, which selects the resolution.
    func ends(
        of rays: [Ray], colour: SIMD3<Int32>, tolerance: Double, side: Double, over pips: [Pip]
    ) throws(PictureFailure) -> [End] {
        let given = rays.map { tcv_ray(x: $0.from.x, y: $0.from.y, dx: $0.way.x, dy: $0.way.y, most: $0.most) }
        let holes = pips.flatMap { [$0.at.x, $0.at.y, 1.3 * $0.radius / $0.roundness.squareRoot() + 0.03 * side] }
        let rgb = [UInt8(clamping: colour.x), UInt8(clamping: colour.y), UInt8(clamping: colour.z)]
        var distances = [Double](repeating: 0, count: rays.count)
        var changes = distances
        let level = level(forSide: side)
        let needed = side / level.scale < parameters.fewSteps ? parameters.neededOfFew : parameters.needed
        var image = level.colour.image
        let status = tcv_image_runs(
            &image, level.scale, given, Int32(given.count), rgb, tolerance, Int32(needed), holes, Int32(pips.count),
            &distances, &changes)
        try PictureFailure.check(status)
        return zip(distances, changes).map { End(distance: $0, change: $1) }
    }

    /// The median colour at these points of a face of about `side` pixels; nil outside the photo.
    func colour(at places: [Point], side: Double) -> SIMD3<Int32>? {
        let level = level(forSide: side)
        return places.compactMap { level.colour.colour(nearest: $0.reduced(by: level.scale)) }.medianColour
    }

    /// The rectified patch around a lattice: `size` × `size` colours, row by row, from −`reach` to `reach` steps from
    /// its centre. Outside the photo the rim is repeated.
    ///
    /// - Parameter side: Approximate size of the face in pixels, which selects the resolution.
    func patch(
        about lattice: PipLattice, side: Double, reach: Double, size: Int
    ) throws(PictureFailure) -> [SIMD3<Float>] {
        let level = level(forSide: side)
        // Two samples per pixel in each direction, so that no pixel of a finer level is skipped.
        let finer = 2
        let fine = size * finer
        // Column of the patch → place from −reach to reach.
        let (step, first) = (2 * reach / Double(fine), (1 / Double(fine) - 1) * reach)
        let corner = lattice.centre + lattice.across * first + lattice.down * first
        let (start, across, down) = (
            corner.reduced(by: level.scale), lattice.across * (step / level.scale),
            lattice.down * (step / level.scale)
        )
        let seen = try level.colour.warped(
            Homography(origin: start, across: across, down: down), width: fine, height: fine)
        return (0..<size * size).map { index in
            let (x, y) = (index % size * finer, index / size * finer)
            var sum = SIMD3<Float>.zero
            for place in 0..<finer * finer {
                let (r, g, b) = seen.rgb(x + place % finer, y + place / finer)
                sum += SIMD3(Float(r), Float(g), Float(b))
            }
            return sum / Float(finer * finer)
        }
    }
}

extension Picture where Sample == UInt8 {
    /// Places of local maxima of at least `side` × `side` pixels above a level, x and y one after the other. If there
    /// are more than `most`, the strongest.
    ///
    /// - Parameter other: They also exceed this picture times a factor.
    fileprivate func peaks(
        side: Int, above level: Int, most: Int, exceeding other: (picture: Picture, factor: Double)?
    ) throws(PictureFailure) -> [Int32] {
        var (from, count) = (image, Int32(0))
        var places = [Int32](repeating: 0, count: 2 * most)
        if let other {
            var limit = other.picture.image
            try PictureFailure.check(
                tcv_image_peaks(
                    &from, Int32(side), Int32(level), &limit, other.factor, Int32(most), &places, &count))
        } else {
            try PictureFailure.check(
                tcv_image_peaks(&from, Int32(side), Int32(level), nil, 1, Int32(most), &places, &count))
        }
        return Array(places.prefix(2 * Int(count)))
    }

    /// The spots of this plane at places (x and y one after the other).
    fileprivate func pips(
        at places: [Int32], mean: Picture, colour: Picture, isDark: Bool, box: Int, _ search: tcv_pip_search
    ) throws(PictureFailure) -> ArraySlice<tcv_pip> {
        guard !places.isEmpty else { return [] }
        var (plane, means, colours, search, count) = (image, mean.image, colour.image, search, Int32(0))
        var found = [tcv_pip](repeating: tcv_pip(), count: places.count / 2)
        try PictureFailure.check(
            tcv_pips_at(
                &plane, &means, &colours, isDark ? 1 : 0, Int32(box), places, Int32(places.count / 2), &search,
                &found, &count))
        return found.prefix(Int(count))
    }
}
