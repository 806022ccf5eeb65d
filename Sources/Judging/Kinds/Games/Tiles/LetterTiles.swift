import Core

/// Letter tiles. Each line must be a word of the list.
struct LetterTiles: TileRules {
    let facts = GameFacts(
        id: "letters", title: "Letters", description: "Lay letters side by side so that every line is a word.",
        recommendedAge: 6...99, skills: ["spelling"])
    let side: Double
    let isReadable = true
    let words: WordList

    func face(of piece: RecognizedPiece) -> String? {
        guard let symbol = piece.symbol?.uppercased(), symbol.count == 1, symbol.allSatisfy(\.isLetter) else {
            return nil
        }
        return symbol
    }

    func fault(in grid: TileGrid, fresh: [TileGrid.Tile]) -> String? {
        grid.lines.allSatisfy { words.contains($0.map(\.face).joined()) } ? nil : "noWord"
    }

    /// Ten points for each letter.
    func score(_ lines: [[TileGrid.Tile]]) -> Int { lines.reduce(0) { $0 + 10 * $1.count } }

    func achievement(in lines: [[TileGrid.Tile]]) -> String? { lines.contains { $0.count >= 7 } ? "longWord" : nil }

    func goal(_ level: GameLevel) -> Int {
        switch level {
        case .easy: 3
        case .normal: 5
        case .hard: 8
        }
    }

    /// Number of words.
    func progress(_ lines: [[TileGrid.Tile]]) -> Int { lines.count }

    func advice(_ step: HintStep, on grid: TileGrid) -> Advice? {
        let lines = grid.lines.map { $0.map(\.face).joined() }
        let wrong = lines.first { !words.contains($0) }
        switch step {
        case .none, .visual: return Advice(step: step)
        case .gentle: return Advice(step, "aloud", "Read every line aloud, across and down.")
        case .specific:
            return wrong.map { Advice(step, "unlisted", "{x} is not in the list.", ["x": $0]) }
                ?? Advice(step, "cross", "A new word may share a letter with one that lies there.")
        case .directed, .solution:
            if let wrong {
                guard let near = words.nearest(to: wrong) else {
                    return Advice(step, "unlisted", "{x} is not in the list.", ["x": wrong])
                }
                return step == .directed
                    ? Advice(step, "letter", "One letter of {x} is to be changed.", ["x": wrong])
                    : Advice(step, "word", "{x} is a word.", ["x": near])
            }
            let grown = lines.lazy.compactMap { line in words.longer(than: line).map { (line, $0) } }.first
            guard let (line, longer) = grown else {
                return Advice(step, "cross", "A new word may share a letter with one that lies there.")
            }
            return step == .directed
                ? Advice(step, "grow", "{x} with one more letter is another word.", ["x": line])
                : Advice(step, "word", "{x} is a word.", ["x": longer])
        }
    }
}
