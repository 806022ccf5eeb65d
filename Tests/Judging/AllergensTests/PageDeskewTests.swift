import Foundation
import Testing
import Core

@testable import Allergens

@Suite struct PageDeskewTests {
    /// A line of `length` pixels that descends by `slope` radians.
    private func line(_ text: String, x: Double, y: Double, length: Double = 400, slope: Double) -> TextLine {
        let (dx, dy) = (length * cos(slope), length * sin(slope))
        let box = Quad(
            topLeft: Point(x, y), topRight: Point(x + dx, y + dy),
            bottomRight: Point(x + dx - 20 * sin(slope), y + dy + 20),
            bottomLeft: Point(x - 20 * sin(slope), y + 20))
        return TextLine(text: text, confidence: 0.9, box: box, words: [Word(text: text, confidence: 0.9, box: box)])
    }

    @Test(arguments: [-0.08, -0.03, 0.03, 0.08])
    func `a price at the far end of a skewed line aligns with its dish`(slope: Double) {
        let far = 900.0
        let name = line("Tomato soup", x: 100, y: 300, slope: slope)
        let price = line("5.80", x: 100 + far * cos(slope), y: 300 + far * sin(slope), length: 60, slope: slope)
        let reading = TextReading(languages: ["en"], lines: [name, price])
        let level = PageDeskew(of: reading).deskewed(reading)
        #expect(abs(level.lines[0].box.center.y - level.lines[1].box.center.y) < 3)
        #expect(abs(reading.lines[0].box.center.y - reading.lines[1].box.center.y) > 12, "the lines are skewed before")
    }

    @Test func `findings have the position of their words on the photo`() throws {
        let found = line("Toast", x: 500, y: 300, slope: 0.05)
        let reading = TextReading(languages: ["en"], lines: [found])
        let page = PageDeskew(of: reading)
        let box = page.deskewed(reading).lines[0].box
        let label = Label(
            ingredients: [.init(text: "Toast", box: box)], findings: [], verdicts: [:],
            coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        let restored = try #require(page.restored(label).ingredients[0].box)
        for (corner, original) in zip(restored.corners, found.box.corners) {
            #expect(hypot(corner.x - original.x, corner.y - original.y) < 0.01)
        }
    }

    @Test func `a page without lines is level`() {
        #expect(PageDeskew(of: TextReading(languages: [], lines: [])).slope == 0)
    }
}
