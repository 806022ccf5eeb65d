/// A position of English draughts and its moves. The 32 dark squares are numbered in row-major order from the top.
struct DraughtsPosition: Sendable, Hashable, Codable {
    enum Man: UInt8, Sendable, Hashable, Codable {
        case empty, darkMan, darkKing, lightMan, lightKing

        var isDark: Bool { self == .darkMan || self == .darkKing }
        var isLight: Bool { self == .lightMan || self == .lightKing }
        var isKing: Bool { self == .darkKing || self == .lightKing }
    }

    /// A legal move: one step or a chain of jumps.
    struct Move: Sendable, Hashable {
        var from: Int
        /// The squares on which the piece lands, in order.
        var path: [Int]
        var captured: [Int]
        var result: DraughtsPosition
    }

    var squares: [Man]
    var darkToMove: Bool
    /// Plies since a capture or a man's move.
    var quiet: Int

    static let start = DraughtsPosition(
        squares: (0..<32).map { $0 < 12 ? .darkMan : $0 < 20 ? .empty : .lightMan }, darkToMove: true, quiet: 0)

    /// The row-major index of a dark square among all 64 squares.
    static func index(of square: Int) -> Int {
        let row = square / 4
        return row * 8 + 2 * (square % 4) + 1 - row % 2
    }

    /// The square at an offset of rows and columns; nil outside the board.
    private static func square(_ square: Int, _ down: Int, _ right: Int) -> Int? {
        let place = Self.index(of: square)
        let (row, column) = (place / 8 + down, place % 8 + right)
        guard (0..<8).contains(row), (0..<8).contains(column) else { return nil }
        return row * 4 + column / 2
    }

    /// All legal moves. Captures are mandatory, so other moves count only if there is no capture.
    var moves: [Move] {
        let own = squares.indices.filter { darkToMove ? squares[$0].isDark : squares[$0].isLight }
        let captures = own.flatMap { jumps(from: $0) }
        return captures.isEmpty ? own.flatMap { steps(from: $0) } : captures
    }

    private func directions(of man: Man) -> [(down: Int, right: Int)] {
        let forward = man.isDark ? 1 : -1
        return (man.isKing ? [forward, -forward] : [forward]).flatMap { [($0, -1), ($0, 1)] }
    }

    private func steps(from square: Int) -> [Move] {
        let man = squares[square]
        return directions(of: man).compactMap { down, right in
            guard let target = Self.square(square, down, right), squares[target] == .empty else { return nil }
            return move(square, [target], [])
        }
    }

    private func jumps(from square: Int) -> [Move] {
        let man = squares[square]
        var found: [Move] = []
        func extend(_ at: Int, _ path: [Int], _ captured: [Int]) {
            var isLast = true
            // A man that is crowned ends its move.
            if path.isEmpty || man.isKing || Self.crowned(man, at: at) == man {
                for (down, right) in directions(of: man) {
                    guard let over = Self.square(at, down, right), let target = Self.square(at, 2 * down, 2 * right),
                        man.isDark ? squares[over].isLight : squares[over].isDark, !captured.contains(over),
                        squares[target] == .empty || target == square
                    else { continue }
                    isLast = false
                    extend(target, path + [target], captured + [over])
                }
            }
            if isLast, !path.isEmpty { found.append(move(square, path, captured)) }
        }
        extend(square, [], [])
        return found
    }

    private static func crowned(_ man: Man, at square: Int) -> Man {
        if man == .darkMan, square >= 28 { return .darkKing }
        if man == .lightMan, square < 4 { return .lightKing }
        return man
    }

    private func move(_ from: Int, _ path: [Int], _ captured: [Int]) -> Move {
        var next = self
        let man = squares[from]
        next.squares[from] = .empty
        for square in captured { next.squares[square] = .empty }
        if let last = path.last { next.squares[last] = Self.crowned(man, at: last) }
        next.darkToMove.toggle()
        next.quiet = captured.isEmpty && man.isKing ? quiet + 1 : 0
        return Move(from: from, path: path, captured: captured, result: next)
    }
}
