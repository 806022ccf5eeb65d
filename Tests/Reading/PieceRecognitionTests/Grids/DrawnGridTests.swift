import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

/// Grids as drawn by pens, tape, printers and paint programs. Coordinates are squares from the grid's top-left
/// corner.
@Suite struct `Drawn grids` {
    /// Maps squares to pixels of the drawing.
    private struct Placing {
        var origin = Point(190, 80)
        var side = 140.0
        /// Aspect ratio of a square: width over height.
        var aspect = 1.0
        /// Degrees, clockwise.
        var angle = 0.0

        func at(_ column: Double, _ row: Double) -> Point {
            let (u, v) = (column * side * aspect, row * side)
            let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
            return Point(origin.x + c * u - s * v, origin.y + s * u + c * v)
        }
    }

    private static let ink: BoardDrawing.RGB = (45, 45, 52)

    private func lines(
        _ board: inout BoardDrawing, _ placing: Placing, width: Double, from: Double = 0.1, to: Double = 2.9,
        _ ink: BoardDrawing.RGB = ink
    ) {
        for k in [1.0, 2] {
            board.line(placing.at(k, from), placing.at(k, to), width: width, ink)
            board.line(placing.at(from, k), placing.at(to, k), width: width, ink)
        }
    }

    private func cross(
        _ board: inout BoardDrawing, _ placing: Placing, _ row: Int, _ column: Int, reach: Double = 0.25, width: Double,
        _ ink: BoardDrawing.RGB = ink
    ) {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        board.line(placing.at(x - reach, y - reach), placing.at(x + reach, y + reach), width: width, ink)
        board.line(placing.at(x + reach, y - reach), placing.at(x - reach, y + reach), width: width, ink)
    }

    private func nought(
        _ board: inout BoardDrawing, _ placing: Placing, _ row: Int, _ column: Int, reach: Double = 0.25, width: Double,
        _ ink: BoardDrawing.RGB = ink
    ) {
        func place(_ step: Int) -> Point {
            let turn = Double(step) * .pi / 12
            return placing.at(Double(column) + 0.5 + reach * cos(turn), Double(row) + 0.5 + reach * sin(turn))
        }
        for step in 0..<24 {
            board.line(place(step), place(step + 1), width: width, ink)
            board.disc(place(step).x, place(step).y, radius: width / 2, ink)
        }
    }

    private func read(_ board: BoardDrawing) throws -> (hasBoard: Bool, marks: Set<String>) {
        let raster = try #require(board.photo())
        let set = try PreparedPieceSet.load("tic-tac-toe", from: ModelFolder(Repository.models))
        let frame = try PieceRecognizer(set: set).recognize(raster)
        return (
            frame.board != nil,
            Set(frame.pieces.map { "\($0.type) \($0.cell?.row ?? -1) \($0.cell?.column ?? -1)" })
        )
    }

    @Test(arguments: [3.0, 8, 16, 28])
    func `strokes of any width are lines`(width: Double) throws {
        var board = BoardDrawing()
        let placing = Placing(angle: 8)
        lines(&board, placing, width: width)
        cross(&board, placing, 0, 0, width: width * 0.7)
        cross(&board, placing, 1, 2, width: width * 0.7)
        nought(&board, placing, 2, 0, width: min(width * 0.7, 16))
        nought(&board, placing, 1, 1, width: min(width * 0.7, 16))
        let found = try read(board)
        #expect(found.hasBoard)
        #expect(found.marks == ["cross 0 0", "cross 1 2", "nought 2 0", "nought 1 1"])
    }

    @Test func `words above a frame are not marks`() throws {
        var board = BoardDrawing()
        let placing = Placing(origin: Point(150, 220), side: 90, aspect: 1.8)
        lines(&board, placing, width: 3, from: 0, to: 3)
        for k in [0.0, 3] {
            board.line(placing.at(k, 0), placing.at(k, 3), width: 3, Self.ink)
            board.line(placing.at(0, k), placing.at(3, k), width: 3, Self.ink)
        }
        // O X O directly above the frame, and a bar of print below it.
        nought(&board, placing, -1, 0, reach: 0.2, width: 9)
        cross(&board, placing, -1, 1, reach: 0.25, width: 9)
        nought(&board, placing, -1, 2, reach: 0.2, width: 9)
        cross(&board, placing, 3, 1, reach: 0.2, width: 9)
        cross(&board, placing, 2, 2, reach: 0.3, width: 4)
        let found = try read(board)
        #expect(found.hasBoard)
        #expect(found.marks == ["cross 2 2"])
    }

