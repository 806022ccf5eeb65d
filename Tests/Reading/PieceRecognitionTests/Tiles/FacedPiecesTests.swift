import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

private func read(_ drawing: BoardDrawing, as set: String) throws -> PieceFrame {
    let raster = try #require(drawing.photo())
    return try PieceRecognizer(set: try PreparedPieceSet.load(set, from: ModelFolder(Repository.models))).recognize(
        raster)
}

/// The piece whose outline contains a place.
private func piece(in frame: PieceFrame, at x: Double, _ y: Double) -> RecognizedPiece? {
    frame.pieces.first { piece in
        let n = Double(piece.polygonPX.count)
        return hypot(
            piece.polygonPX.reduce(0) { $0 + $1.x } / n - x, piece.polygonPX.reduce(0) { $0 + $1.y } / n - y) < 14
    }
}

@Suite struct `Dice` {
    @Test(arguments: [false, true])
    func `every face is read, also light pips on dark dice`(isDark: Bool) throws {
        var board = BoardDrawing(table: (168, 120, 84))
        let (ground, ink) = isDark ? (BoardDrawing.black, BoardDrawing.white) : (BoardDrawing.white, BoardDrawing.black)
        for value in 1...6 {
            let (x, y) = (120.0 + 220 * Double((value - 1) % 3), 170.0 + 240 * Double((value - 1) / 3))
            board.fill(BoardDrawing.square(x, y, side: 90, angle: 13.0 * Double(value)), ground)
            board.pips(value, x, y, side: 90, angle: 13.0 * Double(value), ink)
        }
        let frame = try read(board, as: "dice")
        #expect(frame.pieces.count == 6)
        for value in 1...6 {
            let (x, y) = (120.0 + 220 * Double((value - 1) % 3), 170.0 + 240 * Double((value - 1) / 3))
            #expect(piece(in: frame, at: x, y)?.value == value)
        }
    }

    @Test func `an empty table with knots shows no dice`() throws {
        var board = BoardDrawing(table: (168, 120, 84))
        for knot in 0..<9 {
            board.disc(
                80.0 * Double(knot) + 60, 90 + 137 * Double(knot % 4), radius: 6 + Double(knot % 3), (96, 66, 44))
        }
        #expect(try read(board, as: "dice").pieces.isEmpty)
    }
}

@Suite struct `Drawn tic-tac-toe grids` {
    private func grid(boxed: Bool) -> BoardDrawing {
        var board = BoardDrawing()
        for step in boxed ? [0.0, 1, 2, 3] : [1.0, 2] {
            board.line(Point(190 + 140 * step, 80), Point(190 + 140 * step, 500), width: 7, (50, 50, 60))
            board.line(Point(190, 80 + 140 * step), Point(610, 80 + 140 * step), width: 7, (50, 50, 60))
        }
        return board
    }

    @Test(arguments: [false, true])
    func `marks are read with their squares, with or without a frame around the grid`(boxed: Bool) throws {
        var board = grid(boxed: boxed)
        func middle(_ row: Int, _ column: Int) -> Point { Point(260 + 140 * Double(column), 150 + 140 * Double(row)) }
        for (row, column) in [(0, 0), (1, 1)] {
            let at = middle(row, column)
            board.line(Point(at.x - 38, at.y - 40), Point(at.x + 38, at.y + 40), width: 8, (50, 50, 60))
            board.line(Point(at.x + 38, at.y - 40), Point(at.x - 38, at.y + 40), width: 8, (50, 50, 60))
        }
        for (row, column) in [(0, 2), (2, 1)] {
            let at = middle(row, column)
            for step in 0..<23 {
                let (a, b) = (Double(step) * 2 * .pi / 24, Double(step + 1) * 2 * .pi / 24)
                board.line(
                    Point(at.x + 40 * cos(a), at.y + 40 * sin(a)), Point(at.x + 40 * cos(b), at.y + 40 * sin(b)),
                    width: 8,
                    (50, 50, 60))
            }
        }
        let frame = try read(board, as: "tic-tac-toe")
        let found = Set(frame.pieces.map { "\($0.type) \($0.cell?.row ?? -1) \($0.cell?.column ?? -1)" })
        #expect(found == ["cross 0 0", "cross 1 1", "nought 0 2", "nought 2 1"])
        #expect(frame.board?.located == .quad)
    }

