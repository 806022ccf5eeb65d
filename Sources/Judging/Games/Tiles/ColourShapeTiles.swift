import Core

/// Tiles of six shapes in six colours. A line has one colour and distinct shapes, or one shape and distinct colours.
struct ColourShapeTiles: TileRules {
    let facts = GameFacts(
        id: "colour-shapes", title: "Colours and shapes",
        description: "Lay lines that share a colour or a shape, and repeat nothing.", recommendedAge: 6...99,
        skills: ["sorting", "planning"])
    let side: Double
    let isReadable = false
    /// Length of a full line. Its score is doubled.
    static let longest = 6

    func face(of piece: RecognizedPiece) -> String? {
        guard let symbol = piece.symbol, let colour = piece.colour else { return nil }
        return "\(symbol)/\(colour)"
    }

    func fault(in grid: TileGrid, fresh: [TileGrid.Tile]) -> String? {
        for line in grid.lines where line.contains(where: { fresh.contains($0) }) {
            if Set(line.map(\.face)).count < line.count { return "sameTileTwice" }
            let parts = line.map { $0.face.split(separator: "/") }
            guard Set(parts.map { $0[0] }).count == 1 || Set(parts.map { $0[1] }).count == 1 else {
                return "neitherColourNorShape"
            }
        }
        return nil
    }

    func score(_ lines: [[TileGrid.Tile]]) -> Int {
        lines.reduce(0) { $0 + $1.count + ($1.count == Self.longest ? Self.longest : 0) }
    }

    func achievement(in lines: [[TileGrid.Tile]]) -> String? {
        lines.contains { $0.count == Self.longest } ? "fullLine" : nil
    }

    func goal(_ level: GameLevel) -> Int {
        switch level {
        case .easy: 12
        case .normal: 30
        case .hard: 60
        }
    }

    func progress(_ lines: [[TileGrid.Tile]]) -> Int { score(lines) }

    func advice(_ step: HintStep, on grid: TileGrid) -> Advice? {
        guard let line = grid.lines.max(by: { $0.count < $1.count }), line.count < Self.longest else { return nil }
        let parts = line.map { $0.face.split(separator: "/").map(String.init) }
        let sharesShape = Set(parts.map { $0[0] }).count == 1
        return switch step {
        case .none, .visual: Advice(step: step, text: "")
        case .gentle: Advice(step: step, text: "Every line has something in common.")
        case .specific: Advice(step: step, text: sharesShape ? "Look for the same shape." : "Look for the same colour.")
        case .directed:
            Advice(step: step, text: sharesShape ? "The shape is \(parts[0][0])." : "The colour is \(parts[0][1]).")
        case .solution:
            Advice(
                step: step,
                text: sharesShape
                    ? "Lay a \(parts[0][0]) that is not \(parts.map { $0[1] }.joined(separator: ", "))."
                    : "Lay a \(parts[0][1]) tile that is no \(parts.map { $0[0] }.joined(separator: ", ")).")
        }
    }
}
