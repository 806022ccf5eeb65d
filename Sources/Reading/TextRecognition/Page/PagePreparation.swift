internal import COpenCV
import Core

/// A gray page as an engine reads it: dark text on white, level, with letters of a suitable size.
struct PreparedPage {
    let width: Int
    let height: Int
    /// Rows of 8-bit gray from the top, `width * height` bytes.
    let gray: [UInt8]
    /// Maps pixels of this page to pixels of the raster.
    let toRaster: PageMap
    /// Slope of the raster's lines in degrees; positive runs down to the right.
    let tilt: Double
    /// Height of the text in pixels of the raster; nil if nothing looks like letters.
    let letterHeight: Double?
    /// Number of letters with a close neighbour beside, and above.
    let neighbours: (beside: Int, stacked: Int)

    /// True if letters are stacked rather than side by side, so that the lines run up or down.
    ///
    /// On sideways pages 3 to 100 times as many letters were stacked as side by side; on upright pages a third at
    /// most.
    var looksSideways: Bool { neighbours.stacked >= Self.fewLetters && neighbours.stacked > 2 * neighbours.beside }

    /// True if enough letters are side by side to form lines.
    var looksLined: Bool { neighbours.beside >= Self.fewLetters }

    private static let fewLetters = 30
}

/// Prepares a photo for recognition: limits its size, evens the light, inverts light text, levels and scales it.
struct PagePreparation {
    /// Longest side of the working copy, pixels. A larger copy costs time and finds no more words on photos of a
    /// page.
    static let longestSide = 2600
    /// Longest side after enlarging small print, pixels.
    static let longestEnlargedSide = 4200.0
    /// Median letter height given to Tesseract, pixels.
    ///
    /// Word F1 on photos and receipts was best at 20 to 22 (.824 to .826, against .815 at 30). The median includes
    /// small letters; capitals are then near 30.
    static let letterHeight = 22.0

    /// The gray working copy as photographed.
    let photo: [UInt8]
    /// The working copy after light correction, dark text on white.
    private let evenlyLit: [UInt8]
    let width: Int
    let height: Int
    /// True if the text was light on dark.
    let wasInverted: Bool
    private let toRaster: PageMap

    /// - Throws: `ItemFailure` if the picture is too small to hold a letter or OpenCV fails.
    init(_ raster: Raster) throws {
        let scale = min(1, Double(Self.longestSide) / Double(max(raster.width, raster.height)))
        let width = max(1, Int((Double(raster.width) * scale).rounded()))
        let height = max(1, Int((Double(raster.height) * scale).rounded()))
        let photo = try Self.buffer(width * height, "gray") { gray in
            raster.bytes.withUnsafeBufferPointer {
                tcv_page_gray(
                    $0.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue),
                    Int32(width), Int32(height), gray)
            }
        }
        // Larger than the letters of a heading, smaller than a shadow.
        let radius = max(12, max(width, height) / 40)
        var inverted: Int32 = 0
        self.evenlyLit = try Self.buffer(width * height, "even light") { page in
            photo.withUnsafeBufferPointer {
                tcv_page_even_light($0.baseAddress, Int32(width), Int32(height), Int32(radius), page, &inverted)
            }
        }
        self.photo = photo
        self.width = width
        self.height = height
        self.wasInverted = inverted != 0
        self.toRaster = .scale(
            x: Double(raster.width) / Double(width), y: Double(raster.height) / Double(height))
    }

    /// The page rotated clockwise by `quarterTurns` × 90°, then levelled and scaled.
    func page(quarterTurns: Int = 0) throws -> PreparedPage {
        var (gray, width, height, back) = (evenlyLit, width, height, PageMap())
        if quarterTurns % 4 != 0 {
            let turn = PageMap.rotation(width: width, height: height, degrees: Double(quarterTurns % 4) * 90)
            gray = try Self.warp(gray, width, height, turn)
            (width, height) = turn.size
            back = turn.map.inverse ?? PageMap()
        }
        let print = try Self.print(gray, width, height)
        let zoom = Self.zoom(letterHeight: print.letter_height, longestSide: max(width, height))
        let scale = (toRaster.a * toRaster.d).squareRoot()
        if abs(print.tilt) > 0.15 || abs(zoom - 1) > 0.05 {
            let level = PageMap.rotation(width: width, height: height, degrees: -print.tilt, zoom: zoom)
            gray = try Self.warp(gray, width, height, level)
            (width, height) = level.size
            back = (level.map.inverse ?? PageMap()).then(back)
        }
        return PreparedPage(
            width: width, height: height, gray: gray, toRaster: back.then(toRaster), tilt: print.tilt,
            letterHeight: print.letter_height > 0 ? print.letter_height * scale : nil,
            neighbours: (Int(print.beside), Int(print.stacked)))
    }

    /// Scale factor for a page with letters of this height.
    static func zoom(letterHeight: Double, longestSide: Int) -> Double {
        guard letterHeight > 0 else { return 1 }
        let wanted = min(max(Self.letterHeight / letterHeight, 0.4), 2)
        return min(wanted, max(1, longestEnlargedSide / Double(longestSide)))
    }

    private static func print(_ gray: [UInt8], _ width: Int, _ height: Int) throws -> tcv_print_measures {
        var print = tcv_print_measures()
        try check(
            gray.withUnsafeBufferPointer { tcv_page_print($0.baseAddress, Int32(width), Int32(height), &print) },
            "letters")
        return print
    }

    private static func warp(
        _ gray: [UInt8], _ width: Int, _ height: Int, _ turn: (map: PageMap, size: (width: Int, height: Int))
    ) throws -> [UInt8] {
        try buffer(turn.size.width * turn.size.height, "levelling") { page in
            gray.withUnsafeBufferPointer {
                tcv_page_warp(
                    $0.baseAddress, Int32(width), Int32(height), turn.map.rows, page, Int32(turn.size.width),
                    Int32(turn.size.height))
            }
        }
    }

    private static func buffer(
        _ count: Int, _ step: String, _ fill: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> [UInt8] {
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            buffer.initialize(repeating: 0)
            status = fill(buffer.baseAddress)
            filled = count
        }
        try check(status, step)
        return bytes
    }

    private static func check(_ status: Int32, _ step: String) throws {
        guard status != TCV_OK else { return }
        throw ItemFailure(
            stage: .recognition, code: .decodeFailed, detail: "page preparation (\(step)) answered \(status)",
            hint: "Save the picture again as JPEG or PNG with at most 20,000 pixels a side.")
    }
}