    @Test func `an empty grid is a board without pieces, and an empty table is not a board`() throws {
        let frame = try read(grid(boxed: false), as: "tic-tac-toe")
        #expect(frame.board != nil)
        #expect(frame.pieces.isEmpty)
        #expect(try read(BoardDrawing(), as: "tic-tac-toe").board == nil)
    }
}

@Suite struct `Tiles with faces` {
    @Test(arguments: [0.0, 45])
    func `dots are counted, also by an oblique camera`(tilt: Double) throws {
        var board = BoardDrawing(table: (90, 110, 92), tilt: tilt)
        for value in 1...6 {
            let (x, y) = (120.0 + 220 * Double((value - 1) % 3), 170.0 + 240 * Double((value - 1) / 3))
            board.fill(BoardDrawing.square(x, y, side: 110, angle: 9.0 * Double(value)), BoardDrawing.white)
            board.pips(value, x, y, side: 110, angle: 9.0 * Double(value), (170, 30, 40))
        }
        let frame = try read(board, as: "number-dots")
        #expect(frame.pieces.compactMap(\.value).sorted() == [1, 2, 3, 4, 5, 6])
    }

    @Test(arguments: [0.0, 45])
    func `both halves of dominoes are counted, also blank ones`(tilt: Double) throws {
        var board = BoardDrawing(table: (90, 110, 92), tilt: tilt)
        for (index, values) in [[3, 5], [0, 2], [6, 6]].enumerated() {
            let y = 120 + 170 * Double(index)
            board.fill(BoardDrawing.square(400, y, side: 90, angle: 0, width: 180), BoardDrawing.white)
            board.line(Point(400, y - 36), Point(400, y + 36), width: 3, BoardDrawing.black)
            board.pips(values[0], 355, y, side: 90, angle: 0, BoardDrawing.black)
            board.pips(values[1], 445, y, side: 90, angle: 0, BoardDrawing.black)
        }
        let frame = try read(board, as: "dominoes")
        #expect(
            frame.pieces.compactMap(\.values).map { $0.sorted() }.sorted { $0[0] < $1[0] } == [
                [0, 2], [3, 5], [6, 6],
            ])
    }

    @Test(arguments: [0.0, 45])
    func `letters in another handwriting are read at any rotation`(tilt: Double) throws {
        /// Strokes in a square of 100, y down.
        let strokes: [String: [((Double, Double), (Double, Double))]] = [
            "T": [((15, 15), (85, 15)), ((50, 15), (50, 90))], "L": [((25, 10), (25, 88)), ((25, 88), (80, 88))],
            "E": [((25, 10), (25, 90)), ((25, 12), (80, 12)), ((25, 50), (72, 50)), ((25, 88), (80, 88))],
            "F": [((25, 10), (25, 90)), ((25, 12), (80, 12)), ((25, 48), (72, 48))],
        ]
        var board = BoardDrawing(table: (90, 110, 92), tilt: tilt)
        for (index, letter) in strokes.keys.sorted().enumerated() {
            let middle = (150 + 165 * Double(index), 300.0)
            board.fill(BoardDrawing.square(middle.0, middle.1, side: 110, angle: 30), (236, 214, 168))
            for (a, b) in strokes[letter] ?? [] {
                board.line(
                    BoardDrawing.rotated((a.0 - 50) * 0.62, (a.1 - 50) * 0.62, about: middle, 30),
                    BoardDrawing.rotated((b.0 - 50) * 0.62, (b.1 - 50) * 0.62, about: middle, 30), width: 9,
                    BoardDrawing.black)
            }
        }
        let frame = try read(board, as: "letter-tiles")
        let letters = frame.pieces.sorted { $0.xMM < $1.xMM }.compactMap(\.symbol)
        #expect(letters == strokes.keys.sorted())
        #expect(frame.pieces.allSatisfy { abs($0.angleDegrees - 30) < 4 })
    }

    @Test(arguments: [0.0, 45])
    func `shapes on dark tiles are classified by shape and colour`(tilt: Double) throws {
        var board = BoardDrawing(table: (190, 170, 140), tilt: tilt)
        let laid: [(String, String, BoardDrawing.RGB)] = [
            ("circle", "red", (206, 30, 44)), ("square", "yellow", (250, 212, 30)), ("diamond", "blue", (40, 110, 206)),
            ("star", "green", (52, 160, 62)),
        ]
        for (index, tile) in laid.enumerated() {
            let x = 160 + 122 * Double(index)
            board.fill(BoardDrawing.square(x, 300, side: 120, angle: 0), (30, 29, 31))
            switch tile.0 {
            case "circle": board.disc(x, 300, radius: 40, tile.2)
            case "square": board.fill(BoardDrawing.square(x, 300, side: 68, angle: 0), tile.2)
            case "diamond": board.fill(BoardDrawing.square(x, 300, side: 64, angle: 45), tile.2)
            default:
                board.fill(
                    (0..<16).map { step in
                        let (r, a) = (step % 2 == 0 ? 44.0 : 31, Double(step) * .pi / 8)
                        return Point(x + r * cos(a), 300 + r * sin(a))
                    }, tile.2)
            }
        }
        let frame = try read(board, as: "colour-shapes")
        let found = frame.pieces.sorted { $0.xMM < $1.xMM }.map { "\($0.symbol ?? "") \($0.colour ?? "")" }
        #expect(found == laid.map { "\($0.0) \($0.1)" })
    }
}

