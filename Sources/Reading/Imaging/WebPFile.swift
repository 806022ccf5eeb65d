import Core

/// The RIFF structure of a WebP file (Google's WebP Container Specification).
enum WebPFile {
    /// One chunk: its name and the range of its payload.
    private struct Chunk {
        var name: String
        var start: Int
        var length: Int
    }

    /// The chunks that begin within the file, in order. The last may reach beyond the end.
    private static func chunks(_ view: ByteView, from start: Int = 12) -> [Chunk] {
        var chunks: [Chunk] = []
        var place = start
        while let length = view.u32(place + 4, .little) {
            chunks.append(
                Chunk(name: String(decoding: view.copy(place, 4), as: UTF8.self), start: place + 8, length: length))
            place += 8 + length + length & 1
        }
        return chunks
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        let chunks = chunks(view)
        guard let first = chunks.first else { throw ImagingFailure.truncated("the WebP ends before its first chunk") }
        guard let size = size(view, first) else {
            throw view.holds(first.start, 10)
                ? ImagingFailure.damaged("the WebP's first chunk is no picture header")
                : ImagingFailure.truncated("the WebP ends within its header")
        }
        let exif = chunks.first { $0.name == "EXIF" }.map { view.part($0.start, $0.length) }
        // Some writers keep the prefix of the JPEG segment.
        let block = exif.map { $0.spells("Exif\0\0") ? $0.part(6, $0.count) : $0 }
        // The lossless decoder holds a second picture of 4 bytes per pixel.
        return try ImageHeader(
            .webp, width: size.width, height: size.height, orientation: block.map(ExifOrientation.read) ?? 1,
            decoderBytesPerPixel: chunks.contains { $0.name == "VP8 " } ? 2 : 4, outputBytesPerPixel: 4)
    }

    private static func size(_ view: ByteView, _ chunk: Chunk) -> (width: Int, height: Int)? {
        switch chunk.name {
        case "VP8X":
            guard let width = view.u24(chunk.start + 4, .little), let height = view.u24(chunk.start + 7, .little)
            else { return nil }
            return (width + 1, height + 1)
        case "VP8L":
            guard view[chunk.start] == 0x2F, let bits = view.u32(chunk.start + 1, .little) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            guard view.has([0x9D, 0x01, 0x2A], at: chunk.start + 3), let width = view.u16(chunk.start + 6, .little),
                let height = view.u16(chunk.start + 8, .little)
            else { return nil }
            return (width & 0x3FFF, height & 0x3FFF)
        default: return nil
        }
    }

    static func completeness(_ view: ByteView) -> Completeness {
        guard let size = view.u32(4, .little) else { return .truncated("the WebP ends within its header") }
        guard size + 8 <= view.count + size & 1 else {
            return .truncated("the WebP says it has \(size + 8) bytes and has \(view.count)")
        }
        let chunks = chunks(view)
        if let cut = chunks.first(where: { !view.holds($0.start, $0.length) }), cut.start < size + 8 {
            return .truncated("the WebP ends within its chunk \(cut.name)")
        }
        guard chunks.contains(where: { ["VP8 ", "VP8L", "ANMF"].contains($0.name) }) else {
            return .damaged("the WebP has no picture data")
        }
        return .complete
    }

    /// The first frame of an animation as a separate file; nil if there is no animation.
    static func firstFrame(_ view: ByteView) -> [UInt8]? {
        guard let frame = chunks(view).first(where: { $0.name == "ANMF" }), view.holds(frame.start, frame.length),
            frame.length > 16
        else { return nil }
        let data = view.copy(frame.start + 16, frame.length - 16)
        var body = Array("WEBP".utf8)
        if ByteView(data).spells("ALPH") {
            // The frame header has width and height at bytes 6 and 9, minus one, as the extended header needs them.
            body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + view.copy(frame.start + 6, 6)
        }
        body += data
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) } + body
    }
}
