import Core

/// A task of a game: a figure, or the game at a difficulty.
package struct PlayTask: Sendable, Hashable {
    /// Nil for a game without figures.
    package var puzzle: String?
    package var level: GameLevel
    /// On the scale of ``PlayerSkill``, logits.
    package var difficulty: Double
}

/// A figure that can be laid, as a lobby shows it.
package struct PlayFigure: Sendable, Hashable {
    package var puzzle: String
    /// 1 for the easiest … 5.
    package var step: Int
    /// Nil for a puzzle of a game of one's own, which draws nothing.
    package var picture: PlayPicture?
}

extension GameCatalogue {
    /// The piece sets that a game can be played with, the usual one first.
    package func pieceSets(of game: String) -> [String] {
        if let own = own[game] { return own.manifest.sets }
        return switch Self.book(of: game) == nil ? game : "tangram" {
        case "tangram": ["tangram", "tangram-mono"]
        case "dice-target": ["dice"]
        case "letters": ["letter-tiles"]
        case "number-count": ["number-dots", "number-tiles"]
        case "number-add", "number-connect", "number-multiply": ["number-tiles", "number-dots"]
        default: [game]
        }
    }

    /// Logits between two steps of figures, between two precisions of a figure, and between two levels of another game.
    private static let (figureStep, precisionStep, levelStep) = (0.9, 0.5, 1.1)

    /// The tasks of a game, easiest first. How exact pieces must lie makes a figure easier or harder; the greatest exactness is
    /// a matter of the hand and the camera, and only chosen by people.
    package func tasks(of game: String) -> [PlayTask] {
        let levels = own[game].map { $0.manifest.levels?.compactMap(GameLevel.init) ?? GameLevel.allCases }
        let steps = figures(of: game)
        func height(_ level: GameLevel) -> Double { Double(GameLevel.allCases.firstIndex(of: level) ?? 0) }
        guard !steps.isEmpty else {
            return (levels ?? GameLevel.allCases).map { level in
                PlayTask(puzzle: nil, level: level, difficulty: (height(level) - 1) * Self.levelStep)
            }
        }
        return steps.flatMap { figure in
            (levels ?? [.easy, .normal]).map { level in
                PlayTask(
                    puzzle: figure.puzzle, level: level,
                    difficulty: Double(figure.step - 3) * Self.figureStep + (height(level) - 0.5) * Self.precisionStep)
            }
        }.sorted { $0.difficulty < $1.difficulty }
    }

    /// The figures or puzzles of a game, easiest first; empty for a game without them.
    package func figures(of game: String) -> [PlayFigure] {
        (own[game].map { $0.manifest.puzzles ?? [] }?.map { PlayFigure(puzzle: $0.id, step: $0.difficulty) }
            ?? drawnFigures(of: game))
            .enumerated().sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }.map(\.element)
    }

    private func drawnFigures(of game: String) -> [PlayFigure] {
        guard let book = puzzleBook(of: game), var tangram = try? TangramGame(book: book) else { return [] }
        return book.puzzles.compactMap { puzzle in
            guard (try? tangram.choose(puzzle: puzzle.id)) != nil, let picture = tangram.picture(after: nil) else {
                return nil
            }
            return PlayFigure(puzzle: puzzle.id, step: puzzle.difficulty, picture: picture)
        }
    }
}