    @Test func `marks on cards that cover parts of the lines are read, the cards' edges are not`() throws {
        var board = BoardDrawing(table: (196, 194, 190))
        let placing = Placing()
        lines(&board, placing, width: 16)
        for (row, column, angle) in [(0, 0, 11.0), (1, 1, -14), (2, 0, 5), (0, 2, -6)] {
            let middle = placing.at(Double(column) + 0.5, Double(row) + 0.5)
            board.fill(
                BoardDrawing.square(middle.x + 3, middle.y + 4, side: 112, angle: angle), (150, 148, 146))
            board.fill(BoardDrawing.square(middle.x, middle.y, side: 112, angle: angle), (206, 204, 198))
        }
        for (row, column) in [(0, 0), (1, 1), (2, 0)] { cross(&board, placing, row, column, width: 8) }
        let found = try read(board)
        #expect(found.hasBoard)
        #expect(found.marks == ["cross 0 0", "cross 1 1", "cross 2 0"])
    }

    @Test func `bottle caps are noughts, although their side faces are visible as crescents`() throws {
        var board = BoardDrawing(table: (188, 186, 180))
        let placing = Placing()
        lines(&board, placing, width: 18)
        for (row, column) in [(0, 1), (2, 2)] {
            let middle = placing.at(Double(column) + 0.5, Double(row) + 0.5)
            board.disc(middle.x + 7, middle.y + 6, radius: 38, (52, 50, 54))
            board.disc(middle.x, middle.y, radius: 38, (40, 38, 60))
            board.disc(middle.x, middle.y, radius: 22, (170, 160, 150))
        }
        let found = try read(board)
        #expect(found.marks == ["nought 0 1", "nought 2 2"])
    }

    @Test func `squares that the picture's edge cuts off are squares`() throws {
        var board = BoardDrawing()
        let placing = Placing(origin: Point(120, -40), side: 190)
        lines(&board, placing, width: 20, from: 0, to: 3)
        nought(&board, placing, 0, 1, reach: 0.24, width: 14)
        cross(&board, placing, 1, 2, reach: 0.24, width: 14)
        let found = try read(board)
        #expect(found.hasBoard)
        #expect(found.marks == ["nought 0 1", "cross 1 2"])
    }

    @Test func `a blot and a single stroke are left out`() throws {
        var board = BoardDrawing()
        let placing = Placing()
        lines(&board, placing, width: 10)
        let blot = placing.at(0.5, 0.5)
        board.disc(blot.x, blot.y, radius: 36, Self.ink)
        board.line(placing.at(1.3, 1.25), placing.at(1.7, 1.75), width: 10, Self.ink)
        nought(&board, placing, 2, 2, width: 9)
        let found = try read(board)
        #expect(found.hasBoard)
        #expect(found.marks == ["nought 2 2"])
    }

    /// A stroke with round ends; its points are relative to a square's centre.
    private func fatStroke(
        _ board: inout BoardDrawing, _ placing: Placing, _ row: Int, _ column: Int, width: Double,
        _ points: (Double, Double)...
    ) {
        let places = points.map { placing.at(Double(column) + 0.5 + $0.0, Double(row) + 0.5 + $0.1) }
        for (a, b) in zip(places, places.dropFirst()) { board.line(a, b, width: width, Self.ink) }
        for place in places { board.disc(place.x, place.y, radius: width / 2, Self.ink) }
    }

    @Test(arguments: [0.0, 25, -35])
    func `a broad cross of unequal strokes is a cross, and a broad T, Y or angle is not`(angle: Double) throws {
        var board = BoardDrawing()
        let placing = Placing(
            origin: angle < 0 ? Point(90, 320) : angle > 0 ? Point(330, 60) : Point(190, 80), side: 120, angle: angle)
        lines(&board, placing, width: 14)
        // A third as broad as long. The second stroke is shorter, tilted, and crosses off its middle.
        fatStroke(&board, placing, 0, 0, width: 17, (-0.19, -0.15), (0.02, 0.02), (0.2, 0.14))
        fatStroke(&board, placing, 0, 0, width: 17, (0.09, -0.17), (-0.06, 0.13))
        fatStroke(&board, placing, 1, 2, width: 13, (-0.14, 0.02), (0.12, -0.03))
        fatStroke(&board, placing, 1, 2, width: 13, (-0.05, -0.14), (0.02, 0.13))
        fatStroke(&board, placing, 1, 1, width: 16, (-0.2, -0.16), (0.2, -0.16))
        fatStroke(&board, placing, 1, 1, width: 16, (0, -0.16), (0.02, 0.2))
        fatStroke(&board, placing, 2, 0, width: 16, (-0.16, -0.18), (0, 0), (0.16, -0.18))
        fatStroke(&board, placing, 2, 0, width: 16, (0, 0), (0, 0.22))
        fatStroke(&board, placing, 0, 2, width: 16, (-0.16, -0.16), (-0.16, 0.16), (0.14, 0.16))
        nought(&board, placing, 2, 2, reach: 0.1, width: 14)
        #expect(try read(board).marks == ["cross 0 0", "cross 1 2", "nought 2 2"])
    }

