/// A game's interpretation of one frame of pieces. An uncertain frame is `noAction`, never `incorrectPlacement`.
public struct PlayerActionOutcome: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case correctPlacement, incorrectPlacement, levelComplete, noAction, specialAchievement, hintUsed, stateUpdated
    }

    public var kind: Kind
    /// Points of a `correctPlacement`.
    public var points: Int?
    /// Experience points of a `levelComplete`.
    public var xpAwarded: Int?
    /// The name of a `specialAchievement`: `qwirkle`, …
    public var name: String?
    /// Experience points of a `specialAchievement`.
    public var bonusXP: Int?
    /// Probability 0…1 that this outcome is correct.
    public var confidence: Double
    /// A stable code: `allPiecesPlaced`, `tooFewPieces`, …
    public var reason: String

    public init(
        kind: Kind, points: Int? = nil, xpAwarded: Int? = nil, name: String? = nil, bonusXP: Int? = nil,
        confidence: Double,
        reason: String
    ) {
        self.kind = kind
        self.points = points
        self.xpAwarded = xpAwarded
        self.name = name
        self.bonusXP = bonusXP
        self.confidence = confidence
        self.reason = reason
    }
}

/// The game part of an outcome.
public struct GameReport: Sendable, Hashable, Codable {
    /// `tangram`, …
    public var game: String
    /// The puzzle or level that the pieces are compared with; nil if none fits.
    public var puzzle: String?
    /// Number of pieces of the puzzle that are in place.
    public var placed: Int?
    public var needed: Int?
    public var outcome: PlayerActionOutcome
    /// The figure of each player if the table holds more than one set; otherwise nil.
    public var figures: [FigureReport]?

    public init(
        game: String, puzzle: String? = nil, placed: Int? = nil, needed: Int? = nil, outcome: PlayerActionOutcome,
        figures: [FigureReport]? = nil
    ) {
        self.game = game
        self.puzzle = puzzle
        self.placed = placed
        self.needed = needed
        self.outcome = outcome
        self.figures = figures
    }
}

/// The figure that one of several sets on a table shows.
public struct FigureReport: Sendable, Hashable, Codable {
    /// The matching puzzle; nil if it cannot be identified.
    public var puzzle: String?
    /// Number of pieces in place; nil if no puzzle is identified.
    public var placed: Int?
    /// Ids of all its pieces, ascending.
    public var pieces: [Int]
    /// Probability 0…1 that this figure is identified correctly.
    public var confidence: Double
    /// A stable code: `allPiecesPlaced`, `silhouetteCovered`, `piecesPlaced`, `severalPuzzlesFit`, `noPuzzleFits`, …
    public var reason: String

    public init(puzzle: String?, placed: Int?, pieces: [Int], confidence: Double, reason: String) {
        self.puzzle = puzzle
        self.placed = placed
        self.pieces = pieces
        self.confidence = confidence
        self.reason = reason
    }
}
