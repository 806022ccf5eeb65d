internal import COpenCV
import Core

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
    var isDark: Bool
    var inside: [UInt8]
    var around: [UInt8]

    var radius: Double { (longer * shorter).squareRoot() }
    /// 1 for a circle.
    var roundness: Double { shorter / longer }
}

/// A photo prepared for the detection of round marks. It owns the façade's handle and is used by one recognition at a
/// time.
struct RoundMarks: ~Copyable {
    private let handle: OpaquePointer

    /// At this size a disc of a hundredth of the photo has sixteen pixels.
    private static let longSide = 1600
    /// Maximum number of marks. No table has as many; print may.
    private static let most = 1200

    /// Nil if memory runs out.
    init?(_ raster: Raster) {
        var opened: OpaquePointer?
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_marks_open(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue),
                Int32(Self.longSide), &opened)
        }
        guard status == TCV_OK, let opened else { return nil }
        handle = opened
    }

    deinit { tcv_marks_close(handle) }

    /// Each mark once, best fit first. Discs measure up to a tenth of the picture.
    func all() -> [RoundMark] {
        var found = [tcv_round_mark](repeating: tcv_round_mark(), count: Self.most)
        var count: Int32 = 0
        guard tcv_marks_find(handle, &found, Int32(Self.most), &count) == TCV_OK else { return [] }
        return found.prefix(Int(count)).map { mark in
            RoundMark(
                at: Point(mark.x, mark.y), longer: mark.longer, shorter: mark.shorter, contrast: mark.contrast,
                unevenness: mark.unevenness, misfit: mark.misfit, isDark: mark.is_dark != 0,
                inside: [mark.inside.0, mark.inside.1, mark.inside.2],
                around: [mark.around.0, mark.around.1, mark.around.2])
        }
    }
}
