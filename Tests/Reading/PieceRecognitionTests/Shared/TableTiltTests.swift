import Foundation
import Testing
import Core

@testable import PieceRecognition

@Suite struct `The camera's tilt` {
    /// Squares of 40 mm on a table, as a camera half a metre away sees them.
    private func forms(tilt: Double, focal: Double = 1, count: Int = 12, square: Double = 40) -> [TableTilt.Form] {
        let angle = tilt * .pi / 180
        func seen(_ p: Point) -> Point {
            let depth = 500 - p.y * sin(angle)
            return Point(640 + 1280 * focal * p.x / depth, 360 + 1280 * focal * p.y * cos(angle) / depth)
        }
        return (0..<count).map { index in
            let at = Point(-150 + 100 * Double(index % 4), -90 + 90 * Double(index / 4))
            let (c, s) = (cos(Double(index)), sin(Double(index)))
            let (u, v) = (
                seen(at + Point(c, s) * square) - seen(at - Point(c, s) * square),
                seen(at + Point(-s, c) * square) - seen(at - Point(-s, c) * square)
            )
            return TableTilt.Form(
                at: seen(at), moments: [SIMD3(u.x * u.x + v.x * v.x, u.x * u.y + v.x * v.y, u.y * u.y + v.y * v.y)],
                weight: 1)
        }
    }

    @Test(arguments: [25.0, 40, 50], [0.75, 1.2])
    func `the tilt is estimated from squares, whatever the lens`(tilt: Double, focal: Double) throws {
        let found = try #require(TableTilt(forms(tilt: tilt, focal: focal), width: 1280, height: 720))
        #expect(abs(found.degrees - tilt) < 4)
        #expect(found.width > 200 && found.height > 200)
    }

    @Test func `one square shows the tilt; a camera above the table has none, nor has a table without squares`() {
        #expect(abs((TableTilt(forms(tilt: 45, count: 1), width: 1280, height: 720)?.degrees ?? 0) - 45) < 5)
        #expect(TableTilt(forms(tilt: 3), width: 1280, height: 720) == nil)
        #expect(TableTilt([], width: 1280, height: 720) == nil)
    }
}
