internal import COpenCV
import Foundation
import Core

/// A patch of parallel bars in a picture: what may be a barcode of rows, found by its gradients and not by reading it.
struct BarPatch {
    private var bars: tcv_bars

    private init(_ bars: tcv_bars) { self.bars = bars }

    /// Patches are looked for on a picture of at most so many pixels a side: finer detail is noise to a gradient.
    private static let searchSide: Int32 = 480

    /// The strongest patches of the plane, at most `limit`; none where memory ran out.
    static func find(in plane: GrayPlane, limit: Int) -> [BarPatch] {
        var found = [tcv_bars](repeating: tcv_bars(), count: limit)
        var count: Int32 = 0
        let status = plane.bytes.withUnsafeBufferPointer {
            tcv_gray_bars(
                $0.baseAddress, Int32(plane.width), Int32(plane.height), searchSide, &found, Int32(limit), &count)
        }
        guard status == TCV_OK else { return [] }
        return found.prefix(Int(count)).map(BarPatch.init)
    }

    /// Pixels along the code, from the first bar to the last.
    var length: Double { bars.to_along - bars.from_along }
    /// Pixels along the bars.
    var height: Double { bars.to_across - bars.from_across }

    /// Corners in pixels of the plane it was found on.
    var corners: [Point] {
        [
            point(bars.from_along, bars.from_across), point(bars.to_along, bars.from_across),
            point(bars.to_along, bars.to_across), point(bars.from_along, bars.to_across),
        ]
    }

    private func point(_ along: Double, _ across: Double) -> Point {
        let (ux, uy) = (cos(bars.angle), sin(bars.angle))
        return Point(along * ux - across * uy, along * uy + across * ux)
    }

    /// The patch with room at both ends for the quiet zone, which a gradient does not see.
    var withQuietZones: BarPatch {
        let room = 0.15 * length + 8
        var wider = self
        wider.bars.from_along -= room
        wider.bars.to_along += room
        return wider
    }

    /// The same patch in a plane that is `factor` times as large.
    func scaled(by factor: Double) -> BarPatch {
        var other = self
        other.bars.from_along *= factor
        other.bars.to_along *= factor
        other.bars.from_across *= factor
        other.bars.to_across *= factor
        return other
    }

    /// The patch alone and upright, enlarged where its bars are thin. Nil where it is too narrow to hold a code, or memory
    /// ran out.
    func cut(from plane: GrayPlane) -> BarCut? {
        guard length >= 20 else { return nil }
        // 95 modules and their quiet zones want some 7 pixels each; wider ones cost time and tell nothing more.
        let scale = min(max(1, min(4, 800 / length)), 1600 / length)
        let (width, height) = (Int(length * scale), min(400, max(24, Int(height * scale))))
        let cut = withUnsafePointer(to: bars) { bars in
            GrayPlane(width: width, height: height) { to in
                plane.bytes.withUnsafeBufferPointer {
                    tcv_gray_cut(
                        $0.baseAddress, Int32(plane.width), Int32(plane.height), bars, to, Int32(width), Int32(height))
                }
            }
        }
        return cut.map { BarCut(plane: $0, patch: self) }
    }
}

/// A patch of bars as a picture of its own.
struct BarCut {
    var plane: GrayPlane
    var patch: BarPatch

    /// Where the code lies in the picture that it was cut from: the patch itself.
    var outline: [Point] { patch.corners }
}
