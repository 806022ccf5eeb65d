internal import COpenCV
import Core

/// A photo prepared for pip detection. It owns the façade's handle and is used by one recognition at a time.
struct PreparedPipImage: ~Copyable {
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

    private let handle: OpaquePointer

    /// At this size pips of dice that fill a fortieth of the photo have some six pixels.
    private static let longSide = 1280
    /// Maximum number of spots. No table has as many pips; print and cloth may.
    private static let most = 380

    /// Nil if memory runs out.
    init?(_ raster: Raster) {
        var opened: OpaquePointer?
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_pips_open(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue),
                Int32(Self.longSide), &opened)
        }
        guard status == TCV_OK, let opened else { return nil }
        handle = opened
    }

    deinit { tcv_pips_close(handle) }

    /// Each pip once, best first.
    func pips() -> [Pip] {
        var found = [tcv_pip](repeating: tcv_pip(), count: Self.most)
        var count: Int32 = 0
        guard tcv_pips_find(handle, &found, Int32(Self.most), &count) == TCV_OK else { return [] }
        return found.prefix(Int(count)).map { pip in
            let area = max(1e-9, pip.xx * pip.yy - pip.xy * pip.xy)
            return Pip(
                at: Point(pip.x, pip.y), shape: Foreshortening(xx: pip.xx, xy: pip.xy, yy: pip.yy),
                radius: area.squareRoot().squareRoot(), contrast: pip.contrast, unevenness: pip.unevenness,
                misfit: pip.misfit, isDark: pip.is_dark != 0,
                inside: SIMD3(Int32(pip.inside.0), Int32(pip.inside.1), Int32(pip.inside.2)),
                around: SIMD3(Int32(pip.around.0), Int32(pip.around.1), Int32(pip.around.2)))
        }
    }

    /// The distance over which a colour continues along each ray. Rays skip pips.
    ///
    /// - Parameter side: Approximate size of the face in pixels, which selects the resolution.
    func ends(of rays: [Ray], colour: SIMD3<Int32>, tolerance: Double, side: Double, over pips: [Pip]) -> [End] {
        let given = rays.map { tcv_ray(x: $0.from.x, y: $0.from.y, dx: $0.way.x, dy: $0.way.y, most: $0.most) }
        let holes = pips.flatMap { [$0.at.x, $0.at.y, 1.3 * $0.radius / $0.roundness.squareRoot() + 0.03 * side] }
        let rgb = [UInt8(clamping: colour.x), UInt8(clamping: colour.y), UInt8(clamping: colour.z)]
        var distances = [Double](repeating: 0, count: rays.count)
        var changes = distances
        let status = tcv_pips_ends(
            handle, given, Int32(given.count), rgb, tolerance, side, holes, Int32(pips.count), &distances, &changes)
        guard status == TCV_OK else { return rays.map { End(distance: $0.most, change: 0) } }
        return zip(distances, changes).map { End(distance: $0, change: $1) }
    }

    /// The median colour at these points of a face of about `side` pixels; nil outside the photo.
    func colour(at places: [Point], side: Double) -> SIMD3<Int32>? {
        var rgb = [UInt8](repeating: 0, count: 3)
        let given = places.flatMap { [$0.x, $0.y] }
        guard tcv_pips_colour(handle, given, Int32(places.count), side, &rgb) == TCV_OK else { return nil }
        return SIMD3(Int32(rgb[0]), Int32(rgb[1]), Int32(rgb[2]))
    }

    /// The rectified patch around a lattice: `size` × `size` colours, row by row, from −`reach` to `reach` steps from
    /// its centre.
    ///
    /// Nil if memory runs out.
    ///
    /// - Parameter side: Approximate size of the face in pixels, which selects the resolution.
    func patch(about lattice: PipLattice, side: Double, reach: Double, size: Int) -> [SIMD3<Float>]? {
        let places = [
            lattice.centre.x, lattice.centre.y, lattice.across.x, lattice.across.y, lattice.down.x, lattice.down.y,
        ]
        var rgb = [Float](repeating: 0, count: 3 * size * size)
        guard tcv_pips_patch(handle, places, side, reach, Int32(size), &rgb) == TCV_OK else { return nil }
        return (0..<size * size).map { SIMD3(rgb[3 * $0], rgb[3 * $0 + 1], rgb[3 * $0 + 2]) }
    }
}
