import Core

/// The block structure of a GIF file (GIF89a Specification). Only the first frame is decoded.
enum GIFFile {
    /// The result of a walk over the blocks.
    private struct Walk {
        var size: (width: Int, height: Int)?
        /// End of the first frame's last block.
        var firstFrameEnd: Int?
        var completeness = Completeness.truncated("the GIF ends before its first frame does")
    }

    private static func walk(_ view: ByteView) -> Walk {
        var walk = Walk()
        guard let flags = view[10] else { return walk }
        var place = 13 + colourTable(flags)
        while let introducer = view[place] {
            switch introducer {
            case 0x3B:
                walk.completeness = walk.size == nil ? .damaged("the GIF has no frame") : .complete
                return walk
            case 0x21:
                guard let end = endOfBlocks(view, from: place + 2) else { return walk }
                place = end
            case 0x2C:
                guard let width = view.u16(place + 5, .little), let height = view.u16(place + 7, .little),
                    let flags = view[place + 9]
                else { return walk }
                if walk.size == nil { walk.size = (width, height) }
                guard let end = endOfBlocks(view, from: place + 11 + colourTable(flags)) else { return walk }
                place = end
                if walk.firstFrameEnd == nil {
                    walk.firstFrameEnd = end
                    walk.completeness = .truncated("the GIF ends after its first frame, without its end mark")
                }
            default:
                walk.completeness = .damaged("the GIF has a block of no known kind at byte \(place)")
                return walk
            }
        }
        return walk
    }

    /// Length of the colour table that these flags declare, bytes.
    private static func colourTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func endOfBlocks(_ view: ByteView, from start: Int) -> Int? {
        var place = start
        while let length = view[place] {
            place += 1 + Int(length)
            if length == 0 { return place }
        }
        return nil
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        let walk = walk(view)
        guard let size = walk.size else {
            throw walk.completeness.failure ?? ImagingFailure.damaged("the GIF has no frame")
        }
        return try ImageHeader(
            .gif, width: size.width, height: size.height, decoderBytesPerPixel: 1, outputBytesPerPixel: 1)
    }

    static func completeness(_ view: ByteView) -> Completeness { walk(view).completeness }

    /// The file reduced to its first frame, with a valid end, so that no decoder unpacks a thousand further frames.
    static func firstFrame(_ view: ByteView) -> [UInt8]? {
        walk(view).firstFrameEnd.map { view.copy(0, $0) + [0x3B] }
    }
}
