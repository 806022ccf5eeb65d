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

/// Strokes in a square of 100, y down.
private let strokes: [String: [(Double, Double, Double, Double)]] = [
    "T": [(15, 15, 85, 15), (50, 15, 50, 90)], "L": [(25, 10, 25, 88), (25, 88, 80, 88)],
    "E": [(25, 10, 25, 90), (25, 12, 80, 12), (25, 50, 72, 50), (25, 88, 80, 88)],
    "F": [(25, 10, 25, 90), (25, 12, 80, 12), (25, 48, 72, 48)],
    "H": [(22, 10, 22, 90), (78, 10, 78, 90), (22, 50, 78, 50)],
    "N": [(22, 10, 22, 90), (78, 10, 78, 90), (24, 12, 76, 88)],
    "Z": [(20, 14, 80, 14), (78, 16, 22, 84), (20, 86, 80, 86)],
]

extension BoardDrawing {
    fileprivate mutating func letter(
        _ name: String, _ x: Double, _ y: Double, side: Double, angle: Double, _ ink: RGB
    ) {
        for (a, b, c, d) in strokes[name] ?? [] {
            let size = 0.0056 * side
            line(
                Self.rotated((a - 50) * size, (b - 50) * size, about: (x, y), angle),
                Self.rotated((c - 50) * size, (d - 50) * size, about: (x, y), angle), width: 0.085 * side, ink)
        }
    }
}

@Suite struct `Faces of tiles` {
    @Test func `dark tiles on a dark table are found by their letters`() throws {
        var board = BoardDrawing(table: (52, 50, 46))
        let letters = ["T", "L", "E", "F", "H", "N", "Z"]
        for (index, letter) in letters.enumerated() {
            let (x, y) = (110 + 190 * Double(index % 4), 200 + 190 * Double(index / 4))
            board.fill(BoardDrawing.square(x, y, side: 92, angle: 25), (44, 46, 52))
            board.letter(letter, x, y, side: 92, angle: 25, BoardDrawing.white)
        }
        let frame = try read(board, as: "letter-tiles")
        #expect(frame.pieces.compactMap(\.symbol).sorted() == letters.sorted())
        #expect(frame.pieces.allSatisfy { abs($0.angleDegrees - 25) < 4 })
        // The outline is the tile's, not the letter's.
        #expect(
            frame.pieces.allSatisfy { piece in
                let (a, b) = (piece.polygonPX[0], piece.polygonPX[1])
                return abs(hypot(a.x - b.x, a.y - b.y) - 92) < 8
            })
    }

    @Test func `light tiles on a light table are found, despite stronger shadows`() throws {
        var board = BoardDrawing(table: (206, 196, 180))
        let letters = ["T", "L", "E", "F", "H", "N", "Z"]
        for (index, letter) in letters.enumerated() {
            let (x, y) = (110 + 190 * Double(index % 4), 200 + 190 * Double(index / 4))
            board.fill(BoardDrawing.square(x + 5, y + 6, side: 94, angle: 20), (150, 142, 130))
            board.fill(BoardDrawing.square(x, y, side: 92, angle: 20), (212, 204, 196))
            board.letter(letter, x, y, side: 92, angle: 20, (40, 40, 90))
        }
        let frame = try read(board, as: "letter-tiles")
        #expect(frame.pieces.compactMap(\.symbol).sorted() == letters.sorted())
    }

    @Test func `letters on a plain dark table without tiles are not tiles`() throws {
        var board = BoardDrawing(table: (52, 50, 46))
        for (index, letter) in strokes.keys.sorted().enumerated() {
            board.letter(
                letter, 110 + 190 * Double(index % 4), 200 + 190 * Double(index / 4), side: 92, angle: 0,
                BoardDrawing.white)
        }
        #expect(try read(board, as: "letter-tiles").pieces.isEmpty)
    }

    @Test(arguments: [6.0, -8])
    func `a taught set keeps its names if the camera is rotated`(slope: Double) throws {
        let table: BoardDrawing.RGB = (206, 198, 186)
        let names = strokes.keys.sorted()
        func laid(_ at: (Int) -> (Double, Double), angle: Double) -> BoardDrawing {
            var board = BoardDrawing(table: table)
            for (index, name) in names.enumerated() {
                let (x, y) = at(index)
                board.fill(BoardDrawing.square(x, y, side: 90, angle: angle), (60, 74, 110))
                board.letter(name, x, y, side: 90, angle: angle, BoardDrawing.white)
            }
            return board
        }
        // Rows that slope by half a tile or more from end to end.
        let taught = laid(
            { index in
                let at = BoardDrawing.rotated(
                    -270 + 180 * Double(index % 4), -70 + 140 * Double(index / 4), about: (400, 300), slope)
                return (at.x, at.y)
            }, angle: slope)
        let text = try PieceTeacher().file(
            empty: try #require(BoardDrawing(table: table).photo()), laidOut: try #require(taught.photo(falloff: 0.22)),
            TeachingRequest(set: "own", longestMM: 30, names: names))
        let folder = try TemporaryFolder()
        try folder.write(Data(text.utf8), to: "piece-sets/own.json")
        let reading = laid({ (110 + 190 * Double($0 % 4), 200 + 200 * Double($0 / 4)) }, angle: 0)
        let frame = try PieceRecognizer(set: try PreparedPieceSet.load("own", from: ModelFolder(folder.url)))
            .recognize(try #require(reading.photo()))
        for (index, name) in names.enumerated() {
            let (x, y) = (110 + 190 * Double(index % 4), 200 + 200 * Double(index / 4))
            let here = frame.pieces.first { piece in
                hypot(
                    piece.polygonPX.reduce(0) { $0 + $1.x / 4 } - x, piece.polygonPX.reduce(0) { $0 + $1.y / 4 } - y)
                    < 20
            }
            #expect(here?.symbol == name)
        }
    }
}

