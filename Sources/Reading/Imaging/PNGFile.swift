internal import CZlib
import Core

/// The chunk structure of a PNG file (ISO/IEC 15948).
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        guard view.holds(0, 8) else { throw ImagingFailure.truncated("the PNG ends within its signature") }
        guard view.has(signature) else {
            throw ImagingFailure.damaged("the PNG's line ends were changed: it was transferred as text")
        }
        guard view.holds(8, 25) else { throw ImagingFailure.truncated("the PNG ends within its header") }
        guard view.u32(8, .big) == 13, view.spells("IHDR", at: 12), let width = view.u32(16, .big),
            let height = view.u32(20, .big), let depth = view[24], let colour = view[25]
        else { throw ImagingFailure.damaged("the PNG does not begin with its header chunk") }
        guard width < 1 << 31, height < 1 << 31 else {
            throw ImagingFailure.damaged("the PNG header claims \(width) × \(height) pixels")
        }
        // libpng's rows and leptonica's picture are in memory at the same time.
        let samples: Double = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colour] ?? 4
        let isGray = colour == 0 || colour == 4
        var header = try ImageHeader(
            .png, width: width, height: height, orientation: orientation(view), isGray: isGray,
            decoderBytesPerPixel: samples * Double(depth) / 8, outputBytesPerPixel: colour == 0 ? 1 : 4)
        if colour == 0, let place = chunk("tRNS", in: view), let value = view.u16(place + 8, .big) {
            // The decoder keeps the upper 8 of 16 bits and expands fewer bits to 8.
            header.transparentGray =
                depth == 16 ? value >> 8 : min(255, value * 255 / ((1 << min(8, max(1, Int(depth)))) - 1))
        }
        return header
    }

    private static func orientation(_ view: ByteView) -> Int {
        guard let place = chunk("eXIf", in: view), let length = view.u32(place, .big) else { return 1 }
        return ExifOrientation.read(view.part(place + 8, length))
    }

    /// A gray picture without its transparency chunk, which leptonica misinterprets as an empty picture. The chunk's
    /// value is in `ImageHeader.transparentGray`. Nil if there is no such chunk.
    static func withoutTransparency(_ view: ByteView, _ header: ImageHeader) -> [UInt8]? {
        guard header.transparentGray != nil, let place = chunk("tRNS", in: view), let length = view.u32(place, .big)
        else { return nil }
        return view.copy(0, place) + view.copy(place + 12 + length, view.count)
    }

    /// Offset of the first whole chunk with this name: its length, its name, its content.
    private static func chunk(_ name: StaticString, in view: ByteView) -> Int? {
        var place = 8
        while let length = view.u32(place, .big), view.holds(place + 8, length) {
            if view.spells(name, at: place + 4) { return place }
            if view.spells("IEND", at: place + 4) { break }
            place += length + 12
        }
        return nil
    }

    static func completeness(_ view: ByteView) -> Completeness {
        var place = 8
        var hasPixels = false
        var damage: String?
        while let length = view.u32(place, .big), view.holds(place + 4, 4) {
            // Converted to text only when needed, because a file may have a hundred thousand chunks.
            var name: String { String(decoding: view.copy(place + 4, 4), as: UTF8.self) }
            guard view.holds(place + 4, length + 8), let stored = view.u32(place + 8 + length, .big) else {
                return .truncated("the PNG ends within its chunk \(name)")
            }
            if PNGChecksum.of(view, place + 4, length + 4) != UInt32(stored), damage == nil {
                damage = "the checksum of the PNG's chunk \(name) at byte \(place) is wrong"
            }
            if view.spells("IDAT", at: place + 4) { hasPixels = true }
            if view.spells("IEND", at: place + 4) {
                if let damage { return .damaged(damage) }
                return hasPixels ? .complete : .damaged("the PNG has no picture data")
            }
            place += length + 12
        }
        return .truncated("the PNG ends without its end chunk, after \(view.count) bytes")
    }
}

/// The CRC-32 of PNG chunks (ISO/IEC 15948, Annex D), by zlib.
enum PNGChecksum {
    /// The checksum of `length` bytes from `start`, which must lie within the view.
    static func of(_ view: ByteView, _ start: Int, _ length: Int) -> UInt32 {
        let range = view.part(start, length).range
        return view.bytes.withUnsafeBytes { all in
            let part = UnsafeRawBufferPointer(rebasing: all[range]).assumingMemoryBound(to: UInt8.self)
            return UInt32(truncatingIfNeeded: crc32_z(0, part.baseAddress, part.count))
        }
    }
}
