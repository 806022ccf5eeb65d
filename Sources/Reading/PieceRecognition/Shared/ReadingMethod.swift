/// The detection method for a set's pieces.
enum ReadingMethod: String, CaseIterable, Sendable, Hashable {
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
