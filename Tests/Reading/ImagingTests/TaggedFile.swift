@testable import Imaging

/// Adds data that the libraries do not write to files: orientations, chunks, false declarations.
enum TaggedFile {
    /// An EXIF block that contains only an orientation.
    static func exif(_ orientation: Int, _ endian: ByteView.Endian) -> [UInt8] {
        tiffStart(endian)
            + [number(1, 2, endian), number(274, 2, endian), number(3, 2, endian), number(1, 4, endian)].joined()
            + number(orientation, 2, endian) + [0, 0] + [0, 0, 0, 0]
    }

    static func jpeg(_ file: [UInt8], orientation: Int, _ endian: ByteView.Endian = .big) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + exif(orientation, endian)
        return file[..<2] + [0xFF, 0xE1] + number(content.count + 2, 2, .big) + content + file[2...]
    }

    /// With a chunk behind the header chunk.
    static func png(_ file: [UInt8], chunk name: String, _ content: [UInt8]) -> [UInt8] {
        Array(file[..<33]) + pngChunk(name, content) + file[33...]
    }

    static func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        let checksum = PNGChecksum.of(ByteView(named), 0, named.count)
        return number(content.count, 4, .big) + named + number(Int(checksum), 4, .big)
    }

    /// The extended form of a plain WebP, with an EXIF chunk at its end.
    static func webp(_ file: [UInt8], width: Int, height: Int, orientation: Int) -> [UInt8] {
        let exif = exif(orientation, .little)
        let body =
            Array("WEBPVP8X".utf8) + number(10, 4, .little) + [8, 0, 0, 0] + number(width - 1, 3, .little)
            + number(height - 1, 3, .little) + file[12...] + Array("EXIF".utf8) + number(exif.count, 4, .little) + exif
        return Array("RIFF".utf8) + number(body.count, 4, .little) + body
    }

    /// A TIFF of one strip without compression, `samples` bytes per pixel.
    static func tiff(
        width: Int, height: Int, samples: Int, orientation: Int, _ endian: ByteView.Endian, pixels: [UInt8],
        isAlphaStraight: Bool = false
    ) -> [UInt8] {
        let extra: [(tag: Int, type: Int, count: Int, value: Int)] = isAlphaStraight ? [(338, 3, 1, 2)] : []
        let entries: [(tag: Int, type: Int, count: Int, value: Int)] =
            [
                (256, 3, 1, width), (257, 3, 1, height), (258, 3, 1, 8), (259, 3, 1, 1),
                (262, 3, 1, samples >= 3 ? 2 : 1),
                (273, 4, 1, 8 + 2 + (10 + extra.count) * 12 + 4), (274, 3, 1, orientation), (277, 3, 1, samples),
                (278, 3, 1, height),
                (279, 4, 1, pixels.count),
            ] + extra
        let directory = entries.flatMap { entry -> [UInt8] in
            let value = entry.type == 3 ? number(entry.value, 2, endian) + [0, 0] : number(entry.value, 4, endian)
            return number(entry.tag, 2, endian) + number(entry.type, 2, endian) + number(entry.count, 4, endian) + value
        }
        return tiffStart(endian) + number(entries.count, 2, endian) + directory + [0, 0, 0, 0] + pixels
    }

    private static func tiffStart(_ endian: ByteView.Endian) -> [UInt8] {
        Array((endian == .big ? "MM" : "II").utf8) + number(42, 2, endian) + number(8, 4, endian)
    }

    static func number(_ value: Int, _ length: Int, _ endian: ByteView.Endian) -> [UInt8] {
        let little = (0..<length).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return endian == .little ? little : little.reversed()
    }
}
