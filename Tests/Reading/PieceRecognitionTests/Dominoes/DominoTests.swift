import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

private func read(_ drawing: BoardDrawing, as set: String, noise: Double = 4) throws -> PieceFrame {
    let raster = try #require(drawing.photo(noise: noise))
    return try PieceRecognizer(set: try PreparedPieceSet.load(set, from: ModelFolder(Repository.models))).recognize(
        raster)
}

extension BoardDrawing {
    /// Draws a domino of `side` by twice that about a centre.
    fileprivate mutating func domino(
        _ values: [Int], _ x: Double, _ y: Double, side: Double = 62, angle: Double, ground: RGB, ink: RGB
    ) {
        fill(BoardDrawing.square(x, y, side: side, angle: angle, width: 2 * side), ground)
        line(
            Self.rotated(0, -0.36 * side, about: (x, y), angle), Self.rotated(0, 0.36 * side, about: (x, y), angle),
            width: 0.05 * side, ink)
        for (half, value) in values.enumerated() {
            let at = Self.rotated((Double(half) - 0.5) * side, 0, about: (x, y), angle)
            pips(value, at.x, at.y, side: side, angle: angle, ink)
        }
    }
}

/// The two numbers of each tile, the smaller one first.
private func numbers(_ frame: PieceFrame) -> [[Int]] {
    frame.pieces.compactMap(\.values).map { $0.sorted() }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
}

@Suite struct `Dominoes` {
    /// A row of four, the double across; each half equals its neighbour's half.
    private func chain(on table: BoardDrawing.RGB, ground: BoardDrawing.RGB, ink: BoardDrawing.RGB) -> BoardDrawing {
        var board = BoardDrawing(table: table)
        board.domino([2, 5], 130, 300, angle: 0, ground: ground, ink: ink)
        board.domino([5, 3], 254, 300, angle: 0, ground: ground, ink: ink)
        board.domino([3, 3], 347, 300, angle: 90, ground: ground, ink: ink)
        board.domino([3, 6], 440, 300, angle: 0, ground: ground, ink: ink)
        return board
    }

    @Test(arguments: [false, true])
    func `that touch without a seam are distinguished by their bars`(isDark: Bool) throws {
        let (ground, ink) = isDark ? (BoardDrawing.black, BoardDrawing.white) : (BoardDrawing.white, BoardDrawing.black)
        let frame = try read(chain(on: (96, 120, 92), ground: ground, ink: ink), as: "dominoes")
        #expect(numbers(frame) == [[2, 5], [3, 3], [3, 5], [3, 6]])
        // Each tile at its own position.
        #expect(
            frame.pieces.map { ($0.polygonPX.reduce(0) { $0 + $1.x } / 4).rounded() }.sorted().elementsEqual(
                [130, 254, 347, 440]) { abs($0 - $1) < 5 })
    }

    @Test func `a dark seam between two equal halves is not a bar`() throws {
        var board = chain(on: (96, 120, 92), ground: BoardDrawing.white, ink: BoardDrawing.black)
        board.line(Point(192, 271), Point(192, 329), width: 3, (120, 116, 108))
        board.line(Point(316, 271), Point(316, 329), width: 3, (120, 116, 108))
        board.line(Point(378, 271), Point(378, 329), width: 3, (120, 116, 108))
        #expect(numbers(try read(board, as: "dominoes")) == [[2, 5], [3, 3], [3, 5], [3, 6]])
    }

    @Test func `as dark as the table are read by their bars and pips`() throws {
        var board = BoardDrawing(table: (40, 38, 36))
        let laid = [[1, 4], [6, 2], [5, 5], [3, 0]]
        for (index, values) in laid.enumerated() {
            let (x, y) = (180 + 360 * Double(index % 2), 170 + 250 * Double(index / 2))
            // The shadow has more contrast than the tile.
            board.fill(BoardDrawing.square(x + 6, y + 7, side: 62, angle: 20, width: 124), (22, 21, 20))
            board.domino(values, x, y, angle: 20, ground: (30, 30, 32), ink: BoardDrawing.white)
        }
        let frame = try read(board, as: "dominoes", noise: 2)
        #expect(numbers(frame) == laid.map { $0.sorted() }.sorted { $0[0] < $1[0] })
        #expect(frame.pieces.allSatisfy { abs(remainder($0.angleDegrees - 20, 180)) < 4 })
    }

    @Test func `a six whose middle pips are scratched to the rim is not a four`() throws {
        var board = BoardDrawing(table: (96, 120, 92))
        for (index, values) in [[1, 6], [2, 5], [3, 0]].enumerated() {
            board.domino(
                values, 160 + 230 * Double(index), 300, angle: 0, ground: BoardDrawing.white, ink: BoardDrawing.black)
        }
        // From the middle pips of the six to the right and to the upper edge.
        board.line(Point(206, 300), Point(224, 300), width: 2, BoardDrawing.black)
        board.line(Point(176, 300), Point(191, 268), width: 2, BoardDrawing.black)
        let read = numbers(try read(board, as: "dominoes"))
        #expect(!read.contains([1, 4]))
        #expect(read.filter { $0 != [1, 6] } == [[0, 3], [2, 5]])
    }

    @Test func `scratches on a table are not dominoes`() throws {
        var board = BoardDrawing(table: (150, 112, 80))
        for index in 0..<24 {
            let (x, y) = (60 + 130 * Double(index % 6), 80 + 140 * Double(index / 6))
            let angle = 37 * Double(index) * .pi / 180
            board.line(
                Point(x - 18 * cos(angle), y - 18 * sin(angle)), Point(x + 18 * cos(angle), y + 18 * sin(angle)),
                width: 3, (90, 64, 44))
        }
        #expect(try read(board, as: "dominoes").pieces.isEmpty)
    }
}

