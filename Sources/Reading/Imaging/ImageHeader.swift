import Core

/// Properties that a picture file declares, read without decoding and without trusting any of them.
package struct ImageHeader: Sendable, Hashable {
    package var format: ImageFormat
    /// Stored width, pixels, at least 1; of the first frame or page.
    package var width: Int
    /// Stored height, pixels, at least 1; of the first frame or page.
    package var height: Int
    /// EXIF orientation 1…8; 1 if it is absent or invalid. Always 1 for HEIC and AVIF, whose transformations the
    /// decoder applies.
    package var orientation: Int
    /// True if the file stores no colour.
    package var isGray: Bool
    /// Upper estimate of the decoder's memory per stored pixel, besides the picture itself.
    var decoderBytesPerPixel: Double
    /// Bytes per pixel of the decoded picture.
    var outputBytesPerPixel: Double

    /// True if the decoder returns colours premultiplied by alpha.
    var isAlphaMultiplied = false
    /// The 8-bit gray value that the file declares transparent.
    var transparentGray: Int?

    init(
        _ format: ImageFormat, width: Int, height: Int, orientation: Int = 1, isGray: Bool = false,
        decoderBytesPerPixel: Double, outputBytesPerPixel: Double
    ) throws(ItemFailure) {
        guard width > 0, height > 0 else {
            throw ImagingFailure.damaged("the header claims \(width) × \(height) pixels")
        }
        self.format = format
        self.width = width
        self.height = height
        self.orientation = (1...8).contains(orientation) ? orientation : 1
        self.isGray = isGray
        self.decoderBytesPerPixel = decoderBytesPerPixel
        self.outputBytesPerPixel = outputBytesPerPixel
    }

    /// Reads the header of a whole file or of its beginning.
    ///
    /// - Throws: `emptyFile`, `notAnImage`, `unsupportedFormat` (with the format's name), `truncated` if the bytes
    ///   end within the header, `damaged` if the header is invalid.
    package init(_ bytes: [UInt8]) throws(ItemFailure) {
        let view = ByteView(bytes)
        guard view.count > 0 else { throw ImagingFailure.empty() }
        switch ImageSignature(view) {
        case .unknown: throw ImagingFailure.notAnImage(view)
        case .other(let name): throw ImagingFailure.unsupported(name)
        case .picture(let format):
            switch format {
            case .jpeg: self = try JPEGFile.header(view)
            case .png: self = try PNGFile.header(view)
            case .webp: self = try WebPFile.header(view)
            case .tiff: self = try TIFFFile.header(view)
            case .bmp: self = try BMPFile.header(view)
            case .gif: self = try GIFFile.header(view)
            case .pnm: self = try PNMFile.header(view)
            case .heic, .avif: self = try HEIFFile.header(view, format)
            }
        }
    }
}

/// Whether a file contains its whole picture.
///
/// Decoders return a truncated file as a picture without an error, so this check is separate. Data behind the
/// picture's end is ignored.
package enum Completeness: Sendable, Hashable {
    case complete
    /// The file ends before the picture does.
    case truncated(String)
    /// The file is complete, but part of it is invalid.
    case damaged(String)

    /// - Parameter format: The format that `ImageHeader` found in the same bytes.
    package init(of bytes: [UInt8], format: ImageFormat) {
        let view = ByteView(bytes)
        self =
            switch format {
            case .jpeg: JPEGFile.walk(view).completeness
            case .png: PNGFile.completeness(view)
            case .webp: WebPFile.completeness(view)
            case .tiff: TIFFFile.completeness(view)
            case .bmp: BMPFile.completeness(view)
            case .gif: GIFFile.completeness(view)
            case .pnm: PNMFile.completeness(view)
            case .heic, .avif: HEIFFile.completeness(view)
            }
    }

    var failure: ItemFailure? {
        switch self {
        case .complete: nil
        case .truncated(let detail): ImagingFailure.truncated(detail)
        case .damaged(let detail): ImagingFailure.damaged(detail)
        }
    }
}
