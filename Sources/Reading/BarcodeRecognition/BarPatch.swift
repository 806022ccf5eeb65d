internal import COpenCV
import Foundation
import Core

/// A patch of parallel bars in a picture: a candidate for a linear barcode, located by its gradients.
struct BarPatch {
    private var bars: tcv_bars

    private init(_ bars: tcv_bars) { self.bars = bars }

    /// Longer side of the picture that is searched, pixels. Finer detail only adds noise to the gradients.
    private static let searchSide: Int32 = 480

    /// The strongest patches of the plane, at most `limit`. Empty if memory runs out.
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

    /// Corners in pixels of the plane in which the patch was located.
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

    /// The patch enlarged at both ends by the quiet zones, which have no gradient.
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

    /// The patch as an upright image, enlarged if its bars are thin. Nil if it is too narrow to hold a code, or if
    /// memory runs out.
    func cut(from plane: GrayPlane) -> BarCut? {
        guard length >= 20 else { return nil }
        // A code has 95 modules and its quiet zones. Some 7 pixels per module suffice; more only cost time.
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

/// A patch of bars, cut out as an upright image.
struct BarCut {
    var plane: GrayPlane
    var patch: BarPatch

    /// Corners of the patch in the picture that it was cut from.
    var outline: [Point] { patch.corners }
}
