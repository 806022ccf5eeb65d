import Core

internal import COpenCV

/// An RGB picture into which outlines and captions are drawn.
struct OverlayCanvas {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    /// Width of a text, and its extent above and below the base line, pixels.
    struct TextSize { var width: Int, ascent: Int, descent: Int }

    /// The raster in colour, with a longer side of at most `maxSide` pixels.
    init(_ raster: Raster, maxSide: Int) throws(ItemFailure) {
        let scale = ImageDecoder.scale(raster.width, raster.height, to: maxSide)
        var copy = raster.bytes
        let pixels = try copy.withUnsafeMutableBufferPointer { buffer throws(ItemFailure) -> Raster in
            guard let start = buffer.baseAddress else { throw ImagingFailure.failed("the raster has no pixels") }
            let stored = StoredPixels(
                start: start, width: raster.width, height: raster.height, channels: raster.format.rawValue,
                stride: raster.width * raster.format.rawValue)
            return try stored.upright(orientation: 1, to: .rgb8, scale: scale)
        }
        (width, height, bytes) = (pixels.width, pixels.height, pixels.bytes)
    }

    /// Draws a closed outline, clipped to a margin around the picture.
    mutating func outline(_ corners: [Point], colour: UInt32, thickness: Int) throws(ItemFailure) {
        // OpenCV's drawing shifts coordinates to the left, so unbounded numbers would overflow.
        let bound = 4.0 * Double(max(width, height))
        let points = corners.flatMap { [$0.x, $0.y] }.map { value in
            Int32(value.isFinite ? min(bound, max(-bound, value)).rounded() : 0)
        }
        let status = bytes.withUnsafeMutableBufferPointer { buffer in
            tcv_draw_outline(
                buffer.baseAddress, Int32(width), Int32(height), points, Int32(corners.count), colour, Int32(thickness))
        }
        try check(status)
    }

    mutating func caption(
        _ text: String, in box: CaptionLayout.Box, textX: Int, baseLine: Int, fill: UInt32, scale: Double,
        thickness: Int
    ) throws(ItemFailure) {
        let status = bytes.withUnsafeMutableBufferPointer { buffer in
            tcv_draw_caption(
                buffer.baseAddress, Int32(width), Int32(height), Int32(box.left), Int32(box.top), Int32(box.width),
                Int32(box.height), fill, text, Int32(textX), Int32(baseLine), scale, Int32(thickness),
                OverlayPalette.text(on: fill))
        }
        try check(status)
    }

    static func size(of text: String, scale: Double, thickness: Int) -> TextSize {
        var (width, ascent, descent) = (Int32(0), Int32(0), Int32(0))
        guard tcv_text_size(text, scale, Int32(thickness), &width, &ascent, &descent) == 0 else {
            return TextSize(width: 0, ascent: 0, descent: 0)
        }
        return TextSize(width: Int(width), ascent: Int(ascent), descent: Int(descent))
    }

    func png() throws(ItemFailure) -> [UInt8] {
        guard let raster = Raster(width: width, height: height, format: .rgb8, bytes: bytes),
            let png = LeptonicaPicture(raster)?.png()
        else { throw ImagingFailure.failed("the overlay of \(width) × \(height) pixels cannot be written") }
        return png
    }

    func jpeg() throws(ItemFailure) -> [UInt8] {
        guard let raster = Raster(width: width, height: height, format: .rgb8, bytes: bytes),
            let jpeg = LeptonicaPicture(raster)?.jpeg(quality: Self.quality)
        else { throw ImagingFailure.failed("the copy of \(width) × \(height) pixels cannot be written") }
        return jpeg
    }

    /// JPEG quality of copies, 1…100: small print stays legible.
    private static let quality: Int32 = 82

    private func check(_ status: Int32) throws(ItemFailure) {
        guard status == 0 else { throw ImagingFailure.failed("drawing ended with OpenCV status \(status)") }
    }
}
