import Glibc
import Core

internal import COpenCV

/// A decoded picture in the decoder's own memory: rows of 8-bit samples, not yet rotated upright.
struct StoredPixels {
    var start: UnsafeMutablePointer<UInt8>
    var width: Int
    var height: Int
    /// 1: gray; 3: R G B; 4: R G B and alpha or padding.
    var channels: Int
    /// Bytes between the starts of two rows.
    var stride: Int
    var alpha = Alpha.none

    /// The gray value that is transparent, or nil.
    var transparentGray: Int?

    /// The meaning of the fourth channel.
    enum Alpha { case none, straight, multiplied }

    /// Share of rows 0…1 above the uniform rows at the bottom.
    ///
    /// A decoder that runs out of data fills the rest of a truncated picture with its last colour.
    var paintedShare: Double {
        func isOneColour(_ row: Int) -> Bool {
            let first = start + row * stride
            return memcmp(first, first + channels, (width - 1) * channels) == 0
                && memcmp(first, start + (height - 1) * stride, channels) == 0
        }
        var rows = height
        while rows > 0, isOneColour(rows - 1) { rows -= 1 }
        return Double(rows) / Double(height)
    }

    /// Blends the picture with white, scales it by `scale` (0…1), rotates it and copies it.
    func upright(orientation: Int, to format: Raster.PixelFormat, scale: Double) throws(ItemFailure) -> Raster {
        if alpha != .none {
            let isMultiplied: Int32 = alpha == .multiplied ? 1 : 0
            try check(tcv_blend_on_white(start, Int32(width), Int32(height), stride, isMultiplied), "blending")
        }
        if let transparentGray, channels == 1 {
            try check(tcv_whiten(start, Int32(width), Int32(height), stride, Int32(transparentGray)), "blending")
        }
        func scaled(_ side: Int) -> Int { scale < 1 ? max(1, Int((Double(side) * scale).rounded())) : side }
        let isTurned = orientation >= 5
        let (toWidth, toHeight) = isTurned ? (scaled(height), scaled(width)) : (scaled(width), scaled(height))
        let size = toWidth * toHeight * format.rawValue
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            status = tcv_upright(
                start, Int32(width), Int32(height), Int32(channels), stride, Int32(orientation), buffer.baseAddress,
                Int32(toWidth), Int32(toHeight), Int32(format.rawValue))
            count = status == 0 ? size : 0
        }
        try check(status, "turning")
        guard let raster = Raster(width: toWidth, height: toHeight, format: format, bytes: bytes) else {
            throw ImagingFailure.failed("a picture of \(toWidth) × \(toHeight) pixels cannot be held")
        }
        return raster
    }

    private func check(_ status: Int32, _ step: String) throws(ItemFailure) {
        guard status == 0 else { throw ImagingFailure.failed("\(step) the picture ended with OpenCV status \(status)") }
    }
}
