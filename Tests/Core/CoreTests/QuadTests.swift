import Core
import Foundation
import Testing

@Suite struct QuadTests {
    /// Words beside each other on a line that is turned about the photo's corner, and the whole line.
    private func line(turned angle: Double) -> (words: [Quad], whole: [Point]) {
        func turned(_ left: Double, _ right: Double) -> [Point] {
            [(left, 300), (right, 300), (right, 320), (left, 320)].map { x, y in
                Point(cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y)
            }
        }
        func quad(_ left: Double, _ right: Double) -> Quad {
            let corners = turned(left, right)
            return Quad(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        }
        return ([quad(500, 600), quad(612, 700), quad(715, 900)], turned(500, 900))
    }

    @Test(arguments: [-Double.pi / 2, -0.5, -0.08, 0, 0.03, 0.3, Double.pi / 2, .pi])
    func `a box around the words of a turned line is turned as they are`(angle: Double) throws {
        let (words, whole) = line(turned: angle)
        let box = try #require(Quad(along: words))
        for (corner, expected) in zip(box.corners, whole) {
            #expect(hypot(corner.x - expected.x, corner.y - expected.y) < 0.01)
        }
        #expect(Quad(along: []) == nil)
    }
}
