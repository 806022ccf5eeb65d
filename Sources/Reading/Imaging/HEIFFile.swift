import Core

/// The box structure of a HEIC or AVIF file (ISO/IEC 23008-12, 14496-12).
enum HEIFFile {
    /// One box: its type and the range of its content.
    private struct Box {
        var type: String
        var start: Int
        var length: Int
    }

    /// The boxes that begin within the view, in order. The last may reach beyond the end.
    private static func boxes(_ view: ByteView, from start: Int = 0) -> [Box] {
        var boxes: [Box] = []
        var place = start
        while let short = view.u32(place, .big), view.holds(place + 4, 4) {
            let name = view.copy(place + 4, 4)
            // A type that is not a name marks data appended to the file.
            guard name.allSatisfy({ (0x20...0x7E).contains($0) }) else { break }
            let type = String(decoding: name, as: UTF8.self)
            var header = 8
            var size = short
            if short == 0 { size = view.count - place }  // to the end of the file
            if short == 1 {
                guard let long = view.u64(place + 8, .big) else { break }
                header = 16
                size = long
            }
            guard size >= header, size <= Int.max - place else { break }
            boxes.append(Box(type: type, start: place + header, length: size - header))
            place += size
        }
        return boxes
    }

    /// The format that the brands name; nil for a video or another relative.
    static func format(_ view: ByteView) -> ImageFormat? {
        guard let size = view.u32(0, .big) else { return nil }
        let end = min(max(12, size), view.count, 512)
        // The major brand, then the compatible brands; a version field lies between them.
        let brands = [view.copy(8, 4)] + stride(from: 16, to: max(16, end - 3), by: 4).map { view.copy($0, 4) }
        for brand in brands {
            switch String(decoding: brand, as: UTF8.self) {
            case "avif", "avis": return .avif
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
            default: continue
            }
        }
        return nil
    }

    static func header(_ view: ByteView, _ format: ImageFormat) throws(ItemFailure) -> ImageHeader {
        guard let meta = boxes(view).first(where: { $0.type == "meta" }), view.holds(meta.start, meta.length) else {
            throw ImagingFailure.truncated("the \(format.rawValue.uppercased()) ends before its description does")
        }
        // In `meta`, a version and flags precede the boxes.
        let within = boxes(view.part(meta.start, meta.length), from: 4)
        guard let properties = within.first(where: { $0.type == "iprp" }) else {
            throw ImagingFailure.damaged("the \(format.rawValue.uppercased()) describes no picture")
        }
        let inner = view.part(meta.start + properties.start, properties.length)
        guard let container = boxes(inner).first(where: { $0.type == "ipco" }) else {
            throw ImagingFailure.damaged("the \(format.rawValue.uppercased()) describes no picture")
        }
        let content = inner.part(container.start, container.length)
        let sizes = boxes(content).filter { $0.type == "ispe" }.compactMap { box -> (width: Int, height: Int)? in
            guard let width = content.u32(box.start + 4, .big), let height = content.u32(box.start + 8, .big)
            else { return nil }
            return (width, height)
        }
        // The largest size is the picture's; tiles and thumbnails are smaller.
        let largest = sizes.max {
            Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height)
        }
        guard let size = largest else {
            throw ImagingFailure.damaged("the \(format.rawValue.uppercased()) does not say its size")
        }
        return try ImageHeader(
            format, width: size.width, height: size.height, decoderBytesPerPixel: 3, outputBytesPerPixel: 4)
    }

    static func completeness(_ view: ByteView) -> Completeness {
        let boxes = boxes(view)
        if let cut = boxes.first(where: { !view.holds($0.start, $0.length) }) {
            return .truncated(
                "the file ends within its box \(cut.type), \(cut.start + cut.length - view.count) bytes early")
        }
        guard boxes.contains(where: { $0.type == "meta" }) else {
            return .truncated("the file ends before its description")
        }
        guard boxes.contains(where: { $0.type == "mdat" || $0.type == "idat" }) || boxes.contains(where: hasData) else {
            return .truncated("the file ends before its picture data")
        }
        return .complete

        func hasData(_ box: Box) -> Bool {
            box.type == "meta"
                && Self.boxes(view.part(box.start, box.length), from: 4).contains { $0.type == "idat" }
        }
    }
}
