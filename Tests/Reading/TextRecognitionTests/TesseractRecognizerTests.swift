import TestSupport
import Testing
@testable import TextRecognition
import Core

/// Tests Tesseract on pages rendered here; serialized, because it uses a whole core.
@Suite(.serialized) struct TesseractRecognizerTests {
    private static let menu = [
        RenderedPage.Print("Tomato soup with basil", x: 100, baseline: 150),
        RenderedPage.Print("Grilled salmon and rice", x: 100, baseline: 250),
        RenderedPage.Print("Chocolate cake with cream", x: 100, baseline: 350),
        RenderedPage.Print("Fresh orange juice", x: 100, baseline: 450),
    ]
    private static let menuLines = menu.map(\.text)

    private let recognizer: TesseractRecognizer

    init() throws { recognizer = try TesseractRecognizer(languages: ["eng"], models: ModelFolder(Repository.models)) }

    private func page(paper: UInt8 = 255, ink: UInt8 = 0) throws -> RenderedPage {
        try RenderedPage(width: 1200, height: 600, prints: Self.menu, paper: paper, ink: ink)
    }

    @Test func `Printed lines are read in order, with high confidence and correct boxes`() throws {
        let result = try recognizer.read(page().raster())
        #expect(result.reading.lines.map(\.text) == Self.menuLines)
        #expect(result.reading.languages == ["en"])
        for (line, print) in zip(result.reading.lines, Self.menu) {
            #expect(line.confidence > 0.85)
            #expect(abs(line.box.minX - Double(print.x)) < 10)
            #expect(abs(line.box.maxY - Double(print.baseline)) < 14, "descenders reach below the baseline")
            #expect(line.box.height > 20 && line.box.height < 50)
            #expect(line.words.map(\.text).joined(separator: " ") == line.text)
        }
        let quality = result.quality
        #expect(try #require(quality.sharpness) > 0.8)
        #expect(try abs(#require(quality.tilt)) < 0.5)
        #expect(try (15...35).contains(#require(quality.textHeight)))
        #expect(quality.advice.isEmpty)
    }

    @Test func `Light text on dark paper is read`() throws {
        let result = try recognizer.read(page(paper: 30, ink: 235).raster())
        #expect(result.reading.lines.map(\.text) == Self.menuLines)
    }

    @Test func `A shadow across the page does not hide text`() throws {
        let page = try page()
        let shaded = page.gray.enumerated().map { index, level in
            UInt8(Double(level) * (1 - 0.7 * Double(index % page.width) / Double(page.width)))
        }
        let raster = try #require(Raster(width: page.width, height: page.height, format: .gray8, bytes: shaded))
        #expect(try recognizer.read(raster).reading.lines.map(\.text) == Self.menuLines)
    }

    @Test(arguments: 1...3)
    func `A sideways or upside-down page is read, with boxes in the raster's pixels`(turns: Int) throws {
        let upright = try page()
        let rotated = (0..<turns).reduce(upright) { page, _ in page.rotatedClockwise }
        let reading = try recognizer.read(rotated.raster()).reading
        #expect(reading.lines.map(\.text) == Self.menuLines)
        // The first word's top-left corner moves with the page.
        let corner = try #require(reading.lines.first).box.topLeft
        let (width, height) = (Double(upright.width), Double(upright.height))
        let expected = [Point(height - 120, 100), Point(width - 100, height - 120), Point(120, width - 100)][turns - 1]
        #expect(abs(corner.x - expected.x) < 12)
        #expect(abs(corner.y - expected.y) < 12)
    }

    @Test func `Two columns are read one after the other`() throws {
        let left = ["The first column", "speaks about soup", "and about bread", "and then it ends"]
        let right = ["The second column", "speaks about wine", "and about cheese", "until it is over"]
        let prints = zip(left, right).enumerated().flatMap { row, pair in
            [
                RenderedPage.Print(pair.0, x: 80, baseline: 140 + 80 * row),
                RenderedPage.Print(pair.1, x: 720, baseline: 140 + 80 * row),
            ]
        }
        let page = try RenderedPage(width: 1500, height: 520, prints: prints)
        #expect(try recognizer.read(page.raster()).reading.lines.map(\.text) == left + right)
    }

    @Test func `A blank page has no lines and no tilt`() throws {
        let page = try RenderedPage(width: 800, height: 600, prints: [], paper: 230)
        let result = try recognizer.read(page.raster())
        #expect(result.reading.lines.isEmpty)
        #expect(result.quality.tilt == nil)
        #expect(result.quality.textHeight == nil)
    }

    @Test func `Noise is not text`() throws {
        var state: UInt64 = 42
        let noise = (0..<(400 * 300)).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let raster = try #require(Raster(width: 400, height: 300, format: .gray8, bytes: noise))
        let words = try recognizer.read(raster).reading.lines.flatMap(\.words)
        #expect(words.filter { $0.confidence >= 0.5 }.isEmpty)
    }

    @Test(arguments: [(1, 1), (1, 200), (300, 2)])
    func `A sliver of a picture gives an empty reading`(width: Int, height: Int) throws {
        let bytes = [UInt8](repeating: 200, count: width * height * 3)
        let raster = try #require(Raster(width: width, height: height, format: .rgb8, bytes: bytes))
        #expect(try recognizer.read(raster).reading.lines.isEmpty)
    }

    @Test func `The result for a page does not depend on earlier pages`() throws {
        let page = try page().raster()
        let first = try recognizer.read(page)
        _ = try recognizer.read(
            RenderedPage(width: 600, height: 200, prints: [.init("Other", x: 50, baseline: 100)]).raster())
        #expect(try recognizer.read(page) == first)
    }
}

extension TesseractRecognizer {
    fileprivate func read(_ raster: Raster) throws -> TextReadingResult { try read(raster, search: .close) }
}
