import Testing
import Core

@testable import BarcodeRecognition

struct OutlineTests {
    @Test("The rectangle around points is clockwise from the top-left, independent of interior points")
    func upright() {
        let points = [Point(10, 30), Point(50, 5), Point(20, 20), Point(10, 5), Point(50, 30)]
        #expect(
            Outline(around: points).corners == [Point(10, 5), Point(50, 5), Point(50, 30), Point(10, 30)])
    }

    @Test("A tilted row of bars keeps its tilt")
    func slanted() {
        // A rectangle of sides 4√2 and √2 at 45°.
        let corners = Outline(around: [Point(1, 0), Point(5, 4), Point(4, 5), Point(0, 1)]).corners
        let area =
            zip(corners, corners.dropFirst() + corners.prefix(1)).map { $0.x * $1.y - $1.x * $0.y }.reduce(0, +) / 2
        #expect(corners.count == 4)
        #expect(abs(area - 8) < 1e-9)  // positive: clockwise where y grows down
    }

    @Test("One scan line gives a flat outline, one point a point, no points an empty outline")
    func flat() {
        #expect(Set(Outline(around: [Point(3, 7), Point(9, 7)]).corners) == [Point(3, 7), Point(9, 7)])
        #expect(Set(Outline(around: [Point(3, 7)]).corners) == [Point(3, 7)])
        #expect(Outline(around: []).corners.isEmpty)
    }

    @Test("A matrix code's own corners are kept and sorted")
    func matrix() {
        let seen = [Point(12, 10), Point(10, 88), Point(95, 90), Point(90, 14)]
        #expect(Outline(corners: seen).corners == [Point(12, 10), Point(90, 14), Point(95, 90), Point(10, 88)])
    }
}
