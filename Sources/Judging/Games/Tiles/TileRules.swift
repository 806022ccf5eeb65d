import Core

/// What makes a game of tiles that are laid side by side: which lines are valid and what they score.
protocol TileRules: Sendable {
    var facts: GameFacts { get }
    /// Edge of a tile, millimetres.
    var side: Double { get }
    /// True where tiles can be read one way up only.
    var isReadable: Bool { get }
    /// What tiles are told apart by; nil for a piece that is no tile of the game.
    func face(of piece: RecognizedPiece) -> String?
    /// Why the grid is against the rules: a stable code; nil where it is not.
    func fault(in grid: TileGrid, fresh: [TileGrid.Tile]) -> String?
    /// Points for the lines that the fresh tiles are part of.
    func score(_ lines: [[TileGrid.Tile]]) -> Int
    /// The name of what was achieved by them; nil for nothing special.
    func achievement(in lines: [[TileGrid.Tile]]) -> String?
    /// How much is to be reached: points or lines.
    func goal(_ level: GameLevel) -> Int
    /// What a move adds to the goal.
    func progress(_ lines: [[TileGrid.Tile]]) -> Int
    func advice(_ step: NudgeStep, on grid: TileGrid) -> Advice?
}

extension TileRules {
    func achievement(in lines: [[TileGrid.Tile]]) -> String? { nil }
}

/// What a person is told about a game before it begins, and what it practises.
struct GameFacts: Sendable, Hashable {
    var id: String
    var title: String
    var description: String
    var recommendedAge: ClosedRange<Int>
    var skills: [String]
}
