import Testing
@testable import TextRecognition

@Suite struct PrintRegionsTests {
    /// A map of 480 × 320 with print in the given places; the picture is four times as large.
    private func regions(_ lit: [(x: Int, y: Int)], probability: Float = 0.01) -> PrintRegions {
        var map = [Float](repeating: 0, count: 480 * 320)
        for place in lit { map[place.y * 480 + place.x] = probability }
        return PrintRegions(map: map, mapWidth: 480, width: 1920, height: 1280)
    }

    @Test func `A map without print leaves nothing to search`() { #expect(regions([]).rects.isEmpty) }

    @Test func `Faint print counts, and what is fainter does not`() {
        #expect(regions([(100, 100)], probability: 0.005).rects.count == 1)
        #expect(regions([(100, 100)], probability: 0.003).rects.isEmpty)
    }

    @Test func `A place becomes an aligned rectangle with a margin on each side`() throws {
        let rect = try #require(regions([(100, 100)]).rects.first)
        // Cell 12 of 8 pixels is 384 to 416 in the picture.
        #expect(rect.x == 320..<480)
        #expect(rect.y == 320..<480)
    }

    @Test func `Rectangles stay inside the picture`() throws {
        let rects = regions([(0, 0), (479, 319)]).rects
        #expect(rects.count == 2)
        for rect in rects {
            #expect(rect.x.lowerBound >= 0 && rect.x.upperBound <= 1920)
            #expect(rect.y.lowerBound >= 0 && rect.y.upperBound <= 1280)
        }
    }

    @Test func `Near places are searched together, distant ones apart, and none twice`() {
        #expect(regions([(100, 100), (108, 100), (130, 104)]).rects.count == 1)
        let rects = regions([(20, 20), (460, 300), (20, 300)]).rects
        #expect(rects.count == 3)
        for first in rects.indices {
            for second in rects.indices where second > first { #expect(!rects[first].overlaps(rects[second])) }
        }
    }

    @Test func `A page full of print is searched whole`() {
        let lit = stride(from: 4, to: 480, by: 16).flatMap { x in stride(from: 4, to: 320, by: 16).map { (x, $0) } }
        #expect(regions(lit).rects == PrintRegions(wholeOf: 1920, 1280).rects)
    }

    @Test func `A map without pixels searches the whole picture`() {
        #expect(
            PrintRegions(map: [], mapWidth: 0, width: 64, height: 32).rects == PrintRegions(wholeOf: 64, 32).rects)
    }
}
