/// The supported picture formats. The raw value is the name in outcomes.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg, png, webp, tiff, bmp, gif, heic, avif, pnm
}

/// The file type by its first bytes. The file name is ignored.
enum ImageSignature: Equatable, Sendable {
    case picture(ImageFormat)
    /// A known but unsupported format, with its display name.
    case other(String)
    case unknown

    init(_ view: ByteView) {
        if let format = ImageSignature.format(view) {
            self = .picture(format)
        } else if let name = ImageSignature.otherName(view) {
            self = .other(name)
        } else {
            self = .unknown
        }
    }

    private static func format(_ view: ByteView) -> ImageFormat? {
        if view.has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if view.has([0x89, 0x50, 0x4E, 0x47]) { return .png }
        if view.spells("RIFF"), view.spells("WEBP", at: 8) { return .webp }
        if view.has([0x49, 0x49, 0x2A, 0x00]) || view.has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
        if view.spells("GIF87a") || view.spells("GIF89a") { return .gif }
        if view.spells("BM"), let size = view.u32(14, .little), BMPFile.headerSizes.contains(size) { return .bmp }
        if view.spells("ftyp", at: 4) { return HEIFFile.format(view) }
        if view.spells("P"), let kind = view[1], (0x31...0x36).contains(kind), let gap = view[2],
            [0x20, 0x09, 0x0A, 0x0D, 0x23].contains(gap)
        {
            return .pnm
        }
        return nil
    }

    /// Magic numbers from the formats' specifications.
    private static let others: [(offset: Int, magic: [UInt8], name: String)] = [
        (0, Array("%PDF".utf8), "a PDF document"),
        (0, Array("%!PS".utf8), "a PostScript document"),
        (0, Array("8BPS".utf8), "a Photoshop document"),
        (0, [0xFF, 0x0A], "a JPEG XL picture"),
        (0, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], "a JPEG XL picture"),
        (0, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "a JPEG 2000 picture"),
        (0, [0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 picture"),
        (0, [0x49, 0x49, 0x2B, 0x00], "a BigTIFF picture"),
        (0, [0x4D, 0x4D, 0x00, 0x2B], "a BigTIFF picture"),
        (0, [0x76, 0x2F, 0x31, 0x01], "an OpenEXR picture"),
        (0, [0, 0, 1, 0], "an icon"),
        (0, [0, 0, 2, 0], "a cursor"),
        (0, Array("#?R".utf8), "a Radiance picture"),
        (0, [0x59, 0xA6, 0x6A, 0x95], "a Sun raster picture"),
        (0, Array("P7\n".utf8), "a PAM picture"),
        (0, Array("PF\n".utf8), "a PFM picture"),
        (0, Array("Pf\n".utf8), "a PFM picture"),
        (0, Array("FUJIFILMCCD-RAW".utf8), "a camera raw picture"),
        (0, Array("IIRO".utf8), "a camera raw picture"),
        (0, Array("IIRS".utf8), "a camera raw picture"),
        (0, [0x49, 0x49, 0x55, 0x00], "a camera raw picture"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM video"),
        (0, Array("FLV\u{1}".utf8), "a Flash video"),
        (0, [0, 0, 1, 0xBA], "an MPEG video"),
        (8, Array("AVI ".utf8), "an AVI video"),
        (0, [0x50, 0x4B, 0x03, 0x04], "a ZIP archive"),
    ]

    private static func otherName(_ view: ByteView) -> String? {
        if let known = others.first(where: { view.has($0.magic, at: $0.offset) }) { return known.name }
        if view.spells("ftypcrx", at: 4) { return "a camera raw picture" }
        if view.spells("ftyp", at: 4) { return "a video or another file of the MP4 family" }
        let start = String(decoding: view.copy(0, 1024), as: UTF8.self).lowercased()
        return start.contains("<svg") ? "an SVG drawing" : nil
    }
}