@Suite struct `Tiles far from below the camera` {
    private func dominoes(tilt: Double) throws -> (frame: PieceFrame, drawing: BoardDrawing) {
        var board = BoardDrawing(table: (90, 110, 92), tilt: tilt)
        for (index, values) in [[3, 5], [4, 2], [6, 6], [1, 3]].enumerated() {
            let (x, y) = (250.0 + 300 * Double(index % 2), 170 + 240 * Double(index / 2))
            let angle = 35.0 * Double(index)
            board.fill(BoardDrawing.square(x, y, side: 100, angle: angle, width: 200), BoardDrawing.white)
            let bar = [-40.0, 40].map { BoardDrawing.rotated(0, $0, about: (x, y), angle) }
            board.line(bar[0], bar[1], width: 4, BoardDrawing.black)
            for (value, off) in zip(values, [-50.0, 50]) {
                let at = BoardDrawing.rotated(off, 0, about: (x, y), angle)
                board.pips(value, at.x, at.y, side: 100, angle: angle, BoardDrawing.black)
            }
        }
        return (try read(board, as: "dominoes"), board)
    }

    @Test func `a tile's outline is in the photo, its place and rotation are on the table`() throws {
        let (frame, board) = try dominoes(tilt: 48)
        #expect(frame.pieces.count == 4)
        let double = try #require(frame.pieces.first { $0.values == [6, 6] })
        let centre = board.inPhoto(Point(250, 410))
        let inside = double.polygonPX.indices.allSatisfy { index in
            let (a, b) = (double.polygonPX[index], double.polygonPX[(index + 1) % 4])
            return (b.x - a.x) * (centre.y - a.y) - (b.y - a.y) * (centre.x - a.x) > 0
        }
        #expect(inside)
        // The distances between tiles are those on the table, in the length of a tile.
        let other = try #require(frame.pieces.first { $0.values.map { $0.sorted() } == [1, 3] })
        let length = hypot(
            double.polygonMM[1].x - double.polygonMM[0].x, double.polygonMM[1].y - double.polygonMM[0].y)
        #expect(abs(hypot(other.xMM - double.xMM, other.yMM - double.yMM) / length - 1.5) < 0.08)
    }

    @Test func `confidence falls with the tilt, and beyond 55 degrees nothing is read`() throws {
        let steep = try dominoes(tilt: 48).frame.pieces.map(\.confidence).max() ?? 0
        let level = try dominoes(tilt: 0).frame.pieces.map(\.confidence).max() ?? 0
        #expect(steep > 0.5 && steep < 0.9 * level)
        #expect(try dominoes(tilt: 62).frame.pieces.isEmpty)
    }
}

@Suite struct `Discs on a board` {
    @Test func `Connect Four discs are read by colour and square, and holes are empty`() throws {
        var board = BoardDrawing(table: (150, 110, 80))
        board.fill([Point(120, 90), Point(680, 90), Point(680, 570), Point(120, 570)], (30, 78, 205))
        for row in 0..<6 {
            for column in 0..<7 {
                let isRed = row == 5 && column == 3
                let isYellow = (row == 5 && column == 4) || (row == 4 && column == 3)
                board.disc(
                    160 + 80 * Double(column), 130 + 80 * Double(row), radius: 32,
                    isRed ? (210, 40, 42) : isYellow ? (242, 196, 30) : (205, 200, 192))
            }
        }
        let frame = try read(board, as: "connect-four")
        let found = Set(frame.pieces.map { "\($0.colour ?? "") \($0.cell?.row ?? -1) \($0.cell?.column ?? -1)" })
        #expect(found == ["red 5 3", "yellow 5 4", "yellow 4 3"])
    }
}
