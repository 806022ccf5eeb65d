// Formats whose structure is told in a few lines each.

/// WebP: a RIFF of chunks.
struct WebPStructure {
    private(set) var header = ImageHeader(.webp)

    init(_ reader: ByteReader) {
        guard let size = reader.little32(4), size + 8 <= reader.count else {
            header.shortfall = "the file is shorter than its header says"
            return
        }
        var at = 12
        while let length = reader.little32(at + 4), at + 8 <= reader.count {
            let data = at + 8
            if reader.has("VP8X", at: at) {
                header.width = reader.little24(data + 4).map { $0 + 1 }
                header.height = reader.little24(data + 7).map { $0 + 1 }
            } else if reader.has("VP8 ", at: at), header.width == nil {
                header.width = reader.little16(data + 6).map { $0 & 0x3FFF }
                header.height = reader.little16(data + 8).map { $0 & 0x3FFF }
            } else if reader.has("VP8L", at: at), header.width == nil, let bits = reader.little32(data + 1) {
                header.width = bits & 0x3FFF + 1
                header.height = bits >> 14 & 0x3FFF + 1
            } else if reader.has("EXIF", at: at) {
                let start = reader.has("Exif\0\0", at: data) ? data + 6 : data
                header.orientation = EXIFOrientation.read(reader, at: start)
            }
            at = data + length + length % 2
        }
    }
}

/// TIFF: the first directory, and whether its strips or tiles lie in the file.
struct TIFFStructure {
    private(set) var header = ImageHeader(.tiff)

    init(_ reader: ByteReader) {
        let isBig = reader.has("MM")
        header.orientation = EXIFOrientation.read(reader, at: 0)
        guard let directory = reader.number(4, 4, bigEndian: isBig),
            let count = reader.number(directory, 2, bigEndian: isBig)
        else {
            header.shortfall = "the first directory lies outside the file"
            return
        }
        var values: [Int: (count: Int, first: Int, at: Int, size: Int)] = [:]
        for entry in 0..<count {
            let at = directory + 2 + entry * 12
            guard let tag = reader.number(at, 2, bigEndian: isBig),
                let type = reader.number(at + 2, 2, bigEndian: isBig),
                let number = reader.number(at + 4, 4, bigEndian: isBig)
            else {
                header.shortfall = "the first directory is cut"
                return
            }
            let size = type == 3 ? 2 : 4
            let place = number * size <= 4 ? at + 8 : reader.number(at + 8, 4, bigEndian: isBig) ?? -1
            values[tag] = (number, reader.number(place, size, bigEndian: isBig) ?? 0, place, size)
        }
        header.width = values[256]?.first
        header.height = values[257]?.first
        // 273/279 are strips, 324/325 tiles: offsets and lengths.
        for (offsets, lengths) in [(273, 279), (324, 325)] {
            guard let offsets = values[offsets], let lengths = values[lengths] else { continue }
            for index in 0..<min(offsets.count, lengths.count, 1 << 20) {
                guard let start = reader.number(offsets.at + index * offsets.size, offsets.size, bigEndian: isBig),
                    let length = reader.number(lengths.at + index * lengths.size, lengths.size, bigEndian: isBig),
                    start + length <= reader.count
                else {
                    header.shortfall = "part \(index + 1) of the picture lies outside the file"
                    return
                }
            }
        }
    }
}

/// BMP: sizes in its two headers.
struct BMPStructure {
    private(set) var header = ImageHeader(.bmp)

    init(_ reader: ByteReader) {
        guard let kind = reader.little32(14), let start = reader.little32(10) else {
            header.shortfall = "the header is cut"
            return
        }
        if kind == 12 {
            header.width = reader.little16(18)
            header.height = reader.little16(20)
        } else {
            header.width = reader.little32(18)
            // A negative height means rows from the top down.
            header.height = reader.little32(22).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
        }
        let depth = reader.little16(kind == 12 ? 24 : 28) ?? 0
        let isPacked = kind != 12 && [1, 2].contains(reader.little32(30) ?? 0)
        guard let width = header.width, let height = header.height, width < 1 << 24, height < 1 << 24 else { return }
        let needed = isPacked ? start + 1 : start + (width * depth + 31) / 32 * 4 * height
        if needed > reader.count { header.shortfall = "\(needed - reader.count) bytes of the picture are missing" }
    }
}

/// GIF: the first frame to its end.
struct GIFStructure {
    private(set) var header = ImageHeader(.gif)

    init(_ reader: ByteReader) {
        header.width = reader.little16(6)
        header.height = reader.little16(8)
        header.shortfall = "the first frame is cut"
        guard let flags = reader.byte(10) else { return }
        var at = 13 + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
        while let kind = reader.byte(at) {
            switch kind {
            case 0x21: at += 2
            case 0x2C:
                guard let flags = reader.byte(at + 9) else { return }
                at += 11 + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
            default: return
            }
            while let length = reader.byte(at), length > 0 { at += 1 + length }
            guard reader.byte(at) == 0 else { return }
            at += 1
            if kind == 0x2C {
                header.shortfall = nil
                return
            }
        }
    }
}

/// HEIC and AVIF: boxes; libheif finds the sizes and turns the picture itself.
struct HEIFStructure {
    private(set) var header: ImageHeader

    /// By the major brand and the compatible ones; nil for videos and other files of boxes.
    static func format(_ reader: ByteReader) -> ImageHeader.Format? {
        guard let length = reader.big32(0) else { return nil }
        for at in [8] + Array(stride(from: 16, to: min(length, reader.count, 256), by: 4)) {
            if reader.has("avif", at: at) || reader.has("avis", at: at) { return .avif }
            if ["heic", "heix", "heim", "heis", "hevc", "mif1"].contains(where: { reader.has($0, at: at) }) {
                return .heic
            }
        }
        return nil
    }

    init(_ reader: ByteReader, _ format: ImageHeader.Format) {
        header = ImageHeader(format)
        var at = 0
        while at < reader.count {
            guard var length = reader.big32(at) else { break }
            if length == 1 { length = reader.number(at + 9, 7, bigEndian: true) ?? 0 }
            if length == 0 { return }  // to the end of the file
            guard length >= 8, length <= reader.count - at else {
                header.shortfall = "the file ends within a box, at byte \(reader.count)"
                return
            }
            at += length
        }
    }
}
