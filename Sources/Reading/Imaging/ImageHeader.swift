import Core

/// What a picture file says of itself, read without decoding and without trusting any of it.
public struct ImageHeader: Sendable, Hashable {
    public var format: ImageFormat
    /// Pixels as stored, at least 1; of the first frame or page.
    public var width: Int
    /// Pixels as stored, at least 1; of the first frame or page.
    public var height: Int
    /// EXIF orientation 1…8; 1 where the file has none or an impossible one, and for HEIC and AVIF, whose own
    /// transformations the decoder applies.
    public var orientation: Int
    /// True where the file stores no colour.
    public var isGray: Bool
    /// What the decoder holds for each stored pixel beside the picture itself; reckoned high.
    var decoderBytesPerPixel: Double
    /// What the decoded picture takes for each pixel.
    var outputBytesPerPixel: Double

    /// True where the decoder gives colours that are multiplied by alpha already.
    var isAlphaMultiplied = false
    /// The 8-bit gray that the file calls transparent.
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
    /// Throws `emptyFile`, `notAnImage`, `unsupportedFormat` (with the format's name), `truncated` where the bytes end
    /// within the header, `damaged` where it says what cannot be.
    public init(_ bytes: [UInt8]) throws(ItemFailure) {
        let view = ByteView(bytes)
        guard view.count > 0 else { throw ImagingFailure.empty() }
        switch ImageSignature(view) {
        case .unknown: throw ImagingFailure.notAnImage()
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

    /// Pixels of the upright picture.
    public var uprightSize: (width: Int, height: Int) {
        orientation >= 5 ? (height, width) : (width, height)
    }
}

/// Whether a file holds all of its picture: decoders answer a cut file with a picture and no error, so this is our own
/// check. What follows the picture's end does not count.
public enum Completeness: Sendable, Hashable {
    case complete
    /// The file ends before the picture does.
    case cut(String)
    /// All is there, and something in it is wrong.
    case damaged(String)

    /// - Parameter format: what `ImageHeader` said of the same bytes.
    public init(of bytes: [UInt8], format: ImageFormat) {
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
        case .cut(let detail): ImagingFailure.truncated(detail)
        case .damaged(let detail): ImagingFailure.damaged(detail)
        }
    }
}
