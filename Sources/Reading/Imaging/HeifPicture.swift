import Core

internal import CHeif

/// A picture decoded by libheif. It owns the context, the handle and the image.
struct HeifPicture: ~Copyable {
    private let context: OpaquePointer
    private var handle: OpaquePointer?
    private var image: OpaquePointer?

    deinit {
        heif_image_release(image)
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// Decodes the primary picture of `bytes` into an upright raster. libheif applies the file's own transformations.
    static func decode(
        _ bytes: [UInt8], limits: ImagingLimits
    ) throws(ItemFailure) -> (raster: Raster, width: Int, height: Int) {
        guard let context = heif_context_alloc() else { throw ImagingFailure.failed("libheif gives no context") }
        var picture = HeifPicture(context: context)
        return try bytes.withUnsafeBufferPointer { buffer throws(ItemFailure) in
            // The bytes are not copied. They outlive every use of the context within this call.
            try check(heif_context_read_from_memory_without_copy(context, buffer.baseAddress, buffer.count, nil))
            return try picture.raster(limits)
        }
    }

    private init(context: OpaquePointer) {
        self.context = context
        handle = nil
        image = nil
    }

    private mutating func raster(_ limits: ImagingLimits) throws(ItemFailure) -> (
        raster: Raster, width: Int, height: Int
    ) {
        try Self.check(heif_context_get_primary_image_handle(context, &handle))
        // The limits were checked against the header as parsed here. The decoder allocates by its own size, which is
        // therefore checked too.
        let claimed = (Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
        guard claimed.0 <= limits.side, claimed.1 <= limits.side, claimed.0 * claimed.1 <= limits.pixels else {
            throw ImagingFailure.tooLarge(
                "the picture claims \(claimed.0) × \(claimed.1) pixels; at most \(limits.pixels) in all are decoded")
        }
        let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
        let options = heif_decoding_options_alloc()
        defer { heif_decoding_options_free(options) }
        options?.pointee.convert_hdr_to_8bit = 1
        try Self.check(
            heif_decode_image(
                handle, &image, heif_colorspace_RGB,
                hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
                options))
        var stride: Int32 = 0
        guard let start = heif_image_get_plane(image, heif_channel_interleaved, &stride) else {
            throw ImagingFailure.failed("libheif gives no pixels")
        }
        let width = Int(heif_image_get_width(image, heif_channel_interleaved))
        let height = Int(heif_image_get_height(image, heif_channel_interleaved))
        let pixels = StoredPixels(
            start: start, width: width, height: height, channels: hasAlpha ? 4 : 3, stride: Int(stride),
            alpha: hasAlpha ? .straight : .none)
        let scale = ImageDecoder.scale(width, height, to: limits.maximumSide)
        return (try pixels.upright(orientation: 1, to: .rgb8, scale: scale), width, height)
    }

    private static func check(_ error: heif_error) throws(ItemFailure) {
        guard error.code != heif_error_Ok else { return }
        let message = error.message.map { String(cString: $0) } ?? "no reason given"
        throw ImagingFailure.damaged("the decoder refuses the picture: \(message)")
    }
}
