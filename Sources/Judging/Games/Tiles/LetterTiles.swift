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
        let wrong = grid.lines.map { $0.map(\.face).joined() }.first { !words.contains($0) }
        switch step {
        case .none, .visual: return Advice(step: step, text: "")
        case .gentle: return Advice(step: step, text: "Read every line aloud, across and down.")
        case .specific: return wrong.map { Advice(step: step, text: "\($0) is not in the list.") }
        case .directed, .solution:
            guard let wrong, let near = words.nearest(to: wrong) else { return nil }
            return Advice(
                step: step, text: step == .directed ? "One letter of \(wrong) is to be changed." : "\(near) is a word.")
        }
    }
}
