import Core

/// A decoded photo.
package struct DecodedImage: Sendable {
    /// Upright; `gray8` if the file stores no colour, else `rgb8`. Transparent pixels are white.
    package var raster: Raster
    package var format: ImageFormat
    /// EXIF orientation 1…8 as stored. The raster is already upright.
    package var orientation: Int
    /// Width of the whole upright photo, pixels. The raster is smaller if it was scaled.
    package var width: Int
    /// Height of the whole upright photo, pixels.
    package var height: Int
    /// Raster pixels per photo pixel, 0…1. Divide raster coordinates by it to get photo coordinates.
    package var scale: Double
    /// Set if the file is truncated or damaged; the raster then contains the readable part.
    package var shortfall: ItemFailure?

    package var isComplete: Bool { shortfall == nil }
}

/// Decodes a file's bytes into an upright raster, within limits. Blocking: call it in a worker, not on the
/// cooperative pool.
package struct ImageDecoder: Sendable {
    package let limits: ImagingLimits

    /// Minimum readable share of a truncated picture's height. A choice, not a measurement.
    private static let minPaintedShare = 0.1

    package init(limits: ImagingLimits = ImagingLimits()) { self.limits = limits }

    /// Decodes the first frame or page.
    ///
    /// - Throws: `emptyFile`, `notAnImage`, `unsupportedFormat`, `tooLarge` (by the header, before decoding),
    ///   `truncated` if too little of a truncated file is readable, `damaged` if the decoder refuses a whole file,
    ///   and `decodeFailed` for internal errors.
    package func decode(_ bytes: [UInt8]) throws(ItemFailure) -> DecodedImage {
        try limits.check(fileBytes: bytes.count)
        let header = try ImageHeader(bytes)
        let reduction = reduction(for: header)
        try limits.check(header, reduction: reduction)
        let completeness = try checkedCompleteness(bytes, header)
        switch header.format {
        case .heic, .avif: return try heif(bytes, header, completeness)
        case .pnm where completeness.failure == nil:
            if let raster = try stored(bytes, header) { return raster }
        default: break
        }
        return try leptonica(bytes, header, completeness, reduction)
    }

    /// A PNM whose samples are the raster's; nil for other PNM. Leptonica takes each sample by a call of `fread`, which
    /// is seven times the work of recognising the pieces of a video's frame.
    private func stored(_ bytes: [UInt8], _ header: ImageHeader) throws(ItemFailure) -> DecodedImage? {
        guard let (start, channels) = PNMFile.storedBytes(ByteView(bytes)) else { return nil }
        var samples = bytes
        let (width, height) = (header.width, header.height)
        let scale = Self.scale(width, height, to: limits.maximumSide)
        let raster = try samples.withUnsafeMutableBufferPointer { buffer throws(ItemFailure) -> Raster? in
            guard let base = buffer.baseAddress else { return nil }
            let pixels = StoredPixels(
                start: base + start, width: width, height: height, channels: channels, stride: width * channels)
            return try pixels.upright(orientation: 1, to: channels == 3 ? .rgb8 : .gray8, scale: scale)
        }
        return raster.map { image($0, header, stored: (width, height), nil) }
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
            if painted < Self.minPaintedShare, let shortfall { throw shortfall }
        }
        // If the decoder itself scaled the picture down, the header has the photo's size.
        let stored = reduction > 1 ? (header.width, header.height) : (width, height)
        return image(raster, header, stored: stored, shortfall)
    }

    /// The bytes rewritten for leptonica; nil if no change is needed.
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

    /// Refuses files with too many scans, and a JPEG truncated before its first pixel, for which libjpeg returns
    /// gray.
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

    /// Factor 1, 2, 4 or 8 by which a JPEG is scaled down during decoding, but not below the maximum side.
    private func reduction(for header: ImageHeader) -> Int {
        guard header.format == .jpeg, let side = limits.maximumSide, side > 0 else { return 1 }
        return [8, 4, 2].first { max(header.width, header.height) / $0 >= side } ?? 1
    }

    /// Scale 0…1 at which the longer of two sides is at most `side`.
    static func scale(_ width: Int, _ height: Int, to side: Int?) -> Double {
        guard let side, side > 0, max(width, height) > side else { return 1 }
        return Double(side) / Double(max(width, height))
    }
}
