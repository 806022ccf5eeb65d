/// What a piece shows on its face.
enum PieceFace: Sendable {
    case none
    /// One to `most` pips; rects of two squares show two such numbers.
    case pips(most: Int)
    /// A letter or numeral, in any colour that differs from the piece's.
    case glyph([FaceTemplate])
    /// A filled shape in the piece's own colour on a dark ground.
    case symbol([FaceTemplate])
}

/// What one glyph or symbol looks like: a black and white picture that fills its square.
struct FaceTemplate: Sendable, Hashable {
    /// `A`, `star`.
    var name: String
    /// The number it means, where it means one.
    var value: Int?
    /// Row by row from the top, the leftmost cell in the highest of `size` bits.
    var rows: [UInt32]

    /// Cells on each side.
    static let size = 24

    /// Row by row, 1 where a cell is set.
    var coverage: [Float] {
        (0..<Self.size * Self.size).map { isSet(row: $0 / Self.size, column: $0 % Self.size) ? 1 : 0 }
    }

    func isSet(row: Int, column: Int) -> Bool { rows[row] >> UInt32(Self.size - 1 - column) & 1 == 1 }
}

/// How a set's pieces are told from a picture.
enum ReadingMethod: Sendable, Hashable {
    /// Flat shapes by their straight sides.
    case shapes
    /// Cubes by the pips on their upper faces.
    case dice
    /// Square or oblong tiles, then their faces.
    case tiles
    /// Filled shapes on dark tiles.
    case symbolTiles
    /// A grid of drawn lines, then what is drawn on its squares.
    case drawnGrid
    /// The outline of a board, then the discs on its squares.
    case discGrid
}

/// Squares of a board.
struct BoardGrid: Sendable, Hashable {
    var rows: Int
    var columns: Int
    /// True where it is drawn by hand as two lines each way, with marks for pieces.
    var isDrawn: Bool
    /// Colours of the squares, the top-left one's first, where the set says them: one, or two in turns.
    var squares: [[UInt8]]
}
