import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

private let models = ModelFolder(Repository.models)

private func recognizer(_ set: String) throws -> PieceRecognizer {
    PieceRecognizer(set: try PreparedPieceSet.load(set, from: models))
}

/// Pixels per millimetre of the drawn tables.
private let scale = 2.4

private func pixels(_ corners: [Point]) -> [Point] { corners.map { Point($0.x * scale, $0.y * scale) } }

/// Maximum distance of an expected corner from the nearest detected one.
private func cornerError(_ found: [Point], _ wanted: [Point]) -> Double {
    wanted.map { corner in
        found.map { hypot($0.x - corner.x, $0.y - corner.y) }.min() ?? .infinity
    }.max() ?? .infinity
}

/// Expects each piece once: type, flip, pose within 2 mm and 3°, corners within 2 pixels.
private func expectFound(_ laid: [LaidPiece], in frame: PieceFrame, slots: Bool) {
    #expect(frame.pieces.count == laid.count)
    for piece in laid {
        let found = frame.pieces.min {
            hypot($0.xMM - piece.x, $0.yMM - piece.y) < hypot($1.xMM - piece.x, $1.yMM - piece.y)
        }
        guard let found else { continue }
        #expect(found.type == piece.type)
        #expect(hypot(found.xMM - piece.x, found.yMM - piece.y) < 2, "\(piece.type) is off")
        let turn = 360 / Double(found.fold)
        let off = abs(found.angleDegrees - piece.angle).truncatingRemainder(dividingBy: turn)
        #expect(min(off, turn - off) < 3, "\(piece.type): \(found.angleDegrees)° and not \(piece.angle)°")
        #expect(found.angleDegrees >= 0 && found.angleDegrees < turn)
        #expect(found.flipped == piece.flipped)
        #expect(found.polygonPX.count == piece.template.count)
        #expect(cornerError(found.polygonPX, pixels(piece.corners)) < 2, "\(piece.type)")
        #expect(found.confidence > 0.5 && found.confidence <= 1)
        #expect(found.residualMM < 1)
        if slots { #expect(found.slot == piece.slot) }
    }
}

@Suite struct `Pieces on a plain table` {
    @Test(arguments: [false, true])
    func `dark pieces of one colour are found with pose and flip`(flipped: Bool) throws {
        let laid = TangramPieces.scattered(flipped: flipped)
        var board = BoardDrawing()
        for piece in laid { board.fill(pixels(piece.corners), (30, 30, 34)) }
        let frame = try recognizer("tangram-mono").recognize(try #require(board.photo()))
        expectFound(laid, in: frame, slots: false)
        #expect(frame.set == "tangram-mono@1")
        let found = try #require(frame.board)
        #expect(found.located == .pieces)
        #expect(abs(found.homography[0] - scale) < 0.03)
        #expect(abs(found.widthMM - 800 / scale) < 4)
        #expect(frame.pieces.filter { $0.type == "largeTriangle" }.allSatisfy { $0.slot == nil })
    }

    @Test func `light pieces on a dark table are found`() throws {
        let laid = TangramPieces.scattered()
        var board = BoardDrawing(table: (45, 40, 38))
        for piece in laid { board.fill(pixels(piece.corners), (215, 205, 190)) }
        expectFound(
            laid, in: try recognizer("tangram-mono").recognize(try #require(board.photo())), slots: false)
    }

    @Test func `coloured pieces on wood are distinguished by slot`() throws {
        let laid = TangramPieces.scattered(flipped: true)
        var board = BoardDrawing(table: (205, 178, 140))
        for piece in laid { board.fill(pixels(piece.corners), piece.colour) }
        expectFound(laid, in: try recognizer("tangram").recognize(try #require(board.photo())), slots: true)
    }

    @Test func `an assembled coloured puzzle is recognised piece by piece`() throws {
        var board = BoardDrawing()
        let laid = TangramPieces.assembled(x: 90, y: 60)
        for piece in laid { board.fill(pixels(piece.corners), piece.colour) }
        let frame = try recognizer("tangram").recognize(try #require(board.photo()))
        #expect(frame.pieces.count == 7)
        for piece in laid {
            let found = try #require(frame.pieces.first { $0.slot == piece.slot }, "\(piece.slot)")
            #expect(found.type == piece.type)
            #expect(cornerError(found.polygonPX, pixels(piece.corners)) < 2.5, "\(piece.slot)")
        }
    }

    @Test func `colours are distinguished on a white table under a warm lamp`() throws {
        var board = BoardDrawing(table: (232, 196, 136))
        let laid = TangramPieces.assembled(x: 90, y: 60)
        for piece in laid {
            board.fill(pixels(piece.corners), (piece.colour.0, piece.colour.1 * 0.85, piece.colour.2 * 0.6))
        }
        let frame = try recognizer("tangram").recognize(try #require(board.photo()))
        #expect(Set(frame.pieces.compactMap(\.slot)) == Set(laid.map(\.slot)))
    }

    @Test func `assembled pieces of one colour are separated at their seams`() throws {
        var board = BoardDrawing()
        let laid = TangramPieces.assembled(x: 90, y: 60)
        for piece in laid { board.fill(pixels(piece.corners), (150, 95, 50)) }
        for piece in laid {
            for (a, b) in zip(piece.corners, piece.corners.dropFirst() + piece.corners.prefix(1)) {
                let along = Point((b.x - a.x) / hypot(b.x - a.x, b.y - a.y), (b.y - a.y) / hypot(b.x - a.x, b.y - a.y))
                let side = Point(-along.y * 0.4, along.x * 0.4)
                let seam = [
                    Point(a.x + side.x, a.y + side.y), Point(b.x + side.x, b.y + side.y),
                    Point(b.x - side.x, b.y - side.y), Point(a.x - side.x, a.y - side.y),
                ]
                board.fill(pixels(seam), (90, 55, 28))
            }
        }
        let frame = try recognizer("tangram-mono").recognize(try #require(board.photo()))
        #expect(frame.pieces.count == 7)
        for piece in laid {
            #expect(
                frame.pieces.contains {
                    $0.type == piece.type && cornerError($0.polygonPX, pixels(piece.corners)) < 3.5
                }, "\(piece.slot)")
        }
    }

    @Test func `two sets side by side are found completely`() throws {
        var board = BoardDrawing(width: 1560, height: 560)
        let left = TangramPieces.scattered()
        var right = TangramPieces.scattered(flipped: true)
        for index in right.indices { right[index].x += 310 }
        for piece in left + right { board.fill(pixels(piece.corners), (20, 20, 20)) }
        let frame = try recognizer("tangram-mono").recognize(try #require(board.photo()))
        expectFound(left + right, in: frame, slots: false)
    }

    @Test func `every piece is found in a slightly tilted view`() throws {
        // A plane tilted by 8° about the horizontal axis, seen from 700 mm.
        func tilted(_ point: Point) -> Point {
            let (x, y) = (point.x - 165, point.y - 125)
            let depth = 1 + y * sin(8 * .pi / 180) / 700
            return Point(400 + x * scale / depth, 300 + y * cos(8 * .pi / 180) * scale / depth)
        }
        let laid = TangramPieces.scattered()
        var board = BoardDrawing()
        for piece in laid { board.fill(piece.corners.map(tilted), (30, 30, 34)) }
        let frame = try recognizer("tangram-mono").recognize(try #require(board.photo()))
        #expect(frame.pieces.count == 7)
        for piece in laid {
            let wanted = piece.corners.map(tilted)
            #expect(
                frame.pieces.contains { $0.type == piece.type && cornerError($0.polygonPX, wanted) < 4 },
                "\(piece.type)")
        }
    }

    @Test func `a hand in view is not a piece`() throws {
        var board = BoardDrawing()
        let laid = TangramPieces.scattered()
        for piece in laid { board.fill(pixels(piece.corners), (30, 30, 34)) }
        let palm = (0..<40).map { step in
            let turn = Double(step) / 40 * 2 * .pi
            return Point(700 + 60 * cos(turn), 480 + 50 * sin(turn) + 8 * sin(5 * turn))
        }
        board.fill(palm, (120, 85, 70))
        board.fill([Point(690, 500), Point(730, 480), Point(799, 570), Point(799, 599)], (120, 85, 70))
        let frame = try recognizer("tangram-mono").recognize(try #require(board.photo()))
        expectFound(laid, in: frame, slots: false)
    }
}
