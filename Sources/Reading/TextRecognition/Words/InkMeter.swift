internal import COpenCV
import Core

extension TextReading {
    /// The reading with the ink of each word.
    ///
    /// - Parameter raster: The picture that was read; the boxes are in its pixels.
    /// - Returns: Without inks if the picture cannot be measured: they help to tell names from descriptions, and a page can
    ///   be read without them.
    package func measuringInk(on raster: Raster) -> TextReading {
        let quads = lines.flatMap(\.words).flatMap { word in word.box.corners.flatMap { [$0.x, $0.y] } }
        var inks = [tcv_ink](repeating: tcv_ink(), count: quads.count / 8)
        let status = raster.bytes.withUnsafeBufferPointer {
            tcv_lines_ink(
                $0.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), quads,
                Int32(inks.count), &inks)
        }
        guard status == 0 else { return self }
        var reading = self
        var measured = inks.makeIterator()
        for line in reading.lines.indices {
            for word in reading.lines[line].words.indices {
                reading.lines[line].words[word].ink = measured.next().map { Ink($0) }
            }
        }
        return reading
    }
}

extension Ink {
    fileprivate init(_ ink: tcv_ink) {
        func color(_ rgb: (UInt8, UInt8, UInt8)) -> UInt32 { UInt32(rgb.0) << 16 | UInt32(rgb.1) << 8 | UInt32(rgb.2) }
        self.init(color: color(ink.ink), ground: color(ink.ground), stroke: Double(min(1, ink.stroke)))
    }
}
