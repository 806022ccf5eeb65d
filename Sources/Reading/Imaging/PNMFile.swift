import Core

/// The headers of the Netpbm formats P1…P6 (pbm(5), pgm(5), ppm(5)).
enum PNMFile {
    private struct Fields {
        var kind: Int
        var width: Int
        var height: Int
        /// The maximum sample value.
        var maximum: Int
        /// Offset of the pixels.
        var pixelsAt: Int

        var samples: Int { kind % 3 == 0 ? 3 : 1 }
    }

    private static func fields(_ view: ByteView) throws(ItemFailure) -> Fields {
        guard let kind = view[1].map({ Int($0) - 0x30 }) else {
            throw ImagingFailure.truncated("the PNM ends within its header")
        }
        var place = 2
        let width = try number(view, &place)
        let height = try number(view, &place)
        let maximum = kind % 3 == 1 ? 1 : try number(view, &place)
        guard (1...65535).contains(maximum) else {
            throw ImagingFailure.damaged("the PNM's brightest value is \(maximum)")
        }
        return Fields(kind: kind, width: width, height: height, maximum: maximum, pixelsAt: place + 1)
    }

    /// The next decimal number, after white space and comments.
    private static func number(_ view: ByteView, _ place: inout Int) throws(ItemFailure) -> Int {
        while let byte = view[place] {
            if byte == 0x23 {
                place = view.next(0x0A, from: place) ?? view.count
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                place += 1
            } else {
                break
            }
        }
        var value = 0
        let start = place
        while let byte = view[place], (0x30...0x39).contains(byte) {
            guard place - start < 12 else { throw ImagingFailure.damaged("the PNM has a number of over 12 digits") }
            value = value * 10 + Int(byte - 0x30)
            place += 1
        }
        guard place > start else {
            throw view[place] == nil
                ? ImagingFailure.truncated("the PNM ends within its header")
                : ImagingFailure.damaged("the PNM's header has no number at byte \(place)")
        }
        return value
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        let fields = try fields(view)
        let isGray = fields.samples == 1
        return try ImageHeader(
            .pnm, width: fields.width, height: fields.height, isGray: isGray, decoderBytesPerPixel: 0,
            outputBytesPerPixel: isGray ? (fields.maximum > 255 ? 2 : 1) : 4)
    }

    /// Where the samples of a P5 or P6 of 8 bits begin, and how many a pixel has; nil for other kinds.
    static func storedBytes(_ view: ByteView) -> (start: Int, channels: Int)? {
        guard let fields = try? fields(view), fields.kind == 5 || fields.kind == 6, fields.maximum == 255 else {
            return nil
        }
        return (fields.pixelsAt, fields.samples)
    }

    static func completeness(_ view: ByteView) -> Completeness {
        let fields: Fields
        do { fields = try Self.fields(view) } catch { return .truncated(error.detail) }
        let (values, overflow) = fields.width.multipliedReportingOverflow(by: fields.height)
        guard !overflow, values <= 1 << 40 else { return .truncated("the PNM claims more pixels than any file holds") }
        let needed =
            switch fields.kind {
            case 4: (fields.width + 7) / 8 * fields.height
            case 5, 6: values * fields.samples * (fields.maximum > 255 ? 2 : 1)
            case 1: values
            // As text, each value takes at least a digit and a separator.
            default: values * fields.samples * 2 - 1
            }
        guard view.holds(fields.pixelsAt, needed) else {
            return .truncated(
                "the PNM needs \(needed) bytes of pixels from byte \(fields.pixelsAt) on; the file has \(view.count)")
        }
        return .complete
    }
}
