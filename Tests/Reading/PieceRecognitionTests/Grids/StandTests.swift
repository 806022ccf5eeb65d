import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

private typealias RGB = BoardDrawing.RGB

/// An upright stand of seven by six holes, with a room behind them.
private struct Stand {
    static let red: RGB = (206, 44, 46)
    static let yellow: RGB = (238, 198, 34)
    /// Not the paint of the set's file.
    static let frame: RGB = (58, 70, 150)
    /// What is seen through holes: walls, wood, cloth.
    static let room: [RGB] = [(214, 206, 196), (168, 132, 92), (70, 72, 80), (120, 96, 70), (232, 232, 230)]

    /// Rows from the top down: `r`, `y` or `.`.
    var rows: [String]
    /// Colour of a disc, darker by this factor: a stand in the shade.
    var shade = 1.0
    /// One colour behind all holes, in place of the room.
    var ground: RGB?

    func drawing() -> BoardDrawing {
        var board = BoardDrawing(table: (190, 178, 160))
        // The room has edges that run behind the frame.
        for (index, colour) in Self.room.enumerated() {
            board.fill(
                BoardDrawing.square(110 + 110 * Double(index), 260, side: 520, angle: 3, width: 112), colour)
        }
        func shaded(_ colour: RGB) -> RGB { (colour.0 * shade, colour.1 * shade, colour.2 * shade) }
        let step = 62.0
        let holes = rows.enumerated().flatMap { row, line in
            line.enumerated().map { (at: Point(134 + step * Double($0), 96 + step * Double(row)), mark: $1) }
        }
        board.fill([Point(90, 52), Point(550, 52), Point(550, 450), Point(90, 450)], shaded(Self.frame))
        for hole in holes {
            switch hole.mark {
            case "r": board.disc(hole.at.x, hole.at.y, radius: 26, shaded(Self.red))
            case "y": board.disc(hole.at.x, hole.at.y, radius: 26, shaded(Self.yellow))
            default:
                if let ground {
                    board.disc(hole.at.x, hole.at.y, radius: 26, ground)
                    continue
                }
                let behind = Self.room[min(Self.room.count - 1, Int((hole.at.x - 54) / 110))]
                board.disc(hole.at.x, hole.at.y, radius: 26, behind)
                // An edge of the room in every second hole.
                if Int(hole.at.x + hole.at.y) % 2 == 0 {
                    board.fill(
                        BoardDrawing.square(hole.at.x + 8, hole.at.y, side: 34, angle: 0, width: 12), (36, 34, 40))
                }
            }
        }
        return board
    }
}

private func cells(_ frame: PieceFrame) -> [String] {
    var rows = [[Character]](repeating: [Character](repeating: ".", count: 7), count: 6)
    for piece in frame.pieces {
        guard let cell = piece.cell, let colour = piece.colour?.first else { continue }
        rows[cell.row][cell.column] = colour
    }
    return rows.map { String($0) }
}

@Suite struct `A connect-four stand` {
    private static let game = [".......", ".......", "....r..", ".y.ry..", "ryyrr.y", "yrrryyr"]

    private func frame(_ stand: Stand) throws -> PieceFrame {
        let raster = try #require(stand.drawing().photo(noise: 4))
        let set = try PreparedPieceSet.load("connect-four", from: ModelFolder(Repository.models))
        return try PieceRecognizer(set: set).recognize(raster)
    }

    @Test(arguments: [1.0, 0.55])
    func `is read with a room behind its holes`(shade: Double) throws {
        let frame = try frame(Stand(rows: Self.game, shade: shade))
        #expect(frame.board != nil)
        #expect(cells(frame) == Self.game)
    }

    @Test func `without discs is empty, whatever is behind it`() throws {
        let frame = try frame(Stand(rows: [String](repeating: ".......", count: 6)))
        #expect(frame.board != nil)
        #expect(frame.pieces.isEmpty)
    }

    @Test func `whose holes all look alike shows no disc, even if the ground has a paint's hue`() throws {
        let frame = try frame(Stand(rows: [String](repeating: ".......", count: 6), ground: (152, 126, 84)))
        #expect(frame.board != nil)
        #expect(frame.pieces.isEmpty)
    }

    @Test func `a disc above an empty hole is less certain than one on a disc`() throws {
        let frame = try frame(Stand(rows: [".......", ".......", ".......", "...r...", ".......", "r......"]))
        let floating = frame.pieces.first { $0.cell?.row == 3 }?.confidence ?? 0
        let lying = try #require(frame.pieces.first { $0.cell?.row == 5 }).confidence
        #expect(floating < lying)
    }
}
