import Vocabulary

internal import CLeptonica
internal import COpenCV

/// JPEG, PNG, WebP, TIFF, BMP and GIF through leptonica.
enum LeptonicaDecoder {
    /// Nil where leptonica finds no picture.
    static func decode(_ bytes: [UInt8]) -> Raster? {
        guard let read = bytes.withUnsafeBufferPointer({ pixReadMem($0.baseAddress, $0.count) }) else { return nil }
        var picture: UnsafeMutablePointer<Pix>? = read
        defer { pixDestroy(&picture) }
        let isGray = pixGetColormap(picture) == nil && pixGetDepth(picture) == 8
        // pixConvertTo32 takes one bit a pixel for black on white, whatever the palette says.
        if pixGetColormap(picture) != nil {
            guard let coloured = pixRemoveColormap(picture, Int32(REMOVE_CMAP_TO_FULL_COLOR)) else { return nil }
            pixDestroy(&picture)
            picture = coloured
        }
        // Transparent is shown as on white paper.
        if pixGetSpp(picture) == 4, pixGetDepth(picture) == 32 {
            guard let flat = pixAlphaBlendUniform(picture, 0xFFFF_FF00) else { return nil }
            pixDestroy(&picture)
            picture = flat
        }
        guard let words = pixConvertTo32(picture) else { return nil }
        var converted: UnsafeMutablePointer<Pix>? = words
        defer { pixDestroy(&converted) }
        guard let rgb = rgbRaster(words) else { return nil }
        return isGray ? rgb.gray() : rgb
    }

    /// PNG bytes of an RGB raster.
    static func png(_ raster: Raster) -> [UInt8]? {
        guard raster.format == .rgb8, let made = pixCreate(Int32(raster.width), Int32(raster.height), 32) else {
            return nil
        }
        var picture: UnsafeMutablePointer<Pix>? = made
        defer { pixDestroy(&picture) }
        pixSetSpp(made, 3)
        guard
            tcv_rgb_to_words(raster.bytes, Int32(raster.width), Int32(raster.height), pixGetData(made), pixGetWpl(made))
                == 0
        else { return nil }
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard pixWriteMemPng(&data, &count, made, 0) == 0, let data else { return nil }
        defer { lept_free(data) }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }

    private static func rgbRaster(_ picture: UnsafeMutablePointer<Pix>) -> Raster? {
        let (width, height) = (Int(pixGetWidth(picture)), Int(pixGetHeight(picture)))
        guard width > 0, height > 0, let words = pixGetData(picture) else { return nil }
        var isDone = false
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            isDone = tcv_words_to_rgb(words, pixGetWpl(picture), Int32(width), Int32(height), buffer.baseAddress) == 0
            count = isDone ? buffer.count : 0
        }
        return isDone ? Raster(width: width, height: height, format: .rgb8, bytes: bytes) : nil
    }
}

extension Raster {
    /// The luma of an RGB raster.
    fileprivate func gray() -> Raster? {
        var isDone = false
        let gray = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            isDone = tcv_rgb_to_gray(bytes, Int32(width), Int32(height), buffer.baseAddress) == 0
            count = isDone ? buffer.count : 0
        }
        return isDone ? Raster(width: width, height: height, format: .gray8, bytes: gray) : nil
    }
}
