import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

private let models = ModelFolder(Repository.models)

/// Distance of each piece from the detection in its slot; infinite without a detection, or if rotation or side differ.
private func distances(_ laid: [LaidPiece], _ frame: PieceFrame) -> [String: Double] {
    Dictionary(
        uniqueKeysWithValues: laid.map { piece in
            guard let found = frame.pieces.first(where: { $0.slot == piece.slot }), found.flipped == piece.flipped
            else { return (piece.slot ?? "", .infinity) }
            let turn = 360 / Double(found.fold)
            let off = abs(found.angleDegrees - piece.angle).truncatingRemainder(dividingBy: turn)
            guard min(off, turn - off) < 3 else { return (piece.slot ?? "", .infinity) }
            return (piece.slot ?? "", hypot(found.xMM - piece.x, found.yMM - piece.y))
        })
}

@Suite struct `Pieces on a printed board` {
    private let recognizer: PieceRecognizer

    init() throws { recognizer = PieceRecognizer(set: try PreparedPieceSet.load("tangram", from: models)) }

    @Test(arguments: [0.0, 20, 40])
    func `flat pieces are located to a tenth of a millimetre in any view`(tilt: Double) throws {
        let laid = TangramPieces.scattered()
        var board = PrintedBoard(tilt: tilt)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 0)
        let frame = try recognizer.recognize(try #require(board.photo()))
        #expect(frame.board?.located == .aruco)
        for (slot, distance) in distances(laid, frame) { #expect(distance < 0.4, "\(slot)") }
    }

    @Test(arguments: [25.0, 40])
    func `extruded pieces of six millimetres are located at their base`(tilt: Double) throws {
        let laid = TangramPieces.scattered(flipped: true)
        var board = PrintedBoard(tilt: tilt)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 6)
        let frame = try recognizer.recognize(try #require(board.photo()))
        for (slot, distance) in distances(laid, frame) { #expect(distance < 2, "\(slot)") }
    }

    @Test(arguments: [25.0, 30]) func `blurred flat pieces are not interpreted as extruded`(tilt: Double) throws {
        let laid = TangramPieces.assembled(x: 110, y: 60)
        var board = PrintedBoard(tilt: tilt)
        // A white seam between them.
        board.lay(
            laid.map { piece in
                let middle = centroid(piece.corners)
                return (
                    piece.corners.map {
                        Point(middle.x + ($0.x - middle.x) * 0.97, middle.y + ($0.y - middle.y) * 0.97)
                    },
                    piece.colour
                )
            }, height: 0)
        let frame = try recognizer.recognize(try #require(board.photo(blur: 5)))
        for piece in laid {
            let (found, middle) = (frame.pieces.first { $0.slot == piece.slot }, centroid(piece.corners))
            #expect(found.map { hypot($0.xMM - middle.x, $0.yMM - middle.y) } ?? .infinity < 1.5, "\(piece.slot)")
        }
    }

    /// Objects on markers: left, top, right and bottom in millimetres.
    @Test(arguments: [
        [[0.0, 0, 32, 32], [304, 188, 320, 220]], [[0, 0, 32, 32], [286, 190, 295, 212]], [[288, 0, 320, 30]],
        [[290, 100, 295, 200], [2, 188, 30, 218]], [[0, 0, 32, 32], [288, 188, 320, 220]],
    ]) func `a board is found by its visible markers, whole or in part`(covers: [[Double]]) throws {
        let laid = TangramPieces.scattered()
        var board = PrintedBoard(tilt: 15)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 0)
        let covered = covers.map {
            [Point($0[0], $0[1]), Point($0[2], $0[1]), Point($0[2], $0[3]), Point($0[0], $0[3])]
        }
        board.lay(covered.map { ($0, (250, 222, 80)) }, height: 0)
        let frame = try recognizer.recognize(try #require(board.photo()))
        #expect(frame.board?.located == .aruco)
        for (slot, distance) in distances(laid, frame) { #expect(distance < 0.6, "\(slot)") }
    }

    @Test func `a board that leaves the picture is found by its visible corners`() throws {
        let laid = TangramPieces.scattered()
        var board = PrintedBoard(tilt: 15)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 0)
        let whole = try #require(board.photo())
        // The centres of the lower markers, y = 204 mm, are visible in this row.
        let height = 625
        let cut = Raster(
            width: whole.width, height: height, format: .rgb8,
            bytes: Array(whole.bytes.prefix(whole.width * height * 3)))
        let frame = try recognizer.recognize(try #require(cut))
        #expect(frame.board?.located == .aruco)
        for (slot, distance) in distances(laid, frame) { #expect(distance < 0.6, "\(slot)") }
    }

    @Test func `one marker is not a board`() throws {
        let laid = TangramPieces.scattered()
        var board = PrintedBoard(tilt: 15)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 0)
        let covers = [
            [Point(0, 0), Point(40, 0), Point(40, 40), Point(0, 40)],
            [Point(0, 180), Point(40, 180), Point(40, 220), Point(0, 220)],
            [Point(280, 0), Point(320, 0), Point(320, 40), Point(280, 40)],
        ]
        board.lay(covers.map { ($0, (250, 222, 80)) }, height: 0)
        #expect(try recognizer.recognize(try #require(board.photo())).board?.located != .aruco)
    }

    @Test(arguments: [(205.0, 150.0, 120.0), (185, 125, 95), (140, 85, 60)])
    func `a piece is found when a hand of nearly its colour touches it`(skin: (Double, Double, Double)) throws {
        let laid = TangramPieces.scattered()
        var board = PrintedBoard(tilt: 20)
        board.lay(laid.map { ($0.corners, $0.colour) }, height: 0)
        // A finger on the orange parallelogram's lower end.
        board.lay([([Point(232, 172), Point(246, 170), Point(262, 226), Point(240, 226)], skin)], height: 0)
        let frame = try recognizer.recognize(try #require(board.photo()))
        for (slot, distance) in distances(laid, frame) { #expect(distance < 0.8, "\(slot)") }
    }

    @Test(arguments: [(224.0, 172.0, 140.0), (198, 134, 96), (141, 85, 56), (255, 150, 80)])
    func `a hand alone on the board is not a piece`(skin: (Double, Double, Double)) throws {
        var board = PrintedBoard(tilt: 20)
        let palm = [Point(120, 100), Point(175, 95), Point(190, 160), Point(110, 165)]
        let arm = [Point(118, 160), Point(182, 155), Point(200, 226), Point(120, 226)]
        let fingers = [0.0, 19, 38].map { x in
            [Point(122 + x, 60), Point(134 + x, 58), Point(137 + x, 103), Point(123 + x, 105)]
        }
        board.lay(([palm, arm] + fingers).map { ($0, skin) }, height: 0)
        let frame = try recognizer.recognize(try #require(board.photo()))
        #expect(frame.board?.located == .aruco)
        #expect(frame.pieces.isEmpty)
    }
}
