import Vocabulary

internal import CHeif

/// HEIC and AVIF through libheif, which turns the picture upright by itself.
enum HEIFDecoder {
    /// Nil where libheif finds no picture.
    ///
    /// - Throws: `tooLarge`: only libheif knows the size.
    static func decode(_ bytes: [UInt8], _ limits: ImagingLimits) throws(ItemFailure) -> Raster? {
        guard let context = heif_context_alloc() else { return nil }
        defer { heif_context_free(context) }
        // The copying call: the handle may outlive the closure that lends the bytes.
        let read = bytes.withUnsafeBytes { heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil) }
        guard read.code == heif_error_Ok else { return nil }
        var handle: OpaquePointer?
        guard heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok, let handle else {
            return nil
        }
        defer { heif_image_handle_release(handle) }
        var header = ImageHeader(.heic)
        header.width = Int(heif_image_handle_get_width(handle))
        header.height = Int(heif_image_handle_get_height(handle))
        try header.check(limits)

        var image: OpaquePointer?
        guard
            heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, nil).code
                == heif_error_Ok,
            let image
        else { return nil }
        defer { heif_image_release(image) }
        var stride: Int32 = 0
        let width = Int(heif_image_get_width(image, heif_channel_interleaved))
        let height = Int(heif_image_get_height(image, heif_channel_interleaved))
        guard let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride), width > 0,
            height > 0,
            Int(stride) >= width * 3
        else { return nil }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            pixels.append(contentsOf: UnsafeBufferPointer(start: plane + row * Int(stride), count: width * 3))
        }
        return Raster(width: width, height: height, format: .rgb8, bytes: pixels)
    }
}
