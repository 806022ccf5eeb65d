import Core

/// The headers of a Windows bitmap (BITMAPINFOHEADER and its longer versions).
enum BMPFile {
    /// Lengths of the second header by version. 12 is the OS/2 core header, with 16-bit sides.
    static let headerSizes: Set<Int> = [12, 40, 52, 56, 64, 108, 124]

    private struct Fields {
        var width: Int
        /// Negative if the rows are stored from the top down.
        var height: Int
        var bits: Int
        var compression: Int
        var pixelsAt: Int
    }

    private static func fields(_ view: ByteView) -> Fields? {
        guard let pixelsAt = view.u32(10, .little), let size = view.u32(14, .little) else { return nil }
        if size == 12 {
            guard let width = view.u16(18, .little), let height = view.u16(20, .little),
                let bits = view.u16(24, .little)
            else { return nil }
            return Fields(width: width, height: height, bits: bits, compression: 0, pixelsAt: pixelsAt)
        }
        guard let width = view.s32(18, .little), let height = view.s32(22, .little), let bits = view.u16(28, .little),
            let compression = view.u32(30, .little)
        else { return nil }
        return Fields(width: width, height: height, bits: bits, compression: compression, pixelsAt: pixelsAt)
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        guard let fields = fields(view) else { throw ImagingFailure.truncated("the BMP ends within its header") }
        guard fields.compression == 0 else {
            throw ImagingFailure.unsupported("a compressed BMP (kind \(fields.compression))")
        }
        return try ImageHeader(
            .bmp, width: fields.width, height: abs(fields.height), decoderBytesPerPixel: Double(fields.bits) / 8,
            outputBytesPerPixel: fields.bits <= 8 ? 1 : 4)
    }

    static func completeness(_ view: ByteView) -> Completeness {
        guard let fields = fields(view) else { return .truncated("the BMP ends within its header") }
        let row = (max(0, fields.width) * fields.bits + 31) / 32 * 4
        let (size, overflow) = row.multipliedReportingOverflow(by: abs(fields.height))
        guard !overflow, view.holds(fields.pixelsAt, size) else {
            return .truncated(
                "the BMP needs \(overflow ? "more" : "\(size)") bytes of pixels from byte \(fields.pixelsAt) on")
        }
        return .complete
    }
}
