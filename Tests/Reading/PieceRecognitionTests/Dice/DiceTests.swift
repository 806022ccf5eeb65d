import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

@Suite struct `Throws of dice` {
    private static let red: BoardDrawing.RGB = (186, 28, 34)
    private static let blue: BoardDrawing.RGB = (34, 60, 150)

    private func values(_ drawing: BoardDrawing) throws -> [Int] {
        let raster = try #require(drawing.photo())
        let set = try PreparedPieceSet.load("dice", from: ModelFolder(Repository.models))
        return try PieceRecognizer(set: set).recognize(raster).pieces.compactMap(\.value).sorted()
    }

    private func die(
        _ value: Int, _ x: Double, _ y: Double, side: Double, angle: Double, ink: BoardDrawing.RGB = BoardDrawing.black,
        on board: inout BoardDrawing
    ) {
        board.fill(BoardDrawing.square(x, y, side: side, angle: angle), BoardDrawing.white)
        board.pips(value, x, y, side: side, angle: angle, ink)
    }

    @Test func `large and small dice in one photo are read`() throws {
        var board = BoardDrawing(table: (60, 70, 64))
        die(5, 140, 160, side: 120, angle: 20, on: &board)
        die(3, 420, 140, side: 34, angle: 50, on: &board)
        die(6, 600, 400, side: 110, angle: 70, on: &board)
        die(2, 300, 420, side: 40, angle: 5, on: &board)
        #expect(try values(board) == [2, 3, 5, 6])
    }

    @Test func `coloured pips count, and one large red pip is a one`() throws {
        var board = BoardDrawing(table: (60, 90, 64))
        die(4, 150, 150, side: 80, angle: 30, ink: Self.red, on: &board)
        die(3, 400, 150, side: 80, angle: 65, ink: Self.blue, on: &board)
        board.fill(BoardDrawing.square(400, 420, side: 80, angle: 12), BoardDrawing.white)
        board.disc(400, 420, radius: 14, Self.red)
        #expect(try values(board) == [1, 3, 4])
    }

    @Test func `the rows of a six may be close together`() throws {
        var board = BoardDrawing(table: (110, 80, 60))
        board.fill(BoardDrawing.square(400, 300, side: 100, angle: 25), BoardDrawing.white)
        for row in [-1.0, 0, 1] {
            for column in [-1.0, 1] {
                let at = BoardDrawing.rotated(18 * column, 27 * row, about: (400, 300), 25)
                board.disc(at.x, at.y, radius: 10, BoardDrawing.black)
            }
        }
        #expect(try values(board) == [6])
    }

    @Test func `the side face of a die is not counted beside its top face`() throws {
        var board = BoardDrawing(table: (70, 74, 90))
        die(5, 400, 250, side: 100, angle: 0, on: &board)
        // Its front face, foreshortened to three tenths, with the pips of a three.
        board.fill([Point(350, 300), Point(450, 300), Point(446, 332), Point(354, 332)], (190, 188, 180))
        for step in [-1.0, 0, 1] {
            let (x, y) = (400 + 25 * step, 316 + 8 * step)
            board.fill(
                (0..<28).map {
                    Point(x + 9 * cos(Double($0) * .pi / 14), y + 3.2 * sin(Double($0) * .pi / 14))
                }, BoardDrawing.black)
        }
        #expect(try values(board) == [5])
    }

    @Test func `a die half in shadow keeps its value`() throws {
        var board = BoardDrawing(table: (110, 80, 60))
        die(5, 400, 300, side: 100, angle: 0, on: &board)
        // The shadow's edge runs between the rows, so the lower pips are on a darker background.
        board.fill([Point(350, 312), Point(450, 312), Point(450, 350), Point(350, 350)], (96, 94, 90))
        for x in [375.0, 425] { board.disc(x, 325, radius: 9, (12, 12, 14)) }
        #expect(try values(board).allSatisfy { $0 == 5 })
    }

