import Core

internal import CLeptonica

/// A picture of leptonica. It owns the PIX, which is destroyed with it.
struct LeptonicaPicture: ~Copyable {
    private var pix: UnsafeMutablePointer<PIX>?
    /// Number of invalid data segments that the decoder skipped.
    let warnings: Int

    /// Leptonica prints every problem unless its messages are disabled once.
    private static let isSilenced: Bool = {
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        return true
    }()

    deinit {
        var owned = pix
        pixDestroy(&owned)
    }

    /// Decodes the bytes; nil if leptonica fails. A JPEG with invalid data is decoded as far as possible.
    ///
    /// - Parameter reduction: Factor 1, 2, 4 or 8 by which a JPEG is scaled down during decoding.
    init?(decoding bytes: [UInt8], as format: ImageFormat, reduction: Int) {
        guard Self.isSilenced else { return nil }
        var count: Int32 = 0
        let size = bytes.count
        let decoded: UnsafeMutablePointer<PIX>? = bytes.withUnsafeBufferPointer {
            buffer -> UnsafeMutablePointer<PIX>? in
            guard let start = buffer.baseAddress else { return nil }
            switch format {
            case .jpeg:
                return pixReadMemJpeg(
                    start, size, 0, Int32(reduction), &count, Int32(L_JPEG_CONTINUE_WITH_BAD_DATA))
            case .png: return pixReadMemPng(start, size)
            case .webp: return pixReadMemWebP(start, size)
            case .tiff: return pixReadMemTiff(start, size, 0)
            case .bmp: return pixReadMemBmp(start, size)
            case .gif: return pixReadMemGif(start, size)
            case .pnm: return pixReadMemPnm(start, size)
            case .heic, .avif: return nil
            }
        }
        guard let decoded else { return nil }
        pix = decoded
        warnings = Int(count)
    }

    /// A picture of a raster, for writing.
    init?(_ raster: Raster) {
        guard Self.isSilenced else { return nil }
        var created = pixCreate(Int32(raster.width), Int32(raster.height), 32)
        guard let data = pixGetData(created),
            Self.fill(data, stride: Int(pixGetWpl(created)) * 4, from: raster)
        else {
            pixDestroy(&created)
            return nil
        }
        pixEndianByteSwap(created)
        pix = created
        warnings = 0
    }

    /// The upright raster, the decoded size, and the share of rows that contain data. Call it once, because it
    /// changes the PIX.
    mutating func upright(
        header: ImageHeader, maximumSide: Int?
    ) throws(ItemFailure) -> (raster: Raster, width: Int, height: Int, paintedShare: Double) {
        try flatten()
        guard let pix, let data = pixGetData(pix) else { throw ImagingFailure.failed("leptonica lost the picture") }
        // Leptonica keeps samples in 32-bit words, the first in the highest byte.
        pixEndianByteSwap(pix)
        let (width, height) = (Int(pixGetWidth(pix)), Int(pixGetHeight(pix)))
        let isColour = pixGetDepth(pix) == 32
        let stride = Int(pixGetWpl(pix)) * 4
        var paintedShare = 1.0
        let raster = try data.withMemoryRebound(to: UInt8.self, capacity: stride * height) {
            start throws(ItemFailure) in
            let hasAlpha = isColour && pixGetSpp(pix) == 4
            let pixels = StoredPixels(
                start: start, width: width, height: height, channels: isColour ? 4 : 1, stride: stride,
                alpha: hasAlpha ? (header.isAlphaMultiplied ? .multiplied : .straight) : .none,
                transparentGray: header.transparentGray)
            paintedShare = pixels.paintedShare
            let scale = ImageDecoder.scale(width, height, to: maximumSide)
            return try pixels.upright(
                orientation: header.orientation, to: isColour && !header.isGray ? .rgb8 : .gray8, scale: scale)
        }
        return (raster, width, height, paintedShare)
    }

    /// Converts palettes, bits and 16-bit samples to 8-bit gray, or colour with alpha.
    private mutating func flatten() throws(ItemFailure) {
        guard let stored = pix else { return }
        let depth = pixGetDepth(stored)
        var flat: UnsafeMutablePointer<PIX>?
        if let palette = pixGetColormap(stored) {
            var isOpaque: Int32 = 1
            pixcmapIsOpaque(palette, &isOpaque)
            flat = pixRemoveColormap(
                stored, Int32(isOpaque == 1 ? REMOVE_CMAP_BASED_ON_SRC : REMOVE_CMAP_WITH_ALPHA))
            // A palette of two colours may become single bits.
            if let bits = flat, pixGetDepth(bits) < 8 {
                var used: UnsafeMutablePointer<PIX>? = bits
                flat = pixConvertTo8(bits, 0)
                pixDestroy(&used)
            }
        } else if depth == 32 || depth == 8 {
            return
        } else {
            flat = pixConvertTo8Or32(stored, Int32(L_COPY), 0)
        }
        guard let flat else {
            throw ImagingFailure.failed("leptonica cannot convert a picture of \(depth) bits a pixel")
        }
        var used: UnsafeMutablePointer<PIX>? = stored
        pixDestroy(&used)
        pix = flat
    }

    /// The picture as the bytes of a JPEG file; nil if leptonica cannot write it.
    ///
    /// - Parameter quality: 1…100.
    func jpeg(quality: Int32) -> [UInt8]? {
        var data: UnsafeMutablePointer<UInt8>?
        var size = 0
        guard pixWriteMemJpeg(&data, &size, pix, quality, 0) == 0, let written = data else { return nil }
        defer { lept_free(written) }
        return Array(UnsafeBufferPointer(start: written, count: size))
    }

    /// The picture as the bytes of a PNG file; nil if leptonica cannot write it.
    func png() -> [UInt8]? {
        var data: UnsafeMutablePointer<UInt8>?
        var size = 0
        guard pixWriteMemPng(&data, &size, pix, 0) == 0, let written = data else { return nil }
        defer { lept_free(written) }
        return Array(UnsafeBufferPointer(start: written, count: size))
    }
}
