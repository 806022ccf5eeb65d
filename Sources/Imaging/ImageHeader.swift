import Vocabulary

/// What a file says of itself before anything is decoded.
struct ImageHeader: Equatable {
    /// The formats that are read, by the names outcomes use.
    enum Format: String {
        case jpeg, png, webp, tiff, bmp, gif, heic, avif
    }

    var format: Format
    /// As stored, before it is turned upright; nil where only the decoder finds out.
    var width: Int?
    var height: Int?
    /// EXIF orientation 1…8 as stored.
    var orientation = 1
    /// True where the decoder turns the picture upright by itself: leptonica does for TIFF, libheif for HEIC and AVIF.
    var isTurnedByDecoder: Bool { [.tiff, .heic, .avif].contains(format) }
    /// Nil where the file is whole; else what is missing.
    var shortfall: String?
    /// Scans of a JPEG.
    var scans = 1

    /// Recognises the format by its first bytes and walks the file's structure to its end.
    ///
    /// - Throws: `emptyFile`, `notAnImage`, `unsupportedFormat`.
    init(_ bytes: [UInt8]) throws(ItemFailure) {
        let reader = ByteReader(bytes: bytes)
        guard !bytes.isEmpty else {
            throw ItemFailure(
                stage: .imaging, code: .emptyFile, detail: "the file is empty (0 bytes)",
                hint: "copy the photo again; the transfer may have broken off")
        }
        if reader.has([0xFF, 0xD8]) {
            self = JPEGStructure(reader).header
        } else if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = PNGStructure(reader).header
        } else if reader.has("RIFF"), reader.has("WEBP", at: 8) {
            self = WebPStructure(reader).header
        } else if reader.has([0x49, 0x49, 0x2A, 0x00]) || reader.has([0x4D, 0x4D, 0x00, 0x2A]) {
            self = TIFFStructure(reader).header
        } else if reader.has("BM"), reader.count >= 14 {
            self = BMPStructure(reader).header
        } else if reader.has("GIF87a") || reader.has("GIF89a") {
            self = GIFStructure(reader).header
        } else if reader.has("ftyp", at: 4), let format = HEIFStructure.format(reader) {
            self = HEIFStructure(reader, format).header
        } else {
            throw Self.unknown(reader)
        }
    }

    init(_ format: Format) { self.format = format }

    /// - Throws: `tooLarge`, with the figures.
    func check(_ limits: ImagingLimits) throws(ItemFailure) {
        func refuse(_ detail: String) -> ItemFailure {
            ItemFailure(
                stage: .imaging, code: .tooLarge, detail: detail,
                hint: "save it smaller: 4,000 pixels on the long side are enough for everything that is read here")
        }
        if scans > limits.jpegScans { throw refuse("\(scans) scans; at most \(limits.jpegScans) are decoded") }
        guard let width, let height else { return }
        if max(width, height) > limits.side || width * height > limits.pixels {
            throw refuse(
                "\(width)×\(height) pixels; at most \(limits.side) a side and \(limits.pixels / 1_000_000) megapixels are decoded"
            )
        }
    }

    private static func unknown(_ reader: ByteReader) -> ItemFailure {
        let known: [(magic: [UInt8], at: Int, name: String)] = [
            (Array("%PDF".utf8), 0, "a PDF"), (Array("8BPS".utf8), 0, "a Photoshop file"),
            ([0xFF, 0x0A], 0, "a JPEG XL picture"), ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C], 0, "a JPEG XL picture"),
            ([0, 0, 0, 0x0C, 0x6A, 0x50], 0, "a JPEG 2000 picture"), ([0x49, 0x49, 0x2B, 0], 0, "a BigTIFF"),
            ([0x4D, 0x4D, 0, 0x2B], 0, "a BigTIFF"), (Array("<svg".utf8), 0, "an SVG drawing"),
            (Array("PK".utf8), 0, "a ZIP archive"), (Array("ftyp".utf8), 4, "a video"), ([0, 0, 1, 0], 0, "an icon"),
            ([0x1A, 0x45, 0xDF, 0xA3], 0, "a video"), (Array("fLaC".utf8), 0, "a sound file"),
        ]
        if let match = known.first(where: { reader.has($0.magic, at: $0.at) }) {
            return ItemFailure(
                stage: .imaging, code: .unsupportedFormat, detail: "this is \(match.name)",
                hint: "save it as JPEG or PNG; read are JPEG, PNG, WebP, TIFF, BMP, GIF, HEIC and AVIF")
        }
        return ItemFailure(
            stage: .imaging, code: .notAnImage,
            detail: "the first bytes are of no picture format, whatever the file's name says",
            hint: "give a photo: JPEG, PNG, WebP, TIFF, BMP, GIF, HEIC or AVIF")
    }
}
