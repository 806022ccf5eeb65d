import Foundation
import Core

/// Square tiles in contact, at any position and rotation on the table, mapped to a grid of their own.
struct TileGrid: Sendable, Hashable, Codable {
    /// A square of the grid: columns to the right and rows down in reading direction. The first tile's corner of the
    /// grid is 0, 0.
    struct Square: Sendable, Hashable, Codable, Comparable {
        var row: Int
        var column: Int

        static func < (a: Square, b: Square) -> Bool { (a.row, a.column) < (b.row, b.column) }
    }

    /// A tile on a square.
    struct Tile: Sendable, Hashable, Codable, Comparable {
        var square: Square
        /// What distinguishes tiles in the game: a letter, a number, or a shape and its colour.
        var face: String

        static func < (a: Tile, b: Tile) -> Bool { (a.square, a.face) < (b.square, b.face) }
    }

    /// Sorted by square, row by row.
    var tiles: [Tile]

    /// Maximum misplacement of a neighbour as a share of the grid's step.
    private static let play = 0.32

    /// The largest group of touching tiles. The squares are the frame's cells if present, otherwise they follow from
    /// the tiles' positions. The step of the grid may exceed the edge of a tile by a third.
    ///
    /// - Parameters:
    ///   - side: edge of a tile, millimetres.
    ///   - readable: true if tiles have a unique upright direction, which then fixes the rotation of the grid.
    init(_ pieces: [RecognizedPiece], side: Double, readable: Bool, face: (RecognizedPiece) -> String?) {
        let tiles = pieces.compactMap { piece in face(piece).map { (piece: piece, face: $0) } }
        if !tiles.isEmpty, tiles.allSatisfy({ $0.piece.cell != nil }) {
            self.tiles = tiles.compactMap { tile in
                tile.piece.cell.map { Tile(square: Square(row: $0.row, column: $0.column), face: tile.face) }
            }.sorted()
            return
        }
        // The mean direction of the tiles' edges. Tiles with a unique upright direction fix it fully, others up to
        // quarter turns.
        let fold = readable ? 1.0 : 4.0
        let turns = tiles.map { $0.piece.angleDegrees * fold * .pi / 180 }
        let angle = atan2(turns.reduce(0) { $0 + sin($1) }, turns.reduce(0) { $0 + cos($1) }) / fold
        let places = tiles.map { tile in
            Point(
                tile.piece.xMM * cos(angle) + tile.piece.yMM * sin(angle),
                tile.piece.yMM * cos(angle) - tile.piece.xMM * sin(angle))
        }
        var best: [Int: Square] = [:]
        var seen: Set<Int> = []
        for start in places.indices where !seen.contains(start) {
            var group = [start: Square(row: 0, column: 0)]
            var waiting = [start]
            while let index = waiting.popLast(), let square = group[index] {
                for other in places.indices where group[other] == nil {
                    let (dx, dy) = (places[other].x - places[index].x, places[other].y - places[index].y)
                    let step = max(abs(dx), abs(dy))
                    guard step > side * (1 - Self.play / 2), step < side * 4 / 3,
                        min(abs(dx), abs(dy)) < side * Self.play
                    else { continue }
                    group[other] =
                        abs(dx) > abs(dy)
                        ? Square(row: square.row, column: square.column + (dx > 0 ? 1 : -1))
                        : Square(row: square.row + (dy > 0 ? 1 : -1), column: square.column)
                    waiting.append(other)
                }
            }
            seen.formUnion(group.keys)
            if group.count > best.count { best = group }
        }
        self.tiles = best.map { Tile(square: $0.value, face: tiles[$0.key].face) }.sorted()
        self = normalized
    }

    init(tiles: [Tile]) { self.tiles = tiles.sorted() }

    /// True if no two tiles share a square.
    var isSound: Bool { Set(tiles.map(\.square)).count == tiles.count }

    /// The grid moved so that its first row and column are 0.
    var normalized: TileGrid {
        let (top, left) = (tiles.map(\.square.row).min() ?? 0, tiles.map(\.square.column).min() ?? 0)
        return moved(down: -top, right: -left)
    }

    func moved(down: Int, right: Int) -> TileGrid {
        TileGrid(
            tiles: tiles.map {
                Tile(square: Square(row: $0.square.row + down, column: $0.square.column + right), face: $0.face)
            })
    }

    /// The grid rotated clockwise by a quarter turn.
    var rotated: TileGrid {
        TileGrid(
            tiles: tiles.map {
                Tile(square: Square(row: $0.square.column, column: -$0.square.row), face: $0.face)
            })
    }

    /// The tiles added to `earlier`. Nil if this grid does not contain `earlier` under any translation and, unless
    /// `readable`, any rotation.
    func added(to earlier: TileGrid, readable: Bool) -> (grid: TileGrid, fresh: [Tile])? {
        guard let anchor = earlier.tiles.first else { return (self, tiles) }
        var grid = self
        for _ in 0..<(readable ? 1 : 4) {
            for tile in grid.tiles where tile.face == anchor.face {
                let moved = grid.moved(
                    down: anchor.square.row - tile.square.row, right: anchor.square.column - tile.square.column)
                let all = Set(moved.tiles)
                if earlier.tiles.allSatisfy(all.contains) {
                    return (moved, moved.tiles.filter { !earlier.tiles.contains($0) })
                }
            }
            grid = grid.rotated
        }
        return nil
    }

    /// All lines of two or more tiles, in rows and in columns.
    var lines: [[Tile]] {
        let bySquare = Dictionary(tiles.map { ($0.square, $0) }, uniquingKeysWith: { first, _ in first })
        return tiles.flatMap { tile -> [[Tile]] in
            [(0, 1), (1, 0)].compactMap { down, right -> [Tile]? in
                let before = Square(row: tile.square.row - down, column: tile.square.column - right)
                guard bySquare[before] == nil else { return nil }
                var run = [tile]
                var at = tile.square
                while true {
                    at = Square(row: at.row + down, column: at.column + right)
                    guard let next = bySquare[at] else { break }
                    run.append(next)
                }
                return run.count > 1 ? run : nil
            }
        }
    }
}
