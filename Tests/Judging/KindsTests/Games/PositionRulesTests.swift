import Testing
import Core

@testable import Kinds

/// Compares the rules with published counts, which are independent of this code.
struct PositionRulesTests {
    private func leaves<Rules: PositionRules>(_ rules: Rules, _ position: Rules.Position, _ depth: Int) -> Int {
        let next = rules.successors(of: position)
        return depth == 1 ? next.count : next.reduce(0) { $0 + leaves(rules, $1, depth - 1) }
    }

    @Test func `tic-tac-toe has 5478 positions and 255168 games, X wins 131184, O wins 77904`() {
        let rules = TicTacToe()
        // Number of games by winner from each position. Each position is visited once.
        var games: [[UInt8]: [UInt8: Int]] = [:]
        func play(_ position: [UInt8]) -> [UInt8: Int] {
            if let known = games[position] { return known }
            let next = rules.successors(of: position)
            let result =
                next.isEmpty
                ? [rules.winner(of: position) ?? 0: 1]
                : next.reduce(into: [:]) { sum, position in sum.merge(play(position), uniquingKeysWith: +) }
            games[position] = result
            return result
        }
        #expect(play(rules.start) == [0: 46080, 1: 131184, 2: 77904])
        let positions = Set(games.keys)
        #expect(positions.count == 5478)
        // The positions that a table can show are exactly the reachable ones.
        var readable = 0
        for code in 0..<19683 {
            var (rest, table) = (code, [UInt8]())
            for _ in 0..<9 {
                table.append(UInt8(rest % 3))
                rest /= 3
            }
            let isReadable = rules.position(showing: table) != nil
            if isReadable { readable += 1 }
            if isReadable != positions.contains(table) { Issue.record("\(table)") }
        }
        #expect(readable == 5478)
    }

    @Test func `with best play nobody wins at tic-tac-toe`() {
        let rules = TicTacToe()
        #expect(rules.value(of: rules.start) == 0)
    }

    @Test func `the moves of English draughts match published perft counts`() {
        let rules = Draughts()
        // English draughts from the start: https://www.chessprogramming.org/Checkers and Aart Bik's perft page.
        for (depth, count) in [(1, 7), (2, 49), (3, 302), (4, 1469), (5, 7361)] {
            #expect(leaves(rules, rules.start, depth) == count, "depth \(depth)")
        }
    }

    @Test func `the positions of connect four match the counts of the OEIS`() {
        // OEIS A212693: distinct positions after n plies, with a fixed first player.
        let rules = ConnectFour()
        var positions: Set<ConnectFour.Position> = [ConnectFour.Position(turn: 1)]
        for count in [7, 49, 238, 1120, 4263] {
            positions = Set(positions.flatMap { rules.successors(of: $0) })
            #expect(positions.count == count)
        }
    }

    @Test func `four in a row is detected in every direction and nowhere else`() {
        let rules = ConnectFour()
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for row in 0..<6 {
                for column in 0..<7 {
                    let cells = (0..<4).map { (row + $0 * down, column + $0 * right) }
                    guard cells.allSatisfy({ (0..<6).contains($0.0) && (0..<7).contains($0.1) }) else { continue }
                    var squares = [UInt8](repeating: 0, count: 42)
                    for (row, column) in cells { squares[row * 7 + column] = 2 }
                    #expect(rules.hasFour(squares))
                    squares[cells[2].0 * 7 + cells[2].1] = 1
                    #expect(!rules.hasFour(squares))
                }
            }
        }
    }

    @Test func `a man that jumps to the last row is crowned and ends its move`() {
        var position = DraughtsPosition(squares: .init(repeating: .empty, count: 32), darkToMove: true, quiet: 0)
        position.squares[21] = .darkMan  // row 5
        position.squares[25] = .lightMan  // row 6, captured on the way to row 7
        position.squares[26] = .lightMan  // a king could take this one next
        let moves = position.moves
        #expect(moves.allSatisfy { $0.captured.count == 1 })
        #expect(moves.contains { $0.result.squares[$0.path[0]] == .darkKing })
    }
}