@Suite struct `Dominoes in rows` {
    /// Two rows of six with gaps of a third of a side, each tile displaced by so many pixels in a direction of its own.
    private func rows(displaced: Double) -> BoardDrawing {
        var board = BoardDrawing(table: (150, 40, 44))
        for index in 0..<12 {
            let (column, row) = (Double(index % 6), Double(index / 6))
            let way = 2.4 * Double(index)
            board.domino(
                [index % 7, 3 * index % 7], 110 + 110 * column + displaced * cos(way),
                70 + 460 * row + displaced * sin(way), side: 40, angle: 0, ground: BoardDrawing.white,
                ink: BoardDrawing.black)
        }
        return board
    }

    @Test func `as regular as print are unclear, and larger ones beside them are read`() throws {
        var board = rows(displaced: 0)
        for (index, values) in [[1, 6], [2, 5], [3, 0]].enumerated() {
            let (x, angle) = (200 + 200 * Double(index), 25 + 40 * Double(index))
            board.domino(values, x, 300, side: 58, angle: angle, ground: BoardDrawing.white, ink: BoardDrawing.black)
        }
        let frame = try read(board, as: "dominoes")
        #expect(numbers(frame) == [[0, 3], [1, 6], [2, 5]])
        #expect(frame.unclear_px?.count == 12)
        #expect(frame.remarks.contains { $0.contains("Printed or laid: cannot tell") })
    }

    @Test func `that a hand laid are read`() throws {
        let frame = try read(rows(displaced: 2), as: "dominoes")
        #expect(frame.pieces.count == 12)
        #expect(frame.unclear_px == nil && frame.remarks.isEmpty)
    }

    @Test func `a photo without any says what to change`() throws {
        let frame = try read(BoardDrawing(table: (150, 40, 44)), as: "dominoes")
        #expect(frame.remarks.count == 1 && frame.remarks[0].contains("light"))
    }
}

@Suite struct `Tiles with dots` {
    @Test func `as bright as the table but of another hue are found, despite stronger shadows`() throws {
        var board = BoardDrawing(table: (168, 150, 146))
        for value in 1...6 {
            let (x, y) = (150 + 240 * Double((value - 1) % 3), 170 + 250 * Double((value - 1) / 3))
            let angle = 11 * Double(value)
            board.fill(BoardDrawing.square(x + 6, y + 7, side: 76, angle: angle), (112, 98, 96))
            board.fill(BoardDrawing.square(x, y, side: 76, angle: angle), (158, 164, 146))
            board.pips(value, x, y, side: 76, angle: angle, (150, 30, 36))
        }
        let frame = try read(board, as: "number-dots", noise: 3)
        #expect(frame.pieces.compactMap(\.value).sorted() == [1, 2, 3, 4, 5, 6])
        // The outline is the tile's, without its shadow.
        #expect(
            frame.pieces.allSatisfy { piece in
                let (a, b) = (piece.polygonPX[0], piece.polygonPX[1])
                return abs(hypot(a.x - b.x, a.y - b.y) - 76) < 5
            })
    }

    @Test func `with pips in no standard arrangement are left out`() throws {
        var board = BoardDrawing(table: (90, 110, 92))
        for (index, pips) in [[(-25.0, -25.0), (25, 25)], [(-25, -25), (-25, 25), (25, 4), (6, 0)]].enumerated() {
            let x = 220 + 320 * Double(index)
            board.fill(BoardDrawing.square(x, 300, side: 110, angle: 0), BoardDrawing.white)
            for pip in pips { board.disc(x + pip.0, 300 + pip.1, radius: 9, (170, 30, 40)) }
        }
        #expect(try read(board, as: "number-dots").pieces.compactMap(\.value) == [2])
    }
}
