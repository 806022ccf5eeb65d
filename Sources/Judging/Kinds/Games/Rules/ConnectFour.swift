import Core

/// Connect four on 6 rows × 7 columns. Yellow is mark 1 and red is mark 2; either may start.
struct ConnectFour: PositionRules {
    let id = "connect-four"
    let title = "Connect four"
    let description = "Drop discs in turn, and be the first with four in a row."
    let recommendedAge = 6...99
    let skills = ["turnTaking", "planning"]
    let rows = 6
    let columns = 7
    let marks = ["yellow", "red"]

    /// The squares in row-major order from the top, and the side to move.
    struct Position: Sendable, Hashable, Codable {
        var squares = [UInt8](repeating: 0, count: 42)
        /// 0 before the first disc: either side may start.
        var turn: UInt8 = 0
    }

    let start = Position()

    func successors(of position: Position) -> [Position] {
        guard !hasFour(position.squares) else { return [] }
        return (0..<columns).flatMap { column -> [Position] in
            guard let row = (0..<rows).last(where: { position.squares[$0 * columns + column] == 0 }) else { return [] }
            return (position.turn == 0 ? [1, 2] : [position.turn]).map { mark in
                var next = position
                next.squares[row * columns + column] = mark
                next.turn = 3 - mark
                return next
            }
        }
    }

    func table(of position: Position) -> [UInt8] { position.squares }

    func mark(of piece: RecognizedPiece) -> UInt8? {
        switch piece.colour ?? piece.type {
        case "yellow": 1
        case "red": 2
        default: nil
        }
    }

    func result(of position: Position) -> PositionResult {
        hasFour(position.squares) ? .won : position.squares.contains(0) ? .open : .drawn
    }

    /// The position on the table; nil if a disc floats or a colour is two ahead. With equal counts yellow is assumed
    /// to have started.
    func position(showing table: [UInt8]) -> Position? {
        let (yellow, red) = (table.count { $0 == 1 }, table.count { $0 == 2 })
        guard abs(yellow - red) <= 1, !floats(table) else { return nil }
        if yellow + red == 0 { return start }
        return Position(squares: table, turn: yellow > red ? 2 : 1)
    }

    func fault(of table: [UInt8], in position: Position) -> String {
        if result(of: position) != .open { return "gameOver" }
        if zip(table, position.squares).contains(where: { $1 != 0 && $0 != $1 }) { return "discMoved" }
        if floats(table) { return "floatingDisc" }
        let added = table.indices.filter { table[$0] != position.squares[$0] }
        return added.contains { table[$0] != position.turn } ? "outOfTurn" : "tooManyDiscs"
    }

    private func floats(_ squares: [UInt8]) -> Bool {
        (0..<(rows - 1) * columns).contains { squares[$0] != 0 && squares[$0 + columns] == 0 }
    }

    private static let directions = [(0, 1), (1, 0), (1, 1), (1, -1)]

    func hasFour(_ squares: [UInt8]) -> Bool {
        for row in 0..<rows {
            for column in 0..<columns where squares[row * columns + column] != 0 {
                let mark = squares[row * columns + column]
                for (down, right) in Self.directions {
                    let (lastRow, lastColumn) = (row + 3 * down, column + 3 * right)
                    guard lastRow < rows, (0..<columns).contains(lastColumn) else { continue }
                    if (1...3).allSatisfy({ squares[(row + $0 * down) * columns + column + $0 * right] == mark }) {
                        return true
                    }
                }
            }
        }
        return false
    }

    /// A winning move, else a move that allows no immediate win, else the most central one.
    func best(in position: Position) -> Position? {
        let next = successors(of: position)
        if let win = next.first(where: { hasFour($0.squares) }) { return win }
        let sound = next.filter { !successors(of: $0).contains { hasFour($0.squares) } }
        func distance(_ reached: Position) -> Int {
            let index = position.squares.indices.first { reached.squares[$0] != position.squares[$0] } ?? 0
            return abs(index % columns - columns / 2)
        }
        return (sound.isEmpty ? next : sound).min { distance($0) < distance($1) }
    }
}
