internal import COpenCV
import Core

/// Cuts lines out of a page as rectified line images, the input of line readers.
struct LineRectifier {
    /// Height of a line image, pixels. PP-OCR's recognisers are trained on this height.
    static let imageHeight = 48
    /// Maximum width of a line image, pixels: a line of 500 letters. Longer lines are compressed.
    static let maxImageWidth = 6000

    /// The rectified image of one line, `height` pixels high, with the line's aspect ratio.
    ///
    /// - Parameter stretch: Factor on the image's width, above 0.
    /// - Throws: `ItemFailure` if OpenCV fails.
    static func image(
        of shape: LineShape, on page: Raster, height: Int = imageHeight, stretch: Double = 1
    ) throws -> Raster {
        let extent = shape.extent
        let ratio = stretch * extent.width / max(1, extent.height)
        let width = min(maxImageWidth, max(8, Int((Double(height) * ratio).rounded(.up))))
        // Cut at the resolution of the page if that is higher, then scaled down by area, so that no pixel is skipped.
        let native = max(height, Int(extent.height.rounded()))
        let nativeWidth =
            native == height ? width : min(maxImageWidth * 2, max(8, Int((Double(native) * ratio).rounded())))
        let cut = try cut(shape, on: page, width: nativeWidth, height: native)
        return native == height ? cut : try cut.resized(width: width, height: height)
    }

    private static func cut(_ shape: LineShape, on page: Raster, width: Int, height: Int) throws -> Raster {
        try Raster.filled(width: width, height: height, format: page.format, step: "cutting out a line") { lineImage in
            page.bytes.withUnsafeBufferPointer { samples in
                let (w, h, c) = (Int32(page.width), Int32(page.height), Int32(page.format.rawValue))
                if shape.isBent {
                    let spine = shape.spine.flatMap { [$0.x, $0.y] }
                    return tcv_lines_unbend(
                        samples.baseAddress, w, h, c, spine, Int32(spine.count / 2), shape.height, Int32(width),
                        Int32(height), lineImage)
                }
                guard let quad = shape.quad(from: 0, to: 1) else { return Int32(TCV_E_ARGUMENT) }
                let corners = quad.corners.flatMap { [$0.x, $0.y] }
                return tcv_lines_straighten(
                    samples.baseAddress, w, h, c, corners, Int32(width), Int32(height), lineImage)
            }
        }
    }
}
