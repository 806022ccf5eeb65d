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
    private let parameters: PipSearch

    /// Nil if memory runs out.
    init?(_ raster: Raster, _ parameters: PipSearch = .init()) {
        self.parameters = parameters
        var opened: OpaquePointer?
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            var search = parameters.native
            return tcv_pips_open(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), &search,
                &opened)
        }
        guard status == TCV_OK, let opened else { return nil }
        handle = opened
    }

    deinit { tcv_pips_close(handle) }

    /// Each pip once, best first.
    func pips() -> [Pip] {
        var found = [tcv_pip](repeating: tcv_pip(), count: parameters.mostFound)
        var count: Int32 = 0
        guard tcv_pips_find(handle, &found, Int32(found.count), &count) == TCV_OK else { return [] }
        let seen = found.prefix(Int(count)).filter(parameters.isPip)
        let order = seen.map(parameters.doubt).enumerated().sorted { $0.element < $1.element }.map(\.offset)
        var kept: [Pip] = []
        for index in order where kept.count < parameters.most {
            let pip = Pip(seen[index])
            if !kept.contains(where: { parameters.isOne($0, pip) }) { kept.append(pip) }
        }
        return kept
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
