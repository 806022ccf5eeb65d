import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

@Suite struct `Teaching a set` {
    private let table: BoardDrawing.RGB = (206, 198, 186)

    /// Learns a set from drawings, then reads a drawing with it.
    private func taught(
        _ laidOut: BoardDrawing, longestMM: Double, names: [String] = [], reading: BoardDrawing
    ) throws -> (text: String, frame: PieceFrame) {
        let empty = try #require(BoardDrawing(table: table).photo())
        let text = try PieceTeacher().file(
            empty: empty, laidOut: try #require(laidOut.photo(falloff: 0.22)),
            TeachingRequest(set: "own", longestMM: longestMM, names: names))
        let folder = try TemporaryFolder()
        try folder.write(Data(text.utf8), to: "piece-sets/own.json")
        let set = try PreparedPieceSet.load("own", from: ModelFolder(folder.url))
        return (text, try PieceRecognizer(set: set).recognize(try #require(reading.photo())))
    }

    @Test func `coloured blocks are learned with size, count and colour, and found at other positions`() throws {
        var laid = BoardDrawing(table: table)
        laid.fill([Point(100, 100), Point(260, 100), Point(100, 260)], (56, 120, 240))
        laid.fill(BoardDrawing.square(420, 180, side: 110, angle: 0), (240, 60, 60))
        laid.fill(BoardDrawing.square(620, 180, side: 80, angle: 20, width: 150), (40, 170, 70))
        laid.fill(BoardDrawing.square(200, 440, side: 110, angle: 31), (240, 60, 60))
        var reading = BoardDrawing(table: table)
        let rotated = [Point(0, 0), Point(160, 0), Point(0, 160)].map {
            BoardDrawing.rotated($0.x, $0.y, about: (560, 330), 40)
        }
        reading.fill(rotated, (56, 120, 240))
        reading.fill(BoardDrawing.square(180, 160, side: 110, angle: 12), (240, 60, 60))
        reading.fill(BoardDrawing.square(300, 420, side: 80, angle: 70, width: 150), (40, 170, 70))
        reading.fill(BoardDrawing.square(420, 150, side: 110, angle: 60), (240, 60, 60))
        let (text, frame) = try taught(laid, longestMM: 80, reading: reading)
        #expect(text.contains("\"count\": 2"))
        #expect(frame.pieces.count == 4)
        #expect(Set(frame.pieces.map(\.type)).count == 3)
        #expect(Set(frame.pieces.map(\.colour)).count == 3)
        // The triangle's longest edge is given as 80 mm, so its short edges are 56.6 mm long.
        let triangle = try #require(frame.pieces.first { $0.polygonMM.count == 3 })
        let edges = (0..<3).map { index in
            let (a, b) = (triangle.polygonMM[index], triangle.polygonMM[(index + 1) % 3])
            return hypot(a.x - b.x, a.y - b.y)
        }.sorted()
        #expect(abs(edges[0] - 56.57) < 1.5)
        #expect(abs(edges[2] - 80) < 2)
    }

    @Test func `faces of tiles are learned under the given names`() throws {
        func rune(_ board: inout BoardDrawing, _ kind: Int, _ x: Double, _ y: Double, angle: Double) {
            board.fill(BoardDrawing.square(x, y, side: 110, angle: angle), (120, 84, 56))
            let strokes: [[(Double, Double, Double, Double)]] = [
                [(0, -36, 0, 36), (0, -36, 26, -10)], [(-24, -34, -24, 34), (24, -34, 24, 34), (-24, -20, 24, 14)],
                [(-26, 34, 0, -34), (0, -34, 26, 34), (-26, 34, 26, 34)],
            ]
            for (a, b, c, d) in strokes[kind] {
                board.line(
                    BoardDrawing.rotated(a, b, about: (x, y), angle), BoardDrawing.rotated(c, d, about: (x, y), angle),
                    width: 9, BoardDrawing.white)
            }
        }
        var laid = BoardDrawing(table: table)
        for kind in 0..<3 { rune(&laid, kind, 150 + 240 * Double(kind), 300, angle: 0) }
        var reading = BoardDrawing(table: table)
        for (index, kind) in [2, 0, 1, 0].enumerated() {
            rune(&reading, kind, 120 + 180 * Double(index), 260, angle: 24)
        }
        let (_, frame) = try taught(laid, longestMM: 30, names: ["torch", "gate", "7"], reading: reading)
        let faces = frame.pieces.sorted { $0.xMM < $1.xMM }.map { $0.symbol ?? $0.value.map(String.init) ?? "" }
        #expect(faces == ["7", "torch", "gate", "torch"])
        #expect(frame.pieces.allSatisfy { abs($0.angleDegrees - 24) < 4 })
    }

    @Test func `discs are learned and distinguished by colour`() throws {
        var laid = BoardDrawing(table: table)
        laid.disc(200, 200, radius: 52, (210, 40, 44))
        laid.disc(500, 200, radius: 52, (40, 90, 210))
        var reading = BoardDrawing(table: table)
        reading.disc(320, 400, radius: 52, (40, 90, 210))
        reading.disc(560, 300, radius: 52, (210, 40, 44))
        reading.disc(180, 150, radius: 52, (210, 40, 44))
        let (text, frame) = try taught(laid, longestMM: 30, reading: reading)
        #expect(text.contains("disc"))
        #expect(frame.pieces.count == 3)
        #expect(Set(frame.pieces.map(\.colour)).count == 2)
    }

    @Test func `equal photos are refused with a reason`() throws {
        let empty = try #require(BoardDrawing(table: table).photo())
        let error = #expect(throws: ItemFailure.self) {
            try PieceTeacher().file(empty: empty, laidOut: empty, TeachingRequest(set: "own", longestMM: 30))
        }
        #expect(error?.hint.isEmpty == false)
    }
}
