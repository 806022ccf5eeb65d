import TestSupport
import Testing
import Core

/// Print of an ink-jet printer: seven rows of dots for a letter.
struct DottedPrint {
    var text: String
    /// Left edge and upper edge, and the distance of two dots, in pixels of the page.
    var x, y, pitch: Int
    var isUpsideDown = false

    private static let glyphs: [Character: [String]] = [
        "0": [" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "],
        "1": ["  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "],
        "2": [" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"],
        "6": [" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "],
        "/": ["    #", "    #", "   # ", "  #  ", " #   ", "#    ", "#    "],
        "E": ["#####", "#    ", "#    ", "#### ", "#    ", "#    ", "#####"],
        "X": ["#   #", "#   #", " # # ", "  #  ", " # # ", "#   #", "#   #"],
        "P": ["#### ", "#   #", "#   #", "#### ", "#    ", "#    ", "#    "],
    ]

    /// Rows and columns of the dots, from the print's upper left corner.
    private var dots: [(row: Int, column: Int)] {
        let all = text.enumerated().flatMap { number, character in
            (Self.glyphs[character] ?? []).enumerated().flatMap { row, line in
                line.enumerated().filter { $0.element == "#" }.map { (row: row, column: 6 * number + $0.offset) }
            }
        }
        return isUpsideDown ? all.map { (6 - $0.row, 6 * text.count - 2 - $0.column) } : all
    }

    /// The page with this print in `ink`.
    func added(to page: Raster, ink: UInt8) throws -> Raster {
        var bytes = page.bytes
        let radius = 0.36 * Double(pitch)
        for dot in dots {
            let (centerX, centerY) = (x + dot.column * pitch, y + dot.row * pitch)
            for dy in -pitch...pitch {
                for dx in -pitch...pitch
                where Double(dx * dx + dy * dy) <= radius * radius && (0..<page.width).contains(centerX + dx)
                    && (0..<page.height).contains(centerY + dy)
                { bytes[(centerY + dy) * page.width + centerX + dx] = ink }
            }
        }
        return try #require(Raster(width: page.width, height: page.height, format: page.format, bytes: bytes))
    }
}
