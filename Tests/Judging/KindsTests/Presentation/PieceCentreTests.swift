import Core
import Foundation
import Testing

@testable import Kinds

@Suite struct PieceCentreTests {
    /// Touching pieces of a tangram: a house, as in samples/boards/coloured-house.jpg, in pixels.
    private static let house: [[Point]] = [
        [Point(590, 95), Point(620, 365), Point(357, 400)], [Point(590, 95), Point(900, 335), Point(620, 365)],
        [Point(490, 385), Point(770, 350), Point(645, 505)], [Point(490, 385), Point(645, 505), Point(507, 525)],
        [Point(770, 350), Point(785, 490), Point(662, 645), Point(645, 505)],
        [Point(507, 525), Point(645, 505), Point(662, 645), Point(522, 660)],
        [Point(785, 490), Point(800, 630), Point(662, 645)],
    ]

    private func layout(_ shapes: [[Point]], isPlain: Bool = true, words: [Quad] = []) throws -> DotLayout {
        let boxes = try shapes.map { try #require(Quad(aroundPoints: $0)) }
        return DotLayout(
            width: 1400, height: 980, items: boxes.enumerated().map { ($0.offset + 1, $0.element) },
            print: boxes + words,
            pieces: shapes.enumerated().map { .init(number: $0.offset + 1, corners: $0.element, isPlain: isPlain) },
            words: words)
    }

    /// True if the whole dot lies within the shape.
    private func isWithin(_ dot: OverlayDrawing.Dot, _ shape: [Point]) -> Bool {
        stride(from: 0.0, to: 2 * .pi, by: 0.1).allSatisfy { angle in
            // A hair smaller, because the edge itself belongs to nobody.
            let reach = dot.radius * 0.999
            return PieceCentre.contains(
                shape, Point(dot.center.x + cos(angle) * reach, dot.center.y + sin(angle) * reach))
        }
    }

    @Test func `each dot of touching pieces stands within its own piece`() throws {
        let layout = try layout(Self.house)
        #expect(layout.dots.map(\.number) == Array(1...7))
        for (dot, shape) in zip(layout.dots, Self.house) { #expect(isWithin(dot, shape), "dot \(dot.number)") }
        for (index, dot) in layout.dots.enumerated() {
            for (other, shape) in Self.house.enumerated() where other != index {
                #expect(!PieceCentre.contains(shape, dot.center), "dot \(dot.number) stands on \(other + 1)")
                #expect(PieceCentre.distance(dot.center, shape) >= dot.radius * 0.999)
            }
        }
        #expect((layout.leftMargin, layout.rightMargin) == (0, 0))
    }

    @Test func `a large piece has its dot on the centroid`() throws {
        let dot = try #require(try layout([[Point(100, 100), Point(700, 100), Point(100, 400)]]).dots.first)
        #expect(abs(dot.center.x - 300) < 1e-9 && abs(dot.center.y - 200) < 1e-9)
        #expect(dot.radius == 25)
    }

    @Test func `a long piece has a smaller dot, and a thin one has it beside`() throws {
        let narrow = [Point(100, 100), Point(500, 100), Point(500, 135), Point(100, 135)]
        let small = try #require(try layout([narrow]).dots.first)
        #expect(small.radius == 14 && isWithin(small, narrow))
        let thin = [Point(100, 100), Point(500, 100), Point(500, 120), Point(100, 120)]
        let beside = try #require(try layout([thin]).dots.first)
        #expect(beside.center.x < 100)
    }

    @Test func `a dot covers no face, no letter and no overlapping piece`() throws {
        let square = [Point(300, 300), Point(500, 300), Point(500, 500), Point(300, 500)]
        let face = try #require(try layout([square], isPlain: false).dots.first)
        #expect(face.center.x + face.radius <= 300, "beside a die")
        let letter = Quad(x: 380, y: 380, width: 40, height: 40)
        let dot = try #require(try layout([square], words: [letter]).dots.first)
        #expect(isWithin(dot, square))
        #expect(!PieceCentre.contains(letter.corners, dot.center))
        #expect(PieceCentre.distance(dot.center, letter.corners) >= dot.radius * 0.999)
        let above = square.map { Point($0.x + 60, $0.y + 60) }
        for (dot, other) in zip(try layout([square, above]).dots, [above, square]) {
            #expect(!PieceCentre.contains(other, dot.center))
            #expect(PieceCentre.distance(dot.center, other) >= dot.radius * 0.999)
        }
    }

    @Test func `shapes without an area or with wrong numbers keep a dot beside them`() throws {
        for shape in [
            [Point(10, 10), Point(20, 10)], [Point(10, 10), Point(20, 10), Point(30, 10)],
            [Point(0, 0), Point(.nan, 5), Point(5, 5), Point(.infinity, 0)],
            Array(repeating: Point(5, 5), count: 1000),
        ] {
            #expect(PieceCentre(outline: shape, radii: [25, 14], neighbours: [], print: []) == nil)
        }
    }
}
