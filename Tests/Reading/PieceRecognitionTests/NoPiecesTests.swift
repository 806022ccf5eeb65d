import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

/// Photos without a board must not give one.
@Suite struct `Photos without pieces` {
    private static let sets = ["tangram", "tangram-mono"]

    private func expectNothing(_ raster: Raster?, _ set: String) throws {
        let frame = try PieceRecognizer(set: try PreparedPieceSet.load(set, from: ModelFolder(Repository.models)))
            .recognize(try #require(raster))
        #expect(frame.pieces.isEmpty)
        #expect(frame.board == nil)
        #expect(frame.v == 1 && frame.kind == "frame" && frame.set == "\(set)@1")
    }

    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [Point] {
        [Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)]
    }

    @Test(arguments: sets) func `an empty table has none`(set: String) throws {
        let table = BoardDrawing(width: 400, height: 300)
        try expectNothing(table.photo(), set)
    }

    @Test(arguments: sets) func `lines of words have none`(set: String) throws {
        var page = BoardDrawing()
        for line in 0..<12 {
            for word in 0..<9 {
                let width = Double(30 + (line * 7 + word * 13) % 45)
                page.fill(box(40 + Double(word) * 82, 30 + Double(line) * 46, width, 20), (25, 25, 25))
            }
        }
        try expectNothing(page.photo(), set)
    }

    @Test(arguments: sets) func `equal squares as in a code have none`(set: String) throws {
        var page = BoardDrawing()
        for row in 0..<6 {
            for column in 0..<6 where (row * 5 + column * 3) % 4 != 0 {
                page.fill(box(150 + Double(column) * 60, 100 + Double(row) * 60, 40, 40), (20, 20, 20))
            }
        }
        try expectNothing(page.photo(), set)
    }

    @Test(arguments: sets) func `bars have none`(set: String) throws {
        var page = BoardDrawing()
        for bar in 0..<40 {
            page.fill(box(120 + Double(bar) * 13, 150, Double(3 + bar * 7 % 9), 260), (15, 15, 15))
        }
        try expectNothing(page.photo(), set)
    }

    @Test(arguments: sets) func `two triangles prove nothing`(set: String) throws {
        var page = BoardDrawing()
        page.fill([Point(100, 100), Point(240, 100), Point(100, 240)], (56, 150, 255))
        page.fill([Point(500, 300), Point(640, 300), Point(500, 440)], (56, 150, 255))
        try expectNothing(page.photo(), set)
    }

    @Test(arguments: sets) func `a round blob like a hand has none`(set: String) throws {
        var table = BoardDrawing()
        for finger in 0..<4 {
            let x = 250 + Double(finger) * 70
            table.fill(box(x, 120, 45, 180), (190, 140, 115))
        }
        table.fill(box(240, 280, 290, 319), (190, 140, 115))
        try expectNothing(table.photo(), set)
    }

    @Test(arguments: sets) func `the smallest rasters give an empty frame`(set: String) throws {
        try expectNothing(Raster(width: 1, height: 1, format: .gray8, bytes: [7]), set)
        try expectNothing(Raster(width: 3, height: 40, format: .rgb8, bytes: Array(repeating: 200, count: 360)), set)
    }
}
