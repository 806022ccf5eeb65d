import Testing
@testable import TextRecognition
import Core

@Suite struct PageMapTests {
    @Test func `A quarter turn clockwise maps the top-left pixel to the top right`() {
        let turn = PageMap.rotation(width: 40, height: 20, degrees: 90)
        #expect(turn.size == (20, 40))
        #expect(turn.map(Point(0, 0)) == Point(19, 0))
        #expect(turn.map(Point(39, 19)) == Point(0, 39))
    }

    @Test(arguments: [0.0, 3.3, -7, 90, 180, 270])
    func `A map followed by its inverse is the identity`(degrees: Double) throws {
        let map = PageMap.rotation(width: 300, height: 200, degrees: degrees, zoom: 1.7).map
            .then(.scale(x: 2, y: 2))
        let back = try #require(map.inverse)
        let point = back(map(Point(17, 120)))
        #expect(abs(point.x - 17) < 1e-9)
        #expect(abs(point.y - 120) < 1e-9)
    }

    @Test func `A rotated page contains the whole page`() {
        let turn = PageMap.rotation(width: 300, height: 200, degrees: 10)
        for corner in Quad(x: 0, y: 0, width: 299, height: 199).corners {
            let point = turn.map(corner)
            #expect(point.x > -1.5 && point.x < Double(turn.size.width) + 0.5)
            #expect(point.y > -1.5 && point.y < Double(turn.size.height) + 0.5)
        }
    }
}
