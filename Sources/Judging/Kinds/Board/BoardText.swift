import Core

extension BoardKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        let frame = outcome.readings.pieces
        // What to change so that pieces are found is of no use on a menu or a packet.
        let isTable = outcome.domains.isEmpty || outcome.domains.contains(.board)
        return [frame.flatMap { $0.pieces.isEmpty ? nil : pieces($0) }, outcome.game.map { game($0, text) }]
            .compactMap(\.self) + (isTable ? frame?.remarks ?? [] : []).map { "  pieces   \($0)" }
    }

    private static func pieces(_ frame: PieceFrame) -> String {
        let counts = Dictionary(frame.pieces.map { ($0.type, 1) }, uniquingKeysWith: +)
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value)× \($0.key.words)" }
        return "  pieces   \(frame.set.printable): \(parts.joined(separator: ", ").printable)"
    }

    private static func game(_ game: GameReport, _ text: OutcomeText) -> String {
        let puzzle = game.puzzle.map { " “\($0)”" } ?? ""
        let placed = game.placed.flatMap { placed in game.needed.map { ", \(placed) of \($0) placed" } } ?? ""
        let outcome = game.outcome
        let what = "\(outcome.kind.rawValue.words) (\(outcome.reason.words), \(text.percent(outcome.confidence)))"
        return "  game     \(game.game)\(puzzle): \(what)\(placed)".printable
    }
}
