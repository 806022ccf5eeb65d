import Core
import Testing

@testable import PhotoReading

@Suite struct DigitSearchTests {
    private func code(_ confidence: Double, gtin: String? = "09520100001017", at x: Double = 100) -> BarcodeReading {
        BarcodeReading(
            format: "EAN-13", text: "9520100001017", gtin: gtin, confidence: confidence,
            corners: [Point(x, 50), Point(x + 100, 50), Point(x + 100, 90), Point(x, 90)])
    }

    /// Each pixel holds its column, so that a part shows where it was cut.
    private func raster(_ width: Int, _ height: Int) throws -> Raster {
        let bytes = (0..<height).flatMap { _ in (0..<width).map { UInt8($0 % 251) } }
        return try #require(Raster(width: width, height: height, format: .gray8, bytes: bytes))
    }

    private func reading(_ text: String, x: Double, y: Double) -> TextReading {
        let box = Quad(x: x, y: y, width: 80, height: 10)
        let word = Word(text: text, confidence: 0.9, box: box)
        return TextReading(languages: [], lines: [TextLine(text: text, confidence: 0.9, box: box, words: [word])])
    }

    @Test func `a retail code of low margin looks for its digits, a sure one and other codes do not`() {
        // 0.8333: one decoder on several views, 5 of 6; 0.9962: both decoders.
        let codes = [code(0.8333), code(0.9962), code(0.5, gtin: nil)]
        #expect(DigitSearch.unsure(codes).map(\.confidence) == [0.8333])
    }

    @Test func `the print around each code is read, with its place in the picture`() throws {
        var parts: [Raster] = []
        let text = try DigitSearch.text(around: [code(0.8), code(0.8, at: 300)], in: raster(420, 200)) { part in
            parts.append(part)
            return reading("9520100001017", x: 10, y: 100)
        }
        // Sixty pixels on each side of 100 × 40, cut at the top and at the right edge.
        #expect(parts.map { [$0.width, $0.height] } == [[220, 150], [180, 150]])
        #expect(parts.map { $0.bytes[0] } == [40, 240])
        let boxes = try #require(text).lines.map(\.words[0].box)
        #expect(boxes.map(\.minX) == [50, 250] && boxes.map(\.minY) == [100, 100])
        #expect(try DigitSearch.text(around: [], in: raster(9, 9)) { _ in reading("1", x: 0, y: 0) } == nil)
    }

    @Test func `a part outside the picture is no picture`() throws {
        let raster = try raster(20, 10)
        #expect(raster.part(from: Point(30, 0), to: Point(40, 5)) == nil)
        #expect(raster.part(from: Point(.nan, 0), to: Point(5, 5)) == nil)
        #expect(raster.part(from: Point(-5, -5), to: Point(50, 50))?.raster == raster)
    }
}
