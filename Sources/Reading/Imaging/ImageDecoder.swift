import Core

/// A photo as it is looked at.
public struct DecodedImage: Sendable {
    /// Upright; `gray8` where the file stores no colour, else `rgb8`. What was transparent is white.
    public var raster: Raster
    public var format: ImageFormat
    /// EXIF orientation 1…8 as stored; the raster is upright already.
    public var orientation: Int
    /// Pixels of the whole upright photo; the raster has fewer where it was scaled.
    public var width: Int
    /// Pixels of the whole upright photo.
    public var height: Int
    /// Pixels of the raster for one of the photo, 0…1: divide raster coordinates by it for those of the photo.
    public var scale: Double
    /// Set where the file is cut or damaged and this is what could still be read of it.
    public var shortfall: ItemFailure?

    public var isComplete: Bool { shortfall == nil }
}

/// Turns a file's bytes into an upright raster, within limits. Blocking; for a worker, not for the cooperative pool.
public struct ImageDecoder: Sendable {
    public let limits: ImagingLimits

    /// Of a cut picture's height; with less than that there is nothing to read. A choice, not a measurement.
    private static let leastPaintedShare = 0.1

    public init(limits: ImagingLimits = ImagingLimits()) { self.limits = limits }

    /// The first frame or page of the picture.
    ///
    /// Throws `emptyFile`, `notAnImage`, `unsupportedFormat`, `tooLarge` (by the header, before decoding), `truncated`
    /// where a cut file has nothing to show, `damaged` where a whole file is refused by its decoder, and `decodeFailed`
    /// for what should not happen.
    public func decode(_ bytes: [UInt8]) throws(ItemFailure) -> DecodedImage {
        try limits.check(fileBytes: bytes.count)
        let header = try ImageHeader(bytes)
        let reduction = reduction(for: header)
        try limits.check(header, reduction: reduction)
        let completeness = try checkedCompleteness(bytes, header)
        switch header.format {
        case .heic, .avif: return try heif(bytes, header, completeness)
        default: return try leptonica(bytes, header, completeness, reduction)
        }
    }

    private func leptonica(
        _ bytes: [UInt8], _ header: ImageHeader, _ completeness: Completeness, _ reduction: Int
    ) throws(ItemFailure) -> DecodedImage {
        let prepared = prepared(ByteView(bytes), header) ?? bytes
        guard var picture = LeptonicaPicture(decoding: prepared, as: header.format, reduction: reduction) else {
            throw completeness.failure
                ?? ImagingFailure.damaged("the \(header.format.rawValue) decoder refuses the picture")
        }
        let warnings = picture.warnings
        let (raster, width, height, painted) = try picture.upright(header: header, maximumSide: limits.maximumSide)
        var shortfall = completeness.failure
        if warnings > 0, shortfall == nil {
            shortfall = ImagingFailure.damaged("the decoder found wrong data \(warnings) times and went on")
        }
        if shortfall != nil, header.format == .jpeg, painted < 1 {
            shortfall?.detail +=
                "; the picture is there down to about \(Int((painted * 100).rounded())) % of its stored height"
            if painted < Self.leastPaintedShare, let shortfall { throw shortfall }
        }
        // Where the decoder itself made the picture smaller, the header has the photo's size.
        let stored = reduction > 1 ? (header.width, header.height) : (width, height)
        return image(raster, header, stored: stored, shortfall)
    }

    /// The bytes as leptonica should see them; nil where they are right as they are.
    private func prepared(_ view: ByteView, _ header: ImageHeader) -> [UInt8]? {
        switch header.format {
        case .gif: GIFFile.firstFrame(view)
        case .webp: WebPFile.firstFrame(view)
        case .png: PNGFile.withoutTransparency(view, header)
        case .tiff: TIFFFile.withoutOrientation(view)
        default: nil
        }
    }

    private func heif(
        _ bytes: [UInt8], _ header: ImageHeader, _ completeness: Completeness
    ) throws(ItemFailure) -> DecodedImage {
        do {
            let (raster, width, height) = try HeifPicture.decode(bytes, limits: limits)
            return image(raster, header, stored: (width, height), completeness.failure)
        } catch {
            throw error.code == .damaged ? completeness.failure ?? error : error
        }
    }

    private func image(
        _ raster: Raster, _ header: ImageHeader, stored: (width: Int, height: Int), _ shortfall: ItemFailure?
    ) -> DecodedImage {
        let isTurned = header.orientation >= 5
        let (width, height) = isTurned ? (stored.height, stored.width) : stored
        let scale = Double(max(raster.width, raster.height)) / Double(max(width, height))
        return DecodedImage(
            raster: raster, format: header.format, orientation: header.orientation, width: width, height: height,
            scale: scale, shortfall: shortfall)
    }

    /// Refuses what would keep the decoder busy, and a JPEG that is cut before its first pixel: libjpeg would answer gray.
    private func checkedCompleteness(_ bytes: [UInt8], _ header: ImageHeader) throws(ItemFailure) -> Completeness {
        guard header.format == .jpeg else { return Completeness(of: bytes, format: header.format) }
        let walk = JPEGFile.walk(ByteView(bytes))
        guard walk.scans <= limits.scans else {
            throw ImagingFailure.tooLarge(
                "the JPEG has \(walk.scans) scans; at most \(limits.scans) are decoded",
                hint: "save the photo again as a usual JPEG")
        }
        if walk.pixelBytes == 0, let failure = walk.completeness.failure { throw failure }
        return walk.completeness
    }

    /// 1, 2, 4 or 8: by how much a JPEG's sides shrink while it is decoded, not below the wanted side.
    private func reduction(for header: ImageHeader) -> Int {
        guard header.format == .jpeg, let side = limits.maximumSide, side > 0 else { return 1 }
        return [8, 4, 2].first { max(header.width, header.height) / $0 >= side } ?? 1
    }

    /// Which scale makes the longer of two sides at most `side`: 0…1.
    static func scale(_ width: Int, _ height: Int, to side: Int?) -> Double {
        guard let side, side > 0, max(width, height) > side else { return 1 }
        return Double(side) / Double(max(width, height))
    }
}
