import Core
import Foundation
import Testing

@testable import PieceRecognition

@Suite struct `Strokes and outlines of ink` {
    /// A mask of broad strokes.
    private func mask(_ strokes: [(Point, Point)], half: Double, side: Int = 120) -> Picture<UInt8> {
        let made = Picture<UInt8>(width: side, height: side, isCleared: true)
        for y in 1..<side - 1 {
            for x in 1..<side - 1 {
                let place = Point(Double(x), Double(y))
                let isInk = strokes.contains { a, b in
                    let way = b - a
                    let share = max(0, min(1, (place - a).dot(way) / way.dot(way)))
                    return (place - a - way * share).length <= half
                }
                if isInk { made[x, y] = 255 }
            }
        }
        return made
    }

    private let cross = [(Point(20, 30), Point(100, 90)), (Point(100, 30), Point(20, 90))]

    @Test func `centre lines lie in the middle of a stroke and know its width`() throws {
        let ink = mask([(Point(20, 40), Point(100, 40))], half: 5)
        let lines = try CentreLines(thinning: ink, depth: try ink.depth())
        #expect((70...85).contains(lines.count))
        #expect(lines.places.allSatisfy { abs($0.y - 40) <= 1 })
        let inner = lines.places.filter { $0.x > 30 && $0.x < 90 }
        #expect(inner.allSatisfy { $0.isReliable && HalfTurn.between($0.angle, 0) < 0.05 && abs($0.half - 6) < 0.6 })
    }

    @Test func `the two strokes of a cross are found with their ends and directions`() throws {
        let lines = try CentreLines(thinning: mask(cross, half: 3))
        let strokes = try StrokeSearch.strokes(of: lines, .init(size: 80, shortest: 40, most: 8, sway: 0.03))
        #expect(strokes.count == 2)
        for stroke in strokes {
            #expect(abs(stroke.length - 100) < 6 && stroke.support > 0.95)
            #expect(abs(HalfTurn.between(stroke.angle, 0) - atan2(60, 80)) < 0.03)
        }
        let at = try #require(strokes[0].crossing(strokes[1]))
        #expect((at - Point(60, 60)).length < 1)
    }

    @Test func `a short stroke is left out, and parts of a line are joined over a gap`() throws {
        let divided = [(Point(10, 60), Point(45, 60)), (Point(75, 65), Point(110, 65)), (Point(50, 10), Point(60, 10))]
        let lines = try CentreLines(thinning: mask(divided, half: 2))
        let strokes = try StrokeSearch.strokes(of: lines, .init(size: 100, shortest: 25, most: 8, sway: 0.03))
        #expect(strokes.count == 2 && strokes.allSatisfy { abs($0.length - 35) < 5 })
        #expect(strokes.joined(size: 100).count == 1)
        // A gap of more than .32 sizes is no object on one line.
        #expect(strokes.joined(size: 80).count == 2)
    }

    @Test func `an outline with four bays is a cross, a ring is a nought, a bar is neither`() throws {
        func likeness(_ ink: Picture<UInt8>) throws -> MarkLikeness {
            let view = try ink.inverted().scaled(toWidth: 4 * ink.width, height: 4 * ink.height, .linear).smoothed(1.2)
            return try MarkOutline.likeness(of: ink, in: view)
        }
        let crossed = try likeness(mask(cross, half: 12))
        #expect(crossed.cross > 0.9 && crossed.nought == 0)
        let ring = mask([(Point(60, 60), Point(60.1, 60))], half: 40)
        let hole = mask([(Point(60, 60), Point(60.1, 60))], half: 20)
        let round = try likeness(ring.without(hole))
        #expect(round.nought > 0.9 && round.cross == 0)
        let bar = try likeness(mask([(Point(20, 60), Point(100, 60))], half: 8))
        #expect(bar.cross == 0 && bar.nought == 0)
    }

    @Test func `an ellipse is fitted to an outline and measures its misfit`() throws {
        func outlineOf<Value>(
            _ fill: (Double, Double) -> Bool, _ body: (PixelOutline) throws -> Value
        ) throws -> Value {
            let mask = Picture<UInt8>(width: 120, height: 120, isCleared: true)
            for y in 0..<120 { for x in 0..<120 where fill(Double(x) - 60, Double(y) - 50) { mask[x, y] = 255 } }
            let outlines = try PictureOutlines(mask)
            return try withExtendedLifetime(outlines) { try body(try #require(outlines.outline(0))) }
        }
        for method in [Ellipse.Method.leastSquares, .direct] {
            try outlineOf({ hypot($0 / 40, $1 / 20) <= 1 }) { outline in
                let ellipse = try outline.ellipse(method)
                #expect((ellipse.centre - Point(60, 50)).length < 0.5)
                #expect(abs(max(ellipse.a, ellipse.b) - 40) < 1 && abs(min(ellipse.a, ellipse.b) - 20) < 1)
                let misfit = try outline.misfit(ellipse)
                #expect(misfit < 0.03)
                #expect(abs(ellipse.radius(of: ellipse.point(at: 0.7)) - 1) < 1e-9)
                #expect(abs(ellipse.turn(of: ellipse.point(at: 0.7)) - 0.7) < 1e-9)
            }
        }
        try outlineOf({ abs($0) <= 30 && abs($1) <= 30 }) { square in
            let misfit = try square.misfit(square.ellipse(.leastSquares))
            #expect(misfit > 0.05)
        }
    }

    @Test func `round marks are discs of one colour on a face of another, each once`() throws {
        var board = BoardDrawing(table: (225, 222, 216))
        let discs = [(Point(200, 200), 30.0), (Point(420, 220), 22), (Point(600, 400), 40)]
        for (at, radius) in discs { board.disc(at.x, at.y, radius: radius, (170, 40, 45)) }
        board.fill([Point(180, 400), Point(215, 460), Point(145, 460)], (170, 40, 45))
        let raster = try #require(board.photo())
        let marks = try #require(try RoundMarks(raster)).all()
        for (at, radius) in discs {
            let own = marks.filter { ($0.at - at).length < radius }
            #expect(own.count == 1 && own.allSatisfy { abs($0.radius - radius) < 2 && $0.roundness > 0.93 })
            #expect(own.allSatisfy { $0.isDark && $0.inside[0] > $0.inside[1] && $0.contrast > 100 })
        }
        // A triangle is no ellipse.
        #expect(!marks.contains { ($0.at - Point(180, 440)).length < 30 })
    }
}
