import Core

/// Looks for the digits printed at retail codes that were accepted on little evidence. The judgement compares them with
/// the bars; a misread code must not be accepted only because nobody looked.
enum DigitSearch {
    /// The retail codes whose bars alone do not make them sure, such as those that one decoder read on distorted views.
    static func unsure(_ codes: [BarcodeReading]) -> [BarcodeReading] {
        codes.filter { $0.gtin != nil && Confidence($0.confidence).level < .high }
    }

    /// Digits stand below, above or beside the bars. Share of the code's longer side, as the comparison uses it.
    private static let reach = 0.6

    /// The print around each code.
    ///
    /// - Parameter read: recognises the text of a part of the picture.
    /// - Returns: the lines in pixels of the whole picture; nil for no code.
    static func text(
        around codes: [BarcodeReading], in raster: Raster, read: (Raster) throws(ItemFailure) -> TextReading
    ) throws(ItemFailure) -> TextReading? {
        var found: TextReading?
        for code in codes {
            let (xs, ys) = (code.corners.map(\.x), code.corners.map(\.y))
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { continue }
            let margin = max(right - left, bottom - top) * reach
            guard
                let part = raster.part(
                    from: Point(left - margin, top - margin), to: Point(right + margin, bottom + margin))
            else { continue }
            var reading = try read(part.raster).moved(by: part.origin)
            reading.lines = (found?.lines ?? []) + reading.lines
            found = reading
        }
        return found
    }
}

extension Raster {
    /// The part between two corners, as far as it lies in the picture, and its first pixel; nil if none of it does.
    func part(from first: Point, to last: Point) -> (raster: Raster, origin: Point)? {
        func clamped(_ value: Double, _ limit: Int) -> Int { Int(min(Double(limit), max(0, value))) }
        guard [first.x, first.y, last.x, last.y].allSatisfy(\.isFinite) else { return nil }
        let (left, top) = (clamped(first.x, width), clamped(first.y, height))
        let (right, bottom) = (clamped(last.x.rounded(.up), width), clamped(last.y.rounded(.up), height))
        guard left < right, top < bottom else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity((right - left) * (bottom - top) * format.rawValue)
        for row in top..<bottom {
            let start = row * width
            part += bytes[(start + left) * format.rawValue..<(start + right) * format.rawValue]
        }
        return Raster(width: right - left, height: bottom - top, format: format, bytes: part).map {
            ($0, Point(Double(left), Double(top)))
        }
    }
}

extension TextReading {
    fileprivate func moved(by origin: Point) -> TextReading {
        func moved(_ point: Point) -> Point { Point(point.x + origin.x, point.y + origin.y) }
        func moved(_ quad: Quad) -> Quad {
            Quad(
                topLeft: moved(quad.topLeft), topRight: moved(quad.topRight), bottomRight: moved(quad.bottomRight),
                bottomLeft: moved(quad.bottomLeft))
        }
        var reading = self
        for line in reading.lines.indices {
            reading.lines[line].box = moved(lines[line].box)
            for word in lines[line].words.indices {
                reading.lines[line].words[word].box = moved(lines[line].words[word].box)
            }
        }
        return reading
    }
}
