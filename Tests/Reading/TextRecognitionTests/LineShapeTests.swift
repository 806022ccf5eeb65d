import Foundation
import Testing
@testable import TextRecognition
import Core

@Suite struct LineShapeTests {
    private let flat = LineShape(Quad(x: 10, y: 20, width: 100, height: 20))

    @Test func `The box of a part of a line is at its position`() throws {
        let part = try #require(flat.quad(from: 0.25, to: 0.5))
        #expect(part == Quad(x: 35, y: 20, width: 25, height: 20))
    }

    @Test func `A line read from its other end begins at its lower right corner`() throws {
        let whole = try #require(flat.reversed.quad(from: 0, to: 1))
        #expect(whole.topLeft == Point(110, 40))
        #expect(whole.bottomRight == Point(10, 20))
        #expect(flat.reversed.reversed == flat)
    }

    @Test func `A line contains its middle, and a margin reaches beyond each side`() {
        #expect(flat.middle == Point(60, 30))
        #expect(flat.contains(flat.middle) && flat.contains(Point(11, 21)))
        #expect(!flat.contains(Point(60, 41)) && flat.contains(Point(60, 41), margin: 2))
        #expect(!flat.contains(Point(8, 30)) && flat.contains(Point(8, 30), margin: 3))
        let upright = LineShape(Quad(x: 0, y: 0, width: 20, height: 100))
        #expect(upright.contains(Point(10, 95)) && !upright.contains(Point(25, 50)))
    }

    @Test func `A vertical line read upwards begins at the bottom`() throws {
        let vertical = LineShape(Quad(x: 0, y: 0, width: 20, height: 100))
        #expect(vertical.isVertical)
        let up = vertical.read(.up)
        #expect(up.angle == -90)
        #expect(up.length == 100 && up.height == 20)
        #expect(vertical.read(.down).angle == 90)
    }

    @Test func `A curved line keeps its height along the curve`() throws {
        // A quarter of a circle around the origin, with a radius of 100 pixels.
        let spine = (0...32).map { step in
            let angle = Double(step) / 32 * .pi / 2
            return Point(100 * sin(angle), -100 * cos(angle))
        }
        let shape = LineShape(spine: spine, height: 10)
        #expect(shape.isBent)
        #expect(abs(shape.length - 50 * .pi) < 0.5)
        #expect(abs(shape.height - 10) < 0.01)
        for (top, bottom) in zip(shape.top, shape.bottom) {
            #expect(abs(top.distance(to: Point(0, 0)) - 105) < 0.5, "the letters' tops point outwards")
            #expect(abs(bottom.distance(to: Point(0, 0)) - 95) < 0.5)
        }
    }

    @Test func `A curved line that runs up or down is vertical and can be read in both directions`() {
        let down = LineShape(spine: (0...8).map { Point(Double($0 % 3), Double($0) * 30) }, height: 12)
        #expect(down.isVertical)
        #expect(down.read(.down).angle > 0)
        #expect(down.read(.up).angle < 0)
    }
}
