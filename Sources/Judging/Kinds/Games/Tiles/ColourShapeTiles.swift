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
        if step <= .gentle {
            return step == .gentle
                ? Advice(step, "common", "Every line has something in common.") : Advice(step: step)
        }
        guard let line = grid.lines.max(by: { $0.count < $1.count }), line.count < Self.longest else {
            return Advice(step, "common", "Every line has something in common.")
        }
        let parts = line.map { $0.face.split(separator: "/").map(String.init) }
        let sharesShape = Set(parts.map { $0[0] }).count == 1
        let (shared, others) = sharesShape ? (0, 1) : (1, 0)
        let values = ["x": parts[0][shared], "others": parts.map { $0[others] }.joined(separator: ", ")]
        return switch (step, sharesShape) {
        case (.specific, true): Advice(step, "sameshape", "Look for the same shape.")
        case (.specific, false): Advice(step, "samecolour", "Look for the same colour.")
        case (.directed, true): Advice(step, "shape", "The shape is {x}.", values)
        case (.directed, false): Advice(step, "colour", "The colour is {x}.", values)
        case (_, true): Advice(step, "layshape", "Lay a {x} that is not {others}.", values)
        case (_, false): Advice(step, "laycolour", "Lay a {x} tile that is no {others}.", values)
        }
    }
}
