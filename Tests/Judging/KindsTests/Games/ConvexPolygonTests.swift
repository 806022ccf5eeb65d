import Testing
import Core

@testable import Kinds

struct ConvexPolygonTests {
    private func square(_ x: Double, _ y: Double, side: Double = 10) -> ConvexPolygon? {
        ConvexPolygon([Point(x, y), Point(x + side, y), Point(x + side, y + side), Point(x, y + side)])
    }

    @Test func `two squares a quarter over each other overlap by a quarter`() throws {
        let (first, second) = (try #require(square(0, 0)), try #require(square(5, 5)))
        #expect(abs(first.overlap(with: second) - 25) < 1e-9)
        #expect(abs(second.overlap(with: first) - 25) < 1e-9)
    }

    @Test func `squares that touch do not overlap and have no gap`() throws {
        let (first, second) = (try #require(square(0, 0)), try #require(square(10, 2)))
        #expect(first.overlap(with: second) < 1e-9)
        #expect(first.gap(to: second) < 1e-9)
    }

    @Test func `the gap is the distance of the nearest edges`() throws {
        let (first, second) = (try #require(square(0, 0)), try #require(square(13, 4)))
        #expect(abs(first.gap(to: second) - 3) < 1e-9)
    }

    @Test func `a triangle's centroid is the mean of its corners in either orientation`() throws {
        for corners in [[Point(0, 0), Point(6, 0), Point(0, 3)], [Point(0, 3), Point(6, 0), Point(0, 0)]] {
            let triangle = try #require(ConvexPolygon(corners))
            #expect(abs(triangle.area - 9) < 1e-9)
            #expect(triangle.centroid.distance(to: Point(2, 1)) < 1e-9)
        }
    }

    @Test func `a concave outline, a line and a NaN are rejected as polygons`() {
        #expect(ConvexPolygon([Point(0, 0), Point(4, 0), Point(1, 1), Point(0, 4)]) == nil)
        #expect(ConvexPolygon([Point(0, 0), Point(1, 1), Point(2, 2)]) == nil)
        #expect(ConvexPolygon([Point(0, 0), Point(.nan, 1), Point(2, 0)]) == nil)
    }

    @Test func `a flipped piece is mirrored before its clockwise rotation`() throws {
        let triangle = try #require(ConvexPolygon([Point(-1, -1), Point(2, -1), Point(-1, 2)]))
        let laid = triangle.laid(at: PiecePose(center: Point(100, 50), degrees: 90, flipped: true))
        // (2, −1) → mirrored (−2, −1) → a clockwise quarter turn with y down: (x, y) → (−y, x) = (1, −2).
        #expect(laid.corners.contains { $0.distance(to: Point(101, 48)) < 1e-9 })
        #expect(laid.corners.contains { $0.distance(to: Point(101, 51)) < 1e-9 })
    }
}
