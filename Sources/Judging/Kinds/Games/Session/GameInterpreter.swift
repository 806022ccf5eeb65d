import Core

/// Interprets single frames of pieces in a game.
package struct GameInterpreter: Sendable {
    private let tangram: PuzzleBook
    private let silhouettes: [Silhouette]

    /// Loads and checks the data of the games.
    /// - Throws: `StartupError` with the file and the fault.
    package init(models: ModelFolder) throws {
        tangram = try PuzzleBook(models: models)
        silhouettes = tangram.puzzles.map { Silhouette(of: $0) }
    }

    /// Interprets a frame as the first frame of a new game. Nil if the game does not use the frame's piece set, or if
    /// there are no pieces and no chosen puzzle.
    ///
    /// Both the coloured and the one-colour tangram play `tangram`.
    /// - Throws: `StartupError(.usage)` for an unknown game or puzzle.
    package func report(
        on frame: PieceFrame, game: String = "tangram", puzzle: String? = nil, level: GameLevel = .normal
    ) throws -> GameReport? {
        guard game == "tangram" else {
            throw StartupError(.usage, "unknown game \(game): only tangram is available")
        }
        var play = try TangramGame(book: tangram, silhouettes: silhouettes, puzzle: puzzle, level: level)
        let set = frame.set.prefix { $0 != "@" }
        guard set == "tangram" || set == "tangram-mono", puzzle != nil || !frame.pieces.isEmpty else { return nil }
        return play.process(frame)
    }
}
