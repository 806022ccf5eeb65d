import Foundation
import TestSupport
import Testing
import Core

@testable import PieceRecognition

@Suite struct `Model of dice faces` {
    private static let body: BoardDrawing.RGB = (50, 110, 170)
    private static let ink: BoardDrawing.RGB = (245, 245, 240)
    private static let wood: BoardDrawing.RGB = (176, 140, 96)

    /// Log odds that the lattice of a four or six about the centre, with this step in pixels, is a face.
    private func odds(_ board: BoardDrawing, step: Double) throws -> Double {
        let model = try DieFaceModel.load(from: ModelFolder(Repository.models))
        guard let image = try PreparedPipImage(try #require(board.photo())) else {
            Issue.record("no image")
            return 0
        }
        let lattice = PipLattice(
            corners: [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { Point(400 + $0.0 * step, 300 + $0.1 * step) }
        )
        return try model.odds(
            of: lattice, colour: SIMD3(44, 96, 149), ink: SIMD3(214, 214, 210), on: image)
    }

    @Test func `a whole face is accepted, half a face and a bare table are not`() throws {
        var board = BoardDrawing(table: Self.wood)
        #expect(try odds(board, step: 10) < 0)
        board.fill(BoardDrawing.square(400, 300, side: 40, angle: 0), Self.body)
        board.pips(4, 400, 300, side: 40, angle: 0, Self.ink)
        #expect(try odds(board, step: 10) > 1)
        // The same four places on a die more than twice as large, which has pips beyond them.
        board = BoardDrawing(table: Self.wood)
        board.fill(BoardDrawing.square(400, 300, side: 84, angle: 0), Self.body)
        for x in [-30.0, -10, 10, 30] { for y in [-10.0, 10] { board.disc(400 + x, 300 + y, radius: 3.6, Self.ink) } }
        #expect(try odds(board, step: 10) < 0)
    }

    @Test func `a marbled face is read beside similar certain dice`() throws {
        var board = BoardDrawing(table: Self.wood)
        for (value, x, y, angle) in [(5, 150.0, 150.0, 20.0), (4, 350, 150, 50), (6, 150, 400, 70)] {
            board.fill(BoardDrawing.square(x, y, side: 36, angle: angle), Self.body)
            board.pips(value, x, y, side: 36, angle: angle, Self.ink)
        }
        board.fill(BoardDrawing.square(480, 380, side: 36, angle: 25), Self.body)
        // Waves of lighter and darker colour, so that no ray outward meets one colour as far as the side.
        for u in stride(from: -15.0, through: 15, by: 2) {
            for v in stride(from: -15.0, through: 15, by: 2) {
                let wave = 35 * sin(2 * .pi * (0.8 * u + 0.45 * v + 4 * sin(v / 4)) / 28.8)
                let at = BoardDrawing.rotated(u, v, about: (480, 380), 25)
                board.fill(
                    BoardDrawing.square(at.x, at.y, side: 2, angle: 25),
                    (Self.body.0 + wave, Self.body.1 + wave, Self.body.2 + wave))
            }
        }
        board.disc(480, 380, radius: 3.3, Self.ink)
        let raster = try #require(board.photo())
        let set = try PreparedPieceSet.load("dice", from: ModelFolder(Repository.models))
        let found = try PieceRecognizer(set: set).recognize(raster).pieces
        #expect(found.compactMap(\.value).sorted() == [1, 4, 5, 6])
        // Without the resemblance to certain dice, the face is not reported.
        #expect(found.filter { $0.value == 1 }.allSatisfy { $0.confidence <= DieFaceModel.maxConfidence })
    }

    @Test func `a single side face in an oblique view is not a top face`() throws {
        var board = BoardDrawing(table: (70, 74, 90))
        for x in [200.0, 500] {
            board.fill(BoardDrawing.square(x, 290, side: 80, angle: 0), (242, 240, 235))
            board.fill(
                [Point(x - 40, 330), Point(x + 40, 330), Point(x + 38, 382), Point(x - 38, 382)], (200, 198, 190))
            for step in [-1.0, 0, 1] {
                board.fill(
                    (0..<28).map { index in
                        let turn = Double(index) * .pi / 14
                        return Point(x + 20 * step + 7.2 * cos(turn), 356 + 13 * step + 4.68 * sin(turn))
                    }, BoardDrawing.black)
            }
        }
        let raster = try #require(board.photo())
        let set = try PreparedPieceSet.load("dice", from: ModelFolder(Repository.models))
        #expect(try PieceRecognizer(set: set).recognize(raster).pieces.isEmpty)
    }

    @Test(arguments: [true, false]) func `one pip of a four may be undetected if its ink is visible`(isSeen: Bool)
        throws
    {
        var board = BoardDrawing(table: (66, 60, 54))
        for (x, y, angle) in [(200.0, 180.0, 20.0), (480, 380, 35)] {
            board.fill(BoardDrawing.square(x, y, side: 80, angle: angle), BoardDrawing.white)
            board.pips(4, x, y, side: 80, angle: angle, BoardDrawing.black)
        }
        // A glint over the rim leaves ink but no round spot. Without ink, three pips in corners are not a number.
        let at = BoardDrawing.rotated(21.6, 21.6, about: (480, 380), 35)
        if isSeen {
            board.fill(BoardDrawing.square(at.x + 4, at.y - 4, side: 8, angle: 0), BoardDrawing.white)
        } else {
            board.disc(at.x, at.y, radius: 10, BoardDrawing.white)
        }
        let raster = try #require(board.photo())
        let set = try PreparedPieceSet.load("dice", from: ModelFolder(Repository.models))
        let found = try PieceRecognizer(set: set).recognize(raster).pieces.compactMap(\.value)
        #expect(found == (isSeen ? [4, 4] : [4]))
    }

    /// A change of the file's text, and the key that the message must name.
    @Test(arguments: [
        ("tablesight.die-faces/1", "tablesight.die-faces/9", "schema"),
        ("\"size\": 28", "\"size\": 30", "layers[2].weights"),
        ("\"hidden\": 24", "\"hidden\": 20", "hidden"),
        ("\"reach\": 3.0", "\"reach\": 0", "reach"),
        ("\"weights\": \"", "\"weights\": \"AAAA", "layers[0].weights"),
    ])
    func `an invalid file is reported with its name, the key and the remedy`(from: String, to: String, key: String)
        throws
    {
        let text = try String(contentsOf: Repository.models.appending(path: "dice/faces.json"), encoding: .utf8)
        let place = try #require(text.range(of: from))
        let folder = try TemporaryFolder()
        try folder.write(Data(text.replacingCharacters(in: place, with: to).utf8), to: "dice/faces.json")
        let error = #expect(throws: StartupError.self) { try DieFaceModel.load(from: ModelFolder(folder.url)) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("faces.json") == true)
        #expect(error?.message.contains(key) == true)
        #expect(error?.message.contains("scripts/tool training.die_faces.train") == true)
    }
}
