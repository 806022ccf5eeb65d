import Core

/// The first page of a TIFF file (TIFF 6.0).
enum TIFFFile {
    private enum Tag {
        static let kind = 254, width = 256, height = 257, bits = 258, photometric = 262, strips = 273, samples = 277
        static let stripBytes = 279, tiles = 324, tileBytes = 325, subDirectories = 330, dngVersion = 50706
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        guard let directory = TIFFDirectory(first: view) else { throw missingDirectory(view) }
        // The first directory of a raw photo is a preview. Decoding it would silently return a smaller picture.
        let isReduced = (directory.number(Tag.kind) ?? 0) & 1 == 1 && directory.place(Tag.subDirectories) != nil
        if view.spells("CR", at: 8) || directory.place(Tag.dngVersion) != nil || isReduced {
            throw ImagingFailure.unsupported("a camera raw picture")
        }
        guard let width = directory.number(Tag.width), let height = directory.number(Tag.height) else {
            throw ImagingFailure.damaged("the TIFF's first page has no size")
        }
        let samples = directory.number(Tag.samples) ?? 1
        let bits = directory.number(Tag.bits) ?? 1
        guard samples <= 8, bits <= 64 else {
            throw ImagingFailure.damaged("the TIFF claims \(samples) samples of \(bits) bits a pixel")
        }
        let stored = Double(samples * bits) / 8
        let isGray = samples == 1 && (directory.number(Tag.photometric) ?? 0) <= 1
        var header = try ImageHeader(
            .tiff, width: width, height: height, orientation: directory.number(ExifOrientation.tag) ?? 1,
            isGray: isGray, decoderBytesPerPixel: samples == 1 ? stored : stored + 4,
            outputBytesPerPixel: isGray ? max(1, stored) : 4)
        // Leptonica reads colour through libtiff's RGBA interface, which premultiplies. It reads gray with alpha
        // itself.
        header.isAlphaMultiplied = samples >= 3
        return header
    }

    private static func missingDirectory(_ view: ByteView) -> ItemFailure {
        let endian: ByteView.Endian = view.spells("II") ? .little : .big
        guard let offset = view.u32(4, endian) else {
            return ImagingFailure.truncated("the TIFF ends within its header")
        }
        return offset < 8
            ? ImagingFailure.damaged("the TIFF has no directory")
            : ImagingFailure.truncated("the TIFF's directory at byte \(offset) lies beyond its end, \(view.count)")
    }

    static func completeness(_ view: ByteView) -> Completeness {
        guard let directory = TIFFDirectory(first: view) else { return .truncated(missingDirectory(view).detail) }
        // The offset of the next page follows the entries, even if it is 0.
        guard view.holds(directory.start + directory.entryCount * 12, 4) else {
            return .truncated("the TIFF ends within its directory")
        }
        if let beyond = directory.firstEntryBeyondEnd {
            return .truncated("the values of the TIFF's tag \(beyond) lie beyond its end")
        }
        let pairs = [(Tag.strips, Tag.stripBytes), (Tag.tiles, Tag.tileBytes)]
        guard let (places, sizes) = pairs.first(where: { directory.place($0.0) != nil }),
            let offsets = directory.entry(places)
        else { return .damaged("the TIFF's first page has no picture data") }
        let lengths = directory.entry(sizes)
        for index in 0..<offsets.count {
            guard let start = directory.number(offsets, index) else { return .damaged("a TIFF strip has no place") }
            let length = lengths.flatMap { directory.number($0, index) } ?? 0
            guard view.holds(start, length) else {
                return .truncated(
                    "strip \(index + 1) of \(offsets.count) of the TIFF ends beyond the file's \(view.count) bytes")
            }
        }
        return .complete
    }

    /// The same file without its orientation. Leptonica and libtiff each apply only some orientations, so neither is
    /// used.
    static func withoutOrientation(_ view: ByteView) -> [UInt8] {
        guard let directory = TIFFDirectory(first: view), let place = directory.place(ExifOrientation.tag) else {
            return view.bytes
        }
        var bytes = view.bytes
        let one: [UInt8] =
            directory.endian == .little ? [3, 0, 1, 0, 0, 0, 1, 0, 0, 0] : [0, 3, 0, 0, 0, 1, 0, 1, 0, 0]
        bytes.replaceSubrange((place + 2)..<(place + 12), with: one)
        return bytes
    }
}