    @Test func `chalk on a dark board is read`() throws {
        var board = BoardDrawing(table: (44, 52, 48))
        let placing = Placing()
        let chalk: BoardDrawing.RGB = (214, 214, 206)
        lines(&board, placing, width: 8, chalk)
        cross(&board, placing, 1, 1, width: 8, chalk)
        nought(&board, placing, 0, 2, width: 8, chalk)
        let found = try read(board)
        #expect(found.marks == ["cross 1 1", "nought 0 2"])
    }

    @Test(arguments: ["table of print", "tiles", "chessboard", "three lines", "two by two"])
    func `a pattern that resembles a grid is not a board`(thing: String) throws {
        var board = BoardDrawing()
        switch thing {
        case "table of print":
            for row in 0...7 {
                board.line(Point(80, 60 + 65 * Double(row)), Point(720, 60 + 65 * Double(row)), width: 3, Self.ink)
            }
            for column in 0...3 {
                board.line(
                    Point(80 + 213.0 * Double(column), 60), Point(80 + 213.0 * Double(column), 515), width: 3, Self.ink)
            }
        case "tiles":
            for k in 0..<7 {
                board.line(Point(40 + 120 * Double(k), 0), Point(40 + 120 * Double(k), 600), width: 5, Self.ink)
            }
            for k in 0..<5 {
                board.line(Point(0, 30 + 120 * Double(k)), Point(800, 30 + 120 * Double(k)), width: 5, Self.ink)
            }
        case "chessboard":
            for row in 0..<8 {
                for column in 0..<8 where (row + column) % 2 == 1 {
                    board.fill(
                        BoardDrawing.square(150 + 70 * Double(column), 60 + 68 * Double(row), side: 68, angle: 0),
                        Self.ink)
                }
            }
        case "three lines":
            board.line(Point(300, 80), Point(300, 520), width: 10, Self.ink)
            board.line(Point(480, 80), Point(480, 520), width: 10, Self.ink)
            board.line(Point(160, 300), Point(640, 300), width: 10, Self.ink)
        default:
            for k in 0...2 {
                board.line(Point(200 + 180 * Double(k), 100), Point(200 + 180 * Double(k), 460), width: 8, Self.ink)
                board.line(Point(200, 100 + 180 * Double(k)), Point(560, 100 + 180 * Double(k)), width: 8, Self.ink)
            }
        }
        #expect(!(try read(board).hasBoard))
    }
}

@Suite struct `Boards of two colours` {
    private static let light: BoardDrawing.RGB = (232, 211, 174)
    private static let dark: BoardDrawing.RGB = (138, 90, 54)

    /// A board for English draughts (checkers) with squares of 60 pixels, rotated a little, with men on it.
    private func board(table: BoardDrawing.RGB, men: [(row: Int, column: Int, colour: BoardDrawing.RGB)])
        -> BoardDrawing
    {
        var drawing = BoardDrawing(table: table)
        func at(_ column: Double, _ row: Double) -> Point {
            Point(190 + 55 * column - 6 * row, 40 + 6 * column + 55 * row)
        }
        for row in 0..<8 {
            for column in 0..<8 {
                let (x, y) = (Double(column), Double(row))
                drawing.fill(
                    [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)],
                    (row + column) % 2 == 0 ? Self.light : Self.dark)
            }
        }
        for man in men {
            let middle = at(Double(man.column) + 0.5, Double(man.row) + 0.5)
            drawing.disc(middle.x, middle.y, radius: 22, man.colour)
        }
        return drawing
    }

    @Test(arguments: [light, dark, (60, 66, 72)])
    func `a board is found on a table of its own colours`(table: BoardDrawing.RGB) throws {
        let men: [(row: Int, column: Int, colour: BoardDrawing.RGB)] = [
            (0, 1, (242, 230, 204)), (2, 3, (242, 230, 204)), (7, 0, (58, 42, 34)), (4, 5, (58, 42, 34)),
            (7, 6, (242, 230, 204)),
        ]
        let raster = try #require(board(table: table, men: men).photo(falloff: 0.4))
        let set = try PreparedPieceSet.load("draughts", from: ModelFolder(Repository.models))
        let frame = try PieceRecognizer(set: set).recognize(raster)
        let found = Set(frame.pieces.map { "\($0.colour ?? "-") \($0.cell?.row ?? -1) \($0.cell?.column ?? -1)" })
        #expect(found == ["light 0 1", "light 2 3", "dark 7 0", "dark 4 5", "light 7 6"])
        // The top left corner of the board, in pixels.
        let corner = try #require(frame.board).homography
        #expect(abs(corner[2] / corner[8] - 190) < 3)
        #expect(abs(corner[5] / corner[8] - 40) < 3)
    }
}
