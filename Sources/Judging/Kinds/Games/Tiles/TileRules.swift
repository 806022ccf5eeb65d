import Core

/// The rules of a tile game: which lines are valid, and what they score.
protocol TileRules: Sendable {
    var facts: GameFacts { get }
    /// Edge of a tile, millimetres.
    var side: Double { get }
    /// True if tiles have a unique upright direction.
    var isReadable: Bool { get }
    /// What distinguishes tiles in the game; nil for a piece that is no tile of the game.
    func face(of piece: RecognizedPiece) -> String?
    /// A stable code for the violated rule; nil if the grid is valid.
    func fault(in grid: TileGrid, fresh: [TileGrid.Tile]) -> String?
    /// Points for the lines that contain fresh tiles.
    func score(_ lines: [[TileGrid.Tile]]) -> Int
    /// The name of the achievement for these lines; nil for none.
    func achievement(in lines: [[TileGrid.Tile]]) -> String?
    /// The points or lines needed to complete the level.
    func goal(_ level: GameLevel) -> Int
    /// The contribution of a move to the goal.
    func progress(_ lines: [[TileGrid.Tile]]) -> Int
    func advice(_ step: HintStep, on grid: TileGrid) -> Advice?
}

extension TileRules {
    func achievement(in lines: [[TileGrid.Tile]]) -> String? { nil }
}

/// Description of a game and the skills that it trains.
struct GameFacts: Sendable, Hashable {
    var id: String
    var title: String
    var description: String
    var recommendedAge: ClosedRange<Int>
    var skills: [String]
}
