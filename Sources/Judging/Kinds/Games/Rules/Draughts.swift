import Core

/// English draughts (checkers). Dark starts from the top of the board, captures are mandatory, kings move both ways.
struct Draughts: PositionRules {
    let id = "draughts"
    let title = "Draughts"
    let description = "Jump over all pieces of the other side, or leave them no move."
    let recommendedAge = 7...99
    let skills = ["turnTaking", "captures", "planning"]
    let rows = 8
    let columns = 8
    let marks = ["dark", "light"]
    /// Plies without a capture or a man's move until the game is drawn (forty moves of each side).
    static let quietLimit = 80

    typealias Position = DraughtsPosition

    let start = DraughtsPosition.start

    func successors(of position: DraughtsPosition) -> [DraughtsPosition] {
        position.quiet >= Self.quietLimit ? [] : position.moves.map(\.result)
    }

    /// Men and kings give the same mark. The rules track crowning; the table does not show it.
    func table(of position: DraughtsPosition) -> [UInt8] {
        var table = [UInt8](repeating: 0, count: 64)
        for (square, man) in position.squares.enumerated() where man != .empty {
            table[DraughtsPosition.index(of: square)] = man.isDark ? 1 : 2
        }
        return table
    }

    func mark(of piece: RecognizedPiece) -> UInt8? {
        switch piece.colour ?? piece.type {
        case "dark", "black", "red": 1
        case "light", "white", "yellow": 2
        default: nil
        }
    }

    func isUsed(_ square: Int) -> Bool { !(square / columns + square % columns).isMultiple(of: 2) }

    func result(of position: DraughtsPosition) -> PositionResult {
        position.moves.isEmpty ? .won : position.quiet >= Self.quietLimit ? .drawn : .open
    }

    /// Only the initial position is recognised, because others do not show the side to move.
    func position(showing table: [UInt8]) -> DraughtsPosition? {
        table == self.table(of: .start) ? .start : nil
    }

    /// True if the moving piece is lifted, on its way or at its destination, with any of the captured pieces already
    /// removed.
    func isUnderway(_ table: [UInt8], from position: DraughtsPosition) -> Bool {
        let now = self.table(of: position)
        return position.moves.contains { move in
            var open: Set<Int> = Set(move.captured.map { DraughtsPosition.index(of: $0) })
            open.insert(DraughtsPosition.index(of: move.from))
            open.formUnion(move.path.map { DraughtsPosition.index(of: $0) })
            let mark: UInt8 = position.darkToMove ? 1 : 2
            var own = 0
            for square in table.indices where open.contains(square) {
                if table[square] == mark {
                    own += 1
                } else if table[square] != 0, table[square] != now[square] {
                    return false
                }
            }
            return own <= 1 && table.indices.allSatisfy { open.contains($0) || table[$0] == now[$0] }
        }
    }

    func fault(of table: [UInt8], in position: DraughtsPosition) -> String {
        let moves = position.moves
        if moves.isEmpty { return "gameOver" }
        let now = self.table(of: position)
        let own: UInt8 = position.darkToMove ? 1 : 2
        let changed = table.indices.filter { table[$0] != now[$0] }
        if changed.contains(where: { table[$0] != 0 && table[$0] != own }) { return "outOfTurn" }
        if table.indices.contains(where: { table[$0] != 0 && ($0 / 8 + $0 % 8).isMultiple(of: 2) }) {
            return "lightSquare"
        }
        return moves.contains { !$0.captured.isEmpty } ? "mustCapture" : "illegalMove"
    }

    /// The move that captures most and allows the fewest captures in reply.
    func best(in position: DraughtsPosition) -> DraughtsPosition? {
        func most(_ position: DraughtsPosition) -> Int { position.moves.map(\.captured.count).max() ?? -100 }
        return position.moves.max { a, b in
            (a.captured.count - most(a.result)) < (b.captured.count - most(b.result))
        }?.result
    }
}
