internal import COpenCV
import Core

/// Cuts lines out of a page as straight strips, as line readers want them.
struct LineRectifier {
    /// Height of a strip, pixels: what PP-OCR's recognisers are trained on.
    static let stripHeight = 48
    /// Longest strip, pixels: a line of 500 letters; what is longer is squeezed.
    static let longestStrip = 6000

    /// The strip of one line, `stripHeight` pixels high and as long as the line is in proportion.
    ///
    /// Throws `ItemFailure` where OpenCV refuses.
    static func strip(of shape: LineShape, on page: Raster, height: Int = stripHeight) throws -> Raster {
        let extent = shape.extent
        let ratio = extent.width / max(1, extent.height)
        let width = min(longestStrip, max(8, Int((Double(height) * ratio).rounded(.up))))
        // Cut at the page's own resolution where that is higher, then shrunk by area: nothing is skipped.
        let native = max(height, Int(extent.height.rounded()))
        let nativeWidth =
            native == height ? width : min(longestStrip * 2, max(8, Int((Double(native) * ratio).rounded())))
        let cut = try cut(shape, on: page, width: nativeWidth, height: native)
        return native == height ? cut : try cut.resized(width: width, height: height)
    }

    private static func cut(_ shape: LineShape, on page: Raster, width: Int, height: Int) throws -> Raster {
        try Raster.filled(width: width, height: height, format: page.format, step: "cutting out a line") { strip in
            page.bytes.withUnsafeBufferPointer { samples in
                let (w, h, c) = (Int32(page.width), Int32(page.height), Int32(page.format.rawValue))
                if shape.isBent {
                    let spine = shape.spine.flatMap { [$0.x, $0.y] }
                    return tcv_lines_unbend(
                        samples.baseAddress, w, h, c, spine, Int32(spine.count / 2), shape.height, Int32(width),
                        Int32(height), strip)
                }
                guard let quad = shape.quad(from: 0, to: 1) else { return Int32(TCV_E_ARGUMENT) }
                let corners = quad.corners.flatMap { [$0.x, $0.y] }
                return tcv_lines_straighten(
                    samples.baseAddress, w, h, c, corners, Int32(width), Int32(height), strip)
            }
        }
    }
}
