import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

struct PuzzleBookTests {
    private let book = Result { try PuzzleBook(models: TableOfPieces.models) }

    @Test func `the shipped book has at least twenty puzzles with unique names`() throws {
        let puzzles = try book.get().puzzles
        #expect(puzzles.count >= 20)
        #expect(Set(puzzles.map(\.id)).count == puzzles.count)
    }

    @Test func `every puzzle uses each piece of the set once`() throws {
        for puzzle in try book.get().puzzles {
            let types = puzzle.pieces.map(\.shape.type).sorted()
            #expect(
                types == [
                    "largeTriangle", "largeTriangle", "mediumTriangle", "parallelogram", "smallTriangle",
                    "smallTriangle", "square",
                ], "\(puzzle.id)")
        }
    }

    @Test func `no two pieces of a puzzle overlap, measured by counting points of a grid`() throws {
        for puzzle in try book.get().puzzles {
            // Each point of the grid represents 9 mm². The grid is oblique to all edges. Points within 0.05 mm of an
            // edge are not counted.
            var twice = 0
            var once = 0
            for column in -60...60 {
                for row in -60...60 {
                    let (x, y) = (Double(column) * 3, Double(row) * 3)
                    let point = Point(0.94 * x - 0.342 * y + 0.313, 0.342 * x + 0.94 * y + 0.129)
                    let owners = puzzle.pieces.count { contains($0.polygon, point) }
                    if owners > 1 { twice += 1 }
                    if owners == 1 { once += 9 }
                }
            }
            #expect(twice == 0, "\(puzzle.id)")
            // The classic set, cut from a square of side 2·√2·35 mm, covers 9800 mm².
            #expect(abs(once - 9800) < 300, "\(puzzle.id) covers \(once) mm²")
        }
    }

    @Test func `every puzzle is connected and has the area of its pieces`() throws {
        for puzzle in try book.get().puzzles {
            #expect(abs(puzzle.pieces.reduce(0) { $0 + $1.polygon.area } - 9800) < 1, "\(puzzle.id)")
            var parts = puzzle.pieces.indices.map { $0 }
            for (index, piece) in puzzle.pieces.enumerated() {
                for other in puzzle.pieces.indices where piece.polygon.gap(to: puzzle.pieces[other].polygon) < 0.1 {
                    let (old, new) = (parts[other], parts[index])
                    parts = parts.map { $0 == old ? new : $0 }
                }
            }
            #expect(Set(parts).count == 1, "\(puzzle.id)")
        }
    }

    @Test(arguments: [
        (
            "\"flipped\": false}\n    ] }",
            "\"flipped\": false}, {\"type\":\"square\",\"x_mm\":500,\"y_mm\":0,"
                + "\"angle_deg\":0,\"flipped\":false}\n    ] }",
            "it has 2 of square"
        ),
        ("\"x_mm\": 24.7487, \"y_mm\": 0.0", "\"x_mm\": 20.0, \"y_mm\": 0.0", "overlap by"),
        ("\"x_mm\": 24.7487, \"y_mm\": 0.0", "\"x_mm\": 200.0, \"y_mm\": 0.0", "do not touch"),
        ("\"id\": \"triangle\"", "\"id\": \"square\"", "used twice"),
        ("tablesight.puzzles/1", "tablesight.puzzles/9", "is unknown"),
        ("\"difficulty\": 1", "\"difficulty\": 9", "difficulty of 1 to 5"),
        ("\"type\": \"mediumTriangle\"", "\"type\": \"hexagon\"", "no piece hexagon"),
    ])
    func `an invalid book is rejected with the file and the fault`(find: String, replace: String, fault: String) throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for part in ["piece-sets", "puzzles"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: part), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Repository.models.appending(path: "\(part)/tangram.json"),
                to: folder.appending(path: "\(part)/tangram.json"))
        }
        let file = folder.appending(path: "puzzles/tangram.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let place = try #require(text.range(of: find))
        try text.replacingCharacters(in: place, with: replace).write(to: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: StartupError.self) {
            try PuzzleBook(models: ModelFolder(folder))
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("puzzles/tangram.json") == true)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "no message")")
    }

    /// Tests the side of each edge, independently of the clipping under test.
    private func contains(_ polygon: ConvexPolygon, _ point: Point) -> Bool {
        polygon.corners.indices.allSatisfy { index in
            let (a, b) = (polygon.corners[index], polygon.corners[(index + 1) % polygon.corners.count])
            let side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
            return side / a.distance(to: b) > 0.05
        }
    }
}
