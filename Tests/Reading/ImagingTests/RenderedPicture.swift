import Testing
import Core

internal import CHeif
internal import CLeptonica

@testable import Imaging

/// A picture of four plain quarters, encoded by the real libraries.
struct RenderedPicture: Sendable {
    /// Colours of the quarters, row by row: top left, top right, bottom left, bottom right.
    static let quarters: [[UInt8]] = [[200, 30, 30], [30, 160, 60], [30, 60, 200], [240, 230, 40]]

    var width = 48
    var height = 32
    /// True for gray quarters: the green values of `quarters`.
    var isGray = false

    /// The colour of a pixel.
    private func colour(_ x: Int, _ y: Int) -> [UInt8] {
        Self.quarters[(y * 2 / height) * 2 + x * 2 / width]
    }

    /// The file in a format, as leptonica or libheif writes it.
    func file(_ format: ImageFormat, progressive: Bool = false) throws -> [UInt8] {
        if format == .heic || format == .avif { return try heif(format, orientation: 1) }
        var pix = try #require(pixCreate(Int32(width), Int32(height), isGray ? 8 : 32))
        defer {
            var owned: UnsafeMutablePointer<PIX>? = pix
            pixDestroy(&owned)
        }
        for y in 0..<height {
            for x in 0..<width {
                let value = colour(x, y).map(Int32.init)
                if isGray {
                    pixSetPixel(pix, Int32(x), Int32(y), UInt32(value[1]))
                } else {
                    pixSetRGBPixel(pix, Int32(x), Int32(y), value[0], value[1], value[2])
                }
            }
        }
        if format == .gif && !isGray {
            var colours: UnsafeMutablePointer<PIX>? = pix
            pix = try #require(pixConvertRGBToColormap(pix, 0))
            pixDestroy(&colours)
        }
        var data: UnsafeMutablePointer<UInt8>?
        var size = 0
        let status =
            switch format {
            case .jpeg: pixWriteMemJpeg(&data, &size, pix, 95, progressive ? 1 : 0)
            case .png: pixWriteMemPng(&data, &size, pix, 0)
            case .webp: pixWriteMemWebP(&data, &size, pix, 90, 1)
            case .tiff: pixWriteMemTiff(&data, &size, pix, Int32(IFF_TIFF_LZW))
            case .bmp: pixWriteMemBmp(&data, &size, pix)
            case .gif: pixWriteMemGif(&data, &size, pix)
            case .pnm: pixWriteMemPnm(&data, &size, pix)
            case .heic, .avif: Int32(1)
            }
        #expect(status == 0, "leptonica cannot write \(format)")
        let written = try #require(data)
        defer { lept_free(written) }
        return Array(UnsafeBufferPointer(start: written, count: size))
    }

    /// A HEIC or AVIF whose own transformations rotate it like EXIF `orientation`.
    func heif(_ format: ImageFormat, orientation: UInt32) throws -> [UInt8] {
        let context = try #require(heif_context_alloc())
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        let kind = format == .heic ? heif_compression_HEVC : heif_compression_AV1
        #expect(heif_context_get_encoder_for_format(context, kind, &encoder).code == heif_error_Ok)
        defer { heif_encoder_release(encoder) }
        var image: OpaquePointer?
        _ = heif_image_create(Int32(width), Int32(height), heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image)
        defer { heif_image_release(image) }
        _ = heif_image_add_plane(image, heif_channel_interleaved, Int32(width), Int32(height), 8)
        var stride: Int32 = 0
        let plane = try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride))
        for y in 0..<height {
            for x in 0..<width {
                for (channel, value) in colour(x, y).enumerated() {
                    plane[y * Int(stride) + x * 3 + channel] = value
                }
            }
        }
        _ = heif_encoder_set_lossy_quality(encoder, 90)
        let options = try #require(heif_encoding_options_alloc())
        defer { heif_encoding_options_free(options) }
        options.pointee.image_orientation = heif_orientation(rawValue: orientation)
        #expect(heif_context_encode_image(context, image, encoder, options, nil).code == heif_error_Ok)
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        var writer = heif_writer(writer_api_version: 1) { _, data, size, user in
            if let data, let user {
                let sink = Unmanaged<Sink>.fromOpaque(user).takeUnretainedValue()
                sink.bytes += UnsafeRawBufferPointer(start: data, count: size)
            }
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        let status = heif_context_write(context, &writer, Unmanaged.passUnretained(sink).toOpaque())
        #expect(status.code == heif_error_Ok)
        return sink.bytes
    }
}

extension Raster {
    /// The pixel at the centre of each quarter, row by row.
    var quarterCentres: [[UInt8]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in pixel(width * x / 4, height * y / 4) }
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * format.rawValue
        return Array(bytes[start..<(start + format.rawValue)])
    }
}

/// The maximum difference of any sample.
func difference(_ one: [[UInt8]], _ other: [[UInt8]]) -> Int {
    guard one.map(\.count) == other.map(\.count) else { return 256 }
    return zip(one.joined(), other.joined()).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
