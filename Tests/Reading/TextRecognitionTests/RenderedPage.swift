internal import CLeptonica
import Testing
import Core

/// A gray page with text in leptonica's bitmap font.
struct RenderedPage {
    /// One line of text: `x` is its left edge, `baseline` the y of its base line, in pixels of the page.
    struct Print {
        var text: String
        var x: Int
        var baseline: Int
        /// Size at 300 dots per inch; capitals of 10 points are about 28 pixels high.
        var points: Int

        init(_ text: String, x: Int, baseline: Int, points: Int = 10) {
            self.text = text
            self.x = x
            self.baseline = baseline
            self.points = points
        }
    }

    private(set) var width: Int
    private(set) var height: Int
    private(set) var gray: [UInt8]

    init(width: Int, height: Int, prints: [Print], paper: UInt8 = 255, ink: UInt8 = 0) throws {
        var bits = pixCreate(Int32(width), Int32(height), 1)
        defer { pixDestroy(&bits) }
        for print in prints {
            var font = bmfCreate(nil, Int32(print.points))
            defer { bmfDestroy(&font) }
            var (printed, overflow): (Int32, Int32) = (0, 0)
            let status = pixSetTextline(
                bits, font, print.text, 1, Int32(print.x), Int32(print.baseline), &printed, &overflow)
            let end = print.x + Int(printed)
            try #require(status == 0 && end <= width, "the line ends at \(end) of \(width) pixels")
        }
        self.width = width
        self.height = height
        gray = [UInt8](repeating: paper, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var bit: UInt32 = 0
                pixGetPixel(bits, Int32(x), Int32(y), &bit)
                if bit != 0 { gray[y * width + x] = ink }
            }
        }
    }

    /// Width of a text, pixels.
    static func width(of text: String, points: Int) -> Int {
        var font = bmfCreate(nil, Int32(points))
        defer { bmfDestroy(&font) }
        var width: Int32 = 0
        bmfGetStringWidth(font, text, &width)
        return Int(width)
    }

    /// The page rotated clockwise by 90°.
    var rotatedClockwise: RenderedPage {
        var rotated = self
        (rotated.width, rotated.height) = (height, width)
        for y in 0..<height {
            for x in 0..<width { rotated.gray[x * height + (height - 1 - y)] = gray[y * width + x] }
        }
        return rotated
    }

    func raster() throws -> Raster {
        try #require(Raster(width: width, height: height, format: .gray8, bytes: gray))
    }
}
