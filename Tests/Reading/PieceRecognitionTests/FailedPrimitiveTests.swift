#if DEBUG
    import Core
    import Foundation
    import TestSupport
    import Testing

    @testable import PieceRecognition

    /// OpenCV may fail, or memory may run out, at any primitive. The reading then fails; it does not end with "no pieces".
    @Suite struct `A primitive that fails` {
        /// A board of each method of recognition: the set and its drawing.
        enum Board: String, CaseIterable, Sendable {
            case tangram, printedBoard, dice, dominoes, letters, symbols, drawnGrid, stand, draughts

            var set: String {
                switch self {
                case .tangram, .printedBoard: "tangram"
                case .dice: "dice"
                case .dominoes: "dominoes"
                case .letters: "letter-tiles"
                case .symbols: "colour-shapes"
                case .drawnGrid: "tic-tac-toe"
                case .stand: "connect-four"
                case .draughts: "draughts"
                }
            }

            func photo() -> Raster? {
                var board = BoardDrawing(table: (120, 130, 118))
                switch self {
                case .tangram:
                    board = BoardDrawing()
                    for piece in TangramPieces.scattered() {
                        board.fill(piece.corners.map { Point($0.x * 2.4, $0.y * 2.4) }, piece.colour)
                    }
                case .printedBoard:
                    var printed = PrintedBoard(tilt: 20)
                    // One piece is missing, so that it is searched for by its colour.
                    printed.lay(TangramPieces.scattered().dropLast().map { ($0.corners, $0.colour) }, height: 0)
                    return printed.photo()
                case .dice:
                    for (value, x) in [(5, 160.0), (3, 400), (1, 640)] {
                        board.fill(BoardDrawing.square(x, 300, side: 100, angle: 20), BoardDrawing.white)
                        board.pips(value, x, 300, side: 100, angle: 20, BoardDrawing.black)
                    }
                case .dominoes:
                    for (values, y) in [((2, 5), 180.0), ((3, 6), 420)] {
                        board.fill(BoardDrawing.square(400, y, side: 80, angle: 0, width: 160), BoardDrawing.white)
                        board.line(Point(400, y - 28), Point(400, y + 28), width: 4, BoardDrawing.black)
                        board.pips(values.0, 360, y, side: 80, angle: 0, BoardDrawing.black)
                        board.pips(values.1, 440, y, side: 80, angle: 0, BoardDrawing.black)
                    }
                case .letters:
                    for x in [150.0, 320, 490] {
                        board.fill(BoardDrawing.square(x, 300, side: 110, angle: 8), BoardDrawing.white)
                        board.line(Point(x - 26, 330), Point(x, 266), width: 12, BoardDrawing.black)
                        board.line(Point(x, 266), Point(x + 26, 330), width: 12, BoardDrawing.black)
                    }
                case .symbols:
                    for (x, colour) in [(160.0, (210, 40, 44)), (300, (40, 90, 210)), (440, (40, 170, 70))] {
                        let paint = (Double(colour.0), Double(colour.1), Double(colour.2))
                        board.fill(BoardDrawing.square(x, 300, side: 110, angle: 0), BoardDrawing.black)
                        board.disc(x, 300, radius: 30, (paint.0, paint.1, paint.2))
                    }
                case .drawnGrid:
                    board = BoardDrawing()
                    for place in [330.0, 470] {
                        board.line(Point(place, 90), Point(place, 510), width: 8, BoardDrawing.black)
                        board.line(Point(190, place - 100), Point(610, place - 100), width: 8, BoardDrawing.black)
                    }
                    board.line(Point(220, 120), Point(300, 200), width: 8, BoardDrawing.black)
                    board.line(Point(300, 120), Point(220, 200), width: 8, BoardDrawing.black)
                case .stand:
                    board.fill(BoardDrawing.square(400, 300, side: 400, angle: 0, width: 460), (20, 60, 170))
                    for column in 0..<7 {
                        for row in 0..<6 {
                            board.disc(
                                214 + 62 * Double(column), 145 + 62 * Double(row), radius: 26,
                                (column + row) % 3 == 0 ? (200, 40, 40) : (150, 150, 140))
                        }
                    }
                case .draughts:
                    for row in 0..<8 {
                        for column in 0..<8 {
                            let (x, y) = (190 + 60 * Double(column), 90 + 60 * Double(row))
                            let isDark = (row + column) % 2 == 1
                            board.fill(
                                BoardDrawing.square(x, y, side: 60, angle: 0), isDark ? (90, 60, 40) : (220, 200, 160))
                            if isDark, row < 3 { board.disc(x, y, radius: 22, BoardDrawing.white) }
                        }
                    }
                }
                return board.photo()
            }
        }

        /// The places at which a primitive fails: some from the first to the last one that runs.
        private static let places = 12

        @Test(arguments: Board.allCases)
        func `ends the reading with an error`(board: Board) throws {
            let raster = try #require(board.photo())
            let recognizer = PieceRecognizer(
                set: try PreparedPieceSet.load(board.set, from: ModelFolder(Repository.models)))
            let whole = PictureFault(failing: -1)
            _ = try PictureFault.$current.withValue(whole) { try recognizer.recognize(raster) }
            #expect(whole.primitives > 2)
            for place in 0..<Self.places {
                let failing = (whole.primitives - 1) * place / (Self.places - 1)
                #expect(throws: ItemFailure.self, "primitive \(failing) of \(whole.primitives)") {
                    try PictureFault.$current.withValue(PictureFault(failing: failing)) {
                        try recognizer.recognize(raster)
                    }
                }
            }
        }
    }
#endif