@Suite struct `Coloured shapes on a mat` {
    private static let step = 62.0

    /// A mat of 10 × 8 printed squares on wood, rotated a little.
    private func mat() -> BoardDrawing {
        var board = BoardDrawing(table: (186, 142, 96))
        board.fill(corners(0, 0, 10, 8), (214, 224, 212))
        for k in 0...10 { board.line(at(Double(k), 0), at(Double(k), 8), width: 2, (70, 150, 80)) }
        for k in 0...8 { board.line(at(0, Double(k)), at(10, Double(k)), width: 2, (70, 150, 80)) }
        return board
    }

    private func at(_ column: Double, _ row: Double) -> Point {
        BoardDrawing.rotated((column - 5) * Self.step, (row - 4) * Self.step, about: (400, 300), 2)
    }

    private func corners(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [Point] {
        [at(left, top), at(right, top), at(right, bottom), at(left, bottom)]
    }

    private func tile(
        _ board: inout BoardDrawing, _ column: Int, _ row: Int, _ paint: BoardDrawing.RGB, isSquare: Bool,
        off: Double = 0
    ) {
        let (x, y) = (Double(column) + off, Double(row) - off)
        board.fill(corners(x + 0.03, y + 0.03, x + 0.97, y + 0.97), (32, 31, 33))
        if isSquare {
            board.fill(corners(x + 0.22, y + 0.22, x + 0.78, y + 0.78), paint)
        } else {
            let middle = at(x + 0.5, y + 0.5)
            board.disc(middle.x, middle.y, radius: 0.32 * Self.step, paint)
        }
    }

    @Test func `each tile is reported with its printed square, including white and misaligned tiles`() throws {
        var board = mat()
        let laid: [(Int, Int, String, BoardDrawing.RGB, Bool, Double)] = [
            (3, 2, "circle red", (196, 36, 46), false, 0), (4, 2, "circle white", (232, 232, 228), false, 0.1),
            (5, 2, "circle blue", (28, 98, 186), false, 0), (5, 3, "square blue", (28, 98, 186), true, -0.12),
            (5, 4, "square white", (232, 232, 228), true, 0), (8, 6, "circle green", (30, 130, 52), false, 0.15),
        ]
        for (column, row, _, paint, isSquare, off) in laid {
            tile(&board, column, row, paint, isSquare: isSquare, off: off)
        }
        let frame = try read(board, as: "colour-shapes")
        let found = Set(
            frame.pieces.map {
                "\($0.cell?.column ?? -1) \($0.cell?.row ?? -1) \($0.symbol ?? "") \($0.colour ?? "")"
            })
        #expect(found == Set(laid.map { "\($0.0) \($0.1) \($0.2)" }))
        let located = try #require(frame.board)
        #expect(located.located == .quad)
        // Ten squares of a tile's edge, 30 mm.
        #expect(abs(located.widthMM - 300) < 0.01)
        #expect(abs(located.heightMM - 240) < 0.01)
    }

    @Test func `without a mat there are no squares`() throws {
        var board = BoardDrawing(table: (186, 142, 96))
        for column in 2...5 { tile(&board, column, 3, (28, 98, 186), isSquare: column % 2 == 0) }
        let frame = try read(board, as: "colour-shapes")
        #expect(frame.pieces.count == 4)
        #expect(frame.pieces.allSatisfy { $0.cell == nil })
        #expect(frame.board?.located == .pieces)
    }

    @Test func `a mat without tiles shows no tiles`() throws {
        #expect(try read(mat(), as: "colour-shapes").pieces.isEmpty)
    }
}
