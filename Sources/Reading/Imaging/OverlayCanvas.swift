import Core

internal import COpenCV

/// A picture in which a photo is on paper, for drawing over and beside it.
struct OverlayCanvas {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    /// Width of a text, and its extent above and below the base line, pixels.
    struct TextSize { var width: Int, ascent: Int, descent: Int }

    /// The raster in colour, with a longer side of at most `maxSide` pixels, rotated clockwise by `quarterTurns` × 90°.
    init(_ raster: Raster, maxSide: Int, quarterTurns: Int = 0) throws(ItemFailure) {
        let scale = ImageDecoder.scale(raster.width, raster.height, to: maxSide)
        var copy = raster.bytes
        let pixels = try copy.withUnsafeMutableBufferPointer { buffer throws(ItemFailure) -> Raster in
            guard let start = buffer.baseAddress else { throw ImagingFailure.failed("the raster has no pixels") }
            let stored = StoredPixels(
                start: start, width: raster.width, height: raster.height, channels: raster.format.rawValue,
                stride: raster.width * raster.format.rawValue)
            // The orientations of EXIF that a viewer shows by such turns.
            let orientation = [1, 6, 3, 8][quarterTurns & 3]
            return try stored.upright(orientation: orientation, to: .rgb8, scale: scale)
        }
        (width, height, bytes) = (pixels.width, pixels.height, pixels.bytes)
    }

    /// This picture on a larger sheet of paper, `left` pixels from its left edge, at its top.
    init(_ picture: OverlayCanvas, left: Int, width: Int, height: Int) {
        let row = picture.width * 3
        var bytes = [UInt8](repeating: 0xFF, count: width * height * 3)
        for y in 0..<min(height, picture.height) {
            let start = (y * width + left) * 3
            bytes.replaceSubrange(start..<start + row, with: picture.bytes[y * row..<(y + 1) * row])
        }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Draws straight lines, clipped to a margin around the picture.
    mutating func lines(_ lines: [(from: Point, to: Point)], colour: UInt32, thickness: Int) throws(ItemFailure) {
        guard !lines.isEmpty else { return }
        // OpenCV's drawing shifts coordinates to the left, so unbounded numbers would overflow.
        let bound = 4.0 * Double(max(width, height))
        let points = lines.flatMap { [$0.from.x, $0.from.y, $0.to.x, $0.to.y] }.map { value in
            Int32(value.isFinite ? min(bound, max(-bound, value)).rounded() : 0)
        }
        try check(
            bytes.withUnsafeMutableBufferPointer { buffer in
                tcv_draw_lines(
                    buffer.baseAddress, Int32(width), Int32(height), points, Int32(lines.count), colour,
                    Int32(thickness))
            })
    }

    /// A disc with its number; nothing outside the radius changes.
    mutating func dot(_ number: Int, x: Int, y: Int, radius: Int) throws(ItemFailure) {
        guard radius >= 2 else { return }
        // OpenCV's smooth edge takes another pixel.
        let rim = radius - 1
        for (size, colour) in [(rim, OverlayPalette.rim), (rim - max(1, radius / 8), OverlayPalette.dot)] where size > 0
        {
            try check(
                bytes.withUnsafeMutableBufferPointer { buffer in
                    tcv_draw_disc(
                        buffer.baseAddress, Int32(width), Int32(height), Int32(x), Int32(y), Int32(size), colour)
                })
        }
        let text = String(number)
        let whole = Self.size(of: text, scale: 1, thickness: 1)
        guard whole.width > 0, whole.ascent > 0 else { return }
        let room = 1.3 * Double(radius)
        let scale = min(room / Double(whole.width), 0.9 * Double(radius) / Double(whole.ascent))
        let size = Self.size(of: text, scale: scale, thickness: 1)
        try self.text(
            text, x: x - size.width / 2, baseLine: y + size.ascent / 2, scale: scale, thickness: radius > 14 ? 2 : 1,
            colour: OverlayPalette.paper)
    }

    /// - Parameter text: Printable ASCII.
    mutating func text(
        _ text: String, x: Int, baseLine: Int, scale: Double, thickness: Int, colour: UInt32
    ) throws(ItemFailure) {
        try check(
            bytes.withUnsafeMutableBufferPointer { buffer in
                tcv_draw_text(
                    buffer.baseAddress, Int32(width), Int32(height), text, Int32(x), Int32(baseLine), scale,
                    Int32(thickness), colour)
            })
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
