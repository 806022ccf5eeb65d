import Core

/// The marker structure of a JPEG file (ITU-T T.81, Annex B).
enum JPEGFile {
    /// The result of a walk over all markers.
    struct Walk {
        var frames: [Frame] = []
        var scans = 0
        /// Bytes of entropy-coded data after the first scan header.
        var pixelBytes = 0
        var orientation = 1
        var completeness = Completeness.truncated("the JPEG ends before its first picture data")
    }

    /// A frame header.
    struct Frame {
        var marker: Int
        var precision: Int
        var width: Int
        var height: Int
        /// Sampling factors of each component.
        var sampling: [(horizontal: Int, vertical: Int)]
    }

    static func header(_ view: ByteView) throws(ItemFailure) -> ImageHeader {
        let walk = walk(view, untilScan: true)
        guard let frame = walk.frames.first else {
            throw walk.completeness.failure ?? ImagingFailure.damaged("the JPEG has no frame header")
        }
        guard walk.frames.count == 1 else {
            throw ImagingFailure.damaged("the JPEG has \(walk.frames.count) frame headers where one is allowed")
        }
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker), frame.precision == 8 else {
            throw ImagingFailure.unsupported(
                "a lossless, hierarchical or \(frame.precision)-bit JPEG (SOF\(frame.marker - 0xC0))")
        }
        // The 16-bit coefficients of a progressive picture are kept until the last scan.
        let isProgressive = frame.marker == 0xC2 || frame.marker == 0xCA
        let most = Double(
            (frame.sampling.map(\.horizontal).max() ?? 1) * (frame.sampling.map(\.vertical).max() ?? 1))
        let share = frame.sampling.reduce(0) { $0 + Double($1.horizontal * $1.vertical) } / max(1, most)
        return try ImageHeader(
            .jpeg, width: frame.width, height: frame.height, orientation: walk.orientation,
            isGray: frame.sampling.count == 1, decoderBytesPerPixel: isProgressive ? 2 * share : 0,
            outputBytesPerPixel: frame.sampling.count == 1 ? 1 : 4)
    }

    /// Follows the markers to the end of the image.
    ///
    /// - Parameter untilScan: True stops at the first scan, which ends the header.
    static func walk(_ view: ByteView, untilScan: Bool = false) -> Walk {
        var walk = Walk()
        var place = 2
        while let lead = view.next(0xFF, from: place) {
            var markerAt = lead + 1
            while view[markerAt] == 0xFF { markerAt += 1 }
            guard let marker = view[markerAt] else { break }
            place = markerAt + 1
            switch marker {
            case 0x00, 0x01, 0xD0...0xD7, 0xD8: continue
            case 0xD9:
                walk.completeness =
                    walk.scans > 0 && walk.pixelBytes > 0 ? .complete : .damaged("the JPEG ends without picture data")
                return walk
            default: break
            }
            guard let length = view.u16(place, .big) else { break }
            guard length >= 2 else {
                walk.completeness = .damaged("the JPEG has a segment of \(length) bytes")
                return walk
            }
            guard view.holds(place, length) else { break }
            read(view.part(place + 2, length - 2), marker: Int(marker), into: &walk)
            place += length
            if marker == 0xDA {
                walk.scans += 1
                if untilScan { return walk }
                let end = endOfScan(view, from: place)
                walk.pixelBytes += end - place
                place = end
            }
        }
        if walk.scans > 0 {
            walk.completeness = .truncated("the JPEG has no end marker: the file ends within scan \(walk.scans)")
        }
        return walk
    }

    /// End of the entropy-coded data from `start`: the first marker that is not a restart marker.
    private static func endOfScan(_ view: ByteView, from start: Int) -> Int {
        var place = start
        while let lead = view.next(0xFF, from: place) {
            guard let next = view[lead + 1] else { return lead }
            switch next {
            case 0x00, 0xD0...0xD7: place = lead + 2
            case 0xFF: place = lead + 1
            default: return lead
            }
        }
        return view.count
    }

    private static func read(_ segment: ByteView, marker: Int, into walk: inout Walk) {
        switch marker {
        case 0xE1 where segment.spells("Exif\0\0") && walk.orientation == 1:
            walk.orientation = ExifOrientation.read(segment.part(6, segment.count))
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
            guard let precision = segment[0], let height = segment.u16(1, .big), let width = segment.u16(3, .big),
                let components = segment[5]
            else { return }
            let sampling = (0..<Int(components)).compactMap { segment[7 + $0 * 3] }
                .map { (horizontal: Int($0 >> 4), vertical: Int($0 & 15)) }
            walk.frames.append(
                Frame(marker: marker, precision: Int(precision), width: width, height: height, sampling: sampling))
        default: break
        }
    }
}
