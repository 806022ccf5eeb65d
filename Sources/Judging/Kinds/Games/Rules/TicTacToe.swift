import Core

/// Tic-tac-toe on 3 × 3 squares. Crosses (mark 1) start.
struct TicTacToe: PositionRules {
    let id = "tic-tac-toe"
    let title = "Tic-tac-toe"
    let description = "Take turns, and be the first with three in a row."
    let recommendedAge = 5...99
    let skills = ["turnTaking", "planning"]
    let rows = 3
    let columns = 3
    let marks = ["cross", "nought"]
    let start = [UInt8](repeating: 0, count: 9)

    private static let lines = [
        [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]

    /// The side to move: 1 or 2.
    func turn(in position: [UInt8]) -> UInt8 { position.count { $0 == 1 } > position.count { $0 == 2 } ? 2 : 1 }

    func winner(of position: [UInt8]) -> UInt8? {
        Self.lines.first { line in position[line[0]] != 0 && line.allSatisfy { position[$0] == position[line[0]] } }
            .map { position[$0[0]] }
    }

    func successors(of position: [UInt8]) -> [[UInt8]] {
        guard winner(of: position) == nil else { return [] }
        let mark = turn(in: position)
        return position.indices.filter { position[$0] == 0 }.map { index in
            var next = position
            next[index] = mark
            return next
        }
    }

    func table(of position: [UInt8]) -> [UInt8] { position }

    func mark(of piece: RecognizedPiece) -> UInt8? {
        switch piece.symbol ?? piece.type {
        case "cross", "X", "x": 1
        case "nought", "O", "o": 2
        default: nil
        }
    }

    func result(of position: [UInt8]) -> PositionResult {
        winner(of: position) != nil ? .won : position.contains(0) ? .open : .drawn
    }

    /// The position on the table; nil unless crosses have as many marks as noughts or one more, and play stopped
    /// after a win.
    func position(showing table: [UInt8]) -> [UInt8]? {
        let (crosses, noughts) = (table.count { $0 == 1 }, table.count { $0 == 2 })
        guard crosses == noughts || crosses == noughts + 1 else { return nil }
        func wins(_ mark: UInt8) -> Bool { Self.lines.contains { $0.allSatisfy { table[$0] == mark } } }
        if wins(1), wins(2) || crosses == noughts { return nil }
        if wins(2), crosses != noughts { return nil }
        return table
    }

    func fault(of table: [UInt8], in position: [UInt8]) -> String {
        if result(of: position) != .open { return "gameOver" }
        if zip(table, position).contains(where: { $1 != 0 && $0 != $1 }) { return "markChanged" }
        let added = table.indices.filter { table[$0] != position[$0] }
        return added.contains { table[$0] != turn(in: position) } ? "outOfTurn" : "tooManyMarks"
    }

    func best(in position: [UInt8]) -> [UInt8]? {
        var known: [[UInt8]: Int] = [:]
        return successors(of: position).map { ($0, value(of: $0, known: &known)) }.min { $0.1 < $1.1 }?.0
    }

    /// Minimax value for the player to move: positive wins, 0 draws, negative loses. Earlier wins have larger values.
    func value(of position: [UInt8]) -> Int {
        var known: [[UInt8]: Int] = [:]
        return value(of: position, known: &known)
    }

    private func value(of position: [UInt8], known: inout [[UInt8]: Int]) -> Int {
        if let value = known[position] { return value }
        var value = 0
        if winner(of: position) != nil {
            value = -10 - position.count { $0 == 0 }
        } else {
            let next = successors(of: position)
            if !next.isEmpty { value = next.reduce(Int.min) { max($0, -self.value(of: $1, known: &known)) } }
        }
        known[position] = value
        return value
    }
}