    @Test(arguments: 0..<6) func `a one with more ink on its face is not reported`(form: Int) throws {
        var board = BoardDrawing(table: (60, 64, 70))
        die(5, 200, 200, side: 100, angle: 0, on: &board)
        board.fill(BoardDrawing.square(480, 300, side: 90, angle: 0), BoardDrawing.white)
        board.disc(480, 300, radius: 8, Self.blue)
        switch form {
        case 0: board.disc(455, 325, radius: 8, Self.blue); board.disc(457, 323, radius: 5, BoardDrawing.white)
        case 1: board.disc(456, 324, radius: 7, (130, 150, 200))
        case 2: board.fill([Point(448, 310), Point(454, 310), Point(454, 340), Point(448, 340)], Self.blue)
        case 3: board.disc(437, 300, radius: 8, Self.blue)
        case 4:
            for x in [456.0, 504] {
                for y in [276.0, 324] {
                    board.fill([Point(x - 8, y), Point(x, y - 3), Point(x + 8, y), Point(x, y + 3)], Self.blue)
                }
            }
        default:
            board.disc(453, 326, radius: 3, Self.blue); board.disc(457, 320, radius: 3, Self.blue);
            board.disc(460, 327, radius: 3, Self.blue)
        }
        #expect(try values(board) == [5])
    }

    @Test(arguments: [2.3, 2.7]) func `pips closer together than on a die are not a one`(part: Double) throws {
        let gap = 24.0
        var board = BoardDrawing(table: (60, 64, 70))
        die(5, 200, 200, side: 100, angle: 0, on: &board)
        board.fill(BoardDrawing.square(480, 300, side: part * gap, angle: 0), BoardDrawing.white)
        for x in [-0.5, 0.5] {
            for y in [-0.5, 0.5] { board.disc(480 + x * gap, 300 + y * gap, radius: 7.5, Self.red) }
        }
        #expect(try !values(board).contains(1))
    }

    @Test func `printed dots are not dice`() throws {
        var board = BoardDrawing(table: (236, 234, 228))
        for row in 0..<12 {
            for column in 0..<18 {
                let (x, y) = (40 + 41.0 * Double(column), 40 + 44.0 * Double(row))
                switch (row * 7 + column * 5) % 6 {
                case 0:  // a colon
                    board.disc(x, y - 7, radius: 4, BoardDrawing.black)
                    board.disc(x, y + 7, radius: 4, BoardDrawing.black)
                case 1:  // an i
                    board.disc(x, y - 12, radius: 4, BoardDrawing.black)
                    board.line(Point(x, y - 4), Point(x, y + 12), width: 6, BoardDrawing.black)
                case 2:
                    board.disc(x, y + 10, radius: 4, BoardDrawing.black)
                case 3:
                    board.line(Point(x - 8, y - 12), Point(x - 8, y + 12), width: 5, BoardDrawing.black)
                    board.line(Point(x + 8, y - 12), Point(x + 8, y + 12), width: 5, BoardDrawing.black)
                default:
                    board.disc(x, y, radius: 11, BoardDrawing.black)
                    board.disc(x, y, radius: 6, (236, 234, 228))
                }
            }
        }
        #expect(try values(board).isEmpty)
    }

    @Test func `four dots in a square on a bare table are not a die`() throws {
        var board = BoardDrawing(table: (232, 230, 226))
        board.pips(4, 300, 300, side: 90, angle: 20, BoardDrawing.black)
        board.pips(5, 560, 200, side: 90, angle: 50, BoardDrawing.black)
        #expect(try values(board).isEmpty)
    }

    @Test func `a two with one pip in shade is read`() throws {
        var board = BoardDrawing(table: (60, 90, 64))
        die(5, 150, 150, side: 80, angle: 30, on: &board)
        board.fill(BoardDrawing.square(420, 300, side: 80, angle: 0), BoardDrawing.white)
        board.fill([Point(380, 300), Point(460, 300), Point(460, 340), Point(380, 340)], (160, 158, 153))
        board.disc(400, 280, radius: 8, BoardDrawing.black)
        board.disc(440, 320, radius: 8, BoardDrawing.black)
        #expect(try values(board) == [2, 5])
    }

    @Test func `a two whose side faces have its colour is read beside similar dice`() throws {
        var board = BoardDrawing(table: (60, 90, 64))
        die(5, 150, 150, side: 80, angle: 30, on: &board)
        die(6, 200, 420, side: 80, angle: 70, on: &board)
        // Top face and two side faces in one white, without an edge between them.
        board.fill([Point(480, 260), Point(588, 260), Point(588, 368), Point(480, 368)], BoardDrawing.white)
        board.pips(2, 520, 300, side: 80, angle: 0, BoardDrawing.black)
        #expect(try values(board) == [2, 5, 6])
    }
}
