/// The design on a piece's face.
enum PieceFace: Sendable {
    case none
    /// One to `most` pips. Rectangles of two squares show two such numbers.
    case pips(most: Int)
    /// A letter or numeral, in any colour that differs from the piece's.
    case glyph([FaceTemplate])
    /// A filled shape in the piece's own colour on a dark background.
    case symbol([FaceTemplate])
}

/// A glyph or symbol as a binary image that fills its square.
struct FaceTemplate: Sendable, Hashable {
    /// For example `A` or `star`.
    var name: String
    /// The number it stands for, if any.
    var value: Int?
    /// Row by row from the top, with the leftmost cell in the highest of `size` bits.
    var rows: [UInt32]

    /// Cells on each side.
    static let size = 24

    /// Row by row, 1 for a set cell.
    var coverage: [Float] {
        (0..<Self.size * Self.size).map { isSet(row: $0 / Self.size, column: $0 % Self.size) ? 1 : 0 }
    }

    func isSet(row: Int, column: Int) -> Bool { rows[row] >> UInt32(Self.size - 1 - column) & 1 == 1 }
}

/// The detection method for a set's pieces.
enum ReadingMethod: Sendable, Hashable {
    /// Flat shapes, by their straight sides.
    case shapes
    /// Cubes, by the pips on their top faces.
    case dice
    /// Square or oblong tiles, then their faces.
    case tiles
    /// Filled shapes on dark tiles.
    case symbolTiles
    /// A grid of drawn lines, then the marks on its squares.
    case drawnGrid
    /// The outline of a board, then the discs on its squares.
    case discGrid
}

/// The squares of a board.
struct BoardGrid: Sendable, Hashable {
    var rows: Int
    var columns: Int
    /// True for a grid drawn by hand as two lines in each direction, with marks as pieces.
    var isDrawn: Bool
    /// Colours of the squares, starting with the top-left one: one colour, two alternating ones, or none if the set
    /// gives none.
    var squares: [[UInt8]]
}
