import Vocabulary

internal import CLeptonica
internal import COpenCV

/// Bytes → upright raster, within limits that are checked before anything is decoded.
public struct ImageDecoder: Sendable {
    private let limits: ImagingLimits

    public init(limits: ImagingLimits = ImagingLimits()) {
        self.limits = limits
        setMsgSeverity(Int32(L_SEVERITY_NONE))  // leptonica writes to stderr otherwise
    }

    /// Decodes one photo; of several frames or pages the first.
    ///
    /// - Throws: `emptyFile`, `notAnImage`, `unsupportedFormat`, `tooLarge`; `truncated` or `damaged` where a decoder
    ///   finds no picture at all in the bytes.
    public func decode(_ bytes: [UInt8]) throws(ItemFailure) -> DecodedImage {
        let header = try ImageHeader(bytes)
        try header.check(limits)
        guard let stored = try? picture(bytes, header.format) else { throw unreadable(header) }
        let upright = header.isTurnedByDecoder ? stored : stored.turnedUpright(from: header.orientation)
        let (raster, enlargement) = upright.shrunk(toSide: limits.rasterSide)
        return DecodedImage(
            raster: raster,
            facts: .init(
                format: header.format.rawValue, width: upright.width, height: upright.height,
                orientation: header.orientation),
            enlargement: enlargement, shortfall: header.shortfall.map(Self.cut))
    }

    private func picture(_ bytes: [UInt8], _ format: ImageHeader.Format) throws(ItemFailure) -> Raster? {
        switch format {
        case .heic, .avif: try HEIFDecoder.decode(bytes, limits)
        default: LeptonicaDecoder.decode(bytes)
        }
    }

    private func unreadable(_ header: ImageHeader) -> ItemFailure {
        if let shortfall = header.shortfall { return Self.cut(shortfall) }
        return ItemFailure(
            stage: .imaging, code: .damaged, detail: "the \(header.format.rawValue) decoder finds no picture in it",
            hint: "open it in another program and save it again, or photograph it again")
    }

    private static func cut(_ shortfall: String) -> ItemFailure {
        ItemFailure(
            stage: .imaging, code: .truncated, detail: "the file is cut or damaged: \(shortfall)",
            hint: "copy the photo again; the transfer may have broken off")
    }
}

extension Raster {
    /// The raster after its EXIF orientation 1…8 was applied.
    func turnedUpright(from orientation: Int) -> Raster {
        guard orientation > 1 else { return self }
        let swaps = orientation >= 5
        return made(swaps ? height : width, swaps ? width : height) { to in
            tcv_upright(bytes, Int32(width), Int32(height), Int32(format.rawValue), Int32(orientation), to)
        } ?? self
    }

    /// The raster with a longer side of at most `side` pixels, and how many of the old pixels one of it spans.
    func shrunk(toSide side: Int) -> (raster: Raster, enlargement: Double) {
        let longer = max(width, height)
        guard longer > side else { return (self, 1) }
        let enlargement = Double(longer) / Double(side)
        let (toWidth, toHeight) = (
            max(1, Int(Double(width) / enlargement)), max(1, Int(Double(height) / enlargement))
        )
        let smaller = made(toWidth, toHeight) { to in
            tcv_shrink(
                bytes, Int32(width), Int32(height), Int32(format.rawValue), to, Int32(toWidth), Int32(toHeight))
        }
        return smaller.map { ($0, enlargement) } ?? (self, 1)
    }

    /// A raster of the same format whose bytes `fill` writes; nil where it fails.
    private func made(_ width: Int, _ height: Int, fill: (UnsafeMutablePointer<UInt8>) -> Int32) -> Raster? {
        var status: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * format.rawValue) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            status = fill(base)
            count = status == 0 ? buffer.count : 0
        }
        return status == 0 ? Raster(width: width, height: height, format: format, bytes: bytes) : nil
    }
}
