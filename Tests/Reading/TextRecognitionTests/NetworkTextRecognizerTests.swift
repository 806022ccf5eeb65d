import Foundation
import TestSupport
import Testing
@testable import TextRecognition
import Core

private let models = ModelFolder(Repository.models)

/// The networks on pages rendered here; disabled if scripts/setup omitted the networks.
@Suite(.serialized, .enabled(if: NetworkTextRecognizer.isInstalled(models: models)))
struct NetworkTextRecognizerTests {
    private static let menu = [
        RenderedPage.Print("Tomato soup with basil", x: 100, baseline: 150),
        RenderedPage.Print("Grilled salmon and rice", x: 100, baseline: 250),
        RenderedPage.Print("Chocolate cake with cream", x: 100, baseline: 350),
        RenderedPage.Print("Fresh orange juice", x: 100, baseline: 450),
    ]

    private let recognizer: NetworkTextRecognizer

    init() throws { recognizer = try NetworkTextRecognizer(models: models) }

    private func page(paper: UInt8 = 255, ink: UInt8 = 0) throws -> RenderedPage {
        try RenderedPage(width: 1200, height: 600, prints: Self.menu, paper: paper, ink: ink)
    }

    @Test func `Printed lines are read in order, with high confidence and correct boxes`() throws {
        let result = try recognizer.read(page().raster())
        #expect(result.reading.lines.map(\.text) == Self.menu.map(\.text))
        #expect(result.reading.languages == ["en"])
        #expect(result.reading.unreadLines == nil)
        #expect(result.reading.unreadScripts == nil)
        for (line, print) in zip(result.reading.lines, Self.menu) {
            #expect(line.confidence > 0.9)
            #expect(abs(line.box.minX - Double(print.x)) < 20)
            #expect(abs(line.box.maxY - Double(print.baseline)) < 25)
            #expect(line.words.map(\.text).joined(separator: " ") == line.text)
        }
    }

    @Test func `Condensed print is read by a second look with wider letters`() throws {
        let condensed = try page().raster().resized(width: 400, height: 600)
        let lines = try recognizer.read(condensed).reading.lines
        #expect(lines.map(\.text) == Self.menu.map(\.text))
    }

    /// Codes of random letters in print of less than half the size, between a name and its price. By the line alone none
    /// is read. How many are depends on the processor, which decides the networks' weights.
    @Test func `Small codes behind a name are read by themselves`() throws {
        var right: [Bool] = []
        for seed in 4...7 {
            var random = SeededGenerator(seed: UInt64(seed))
            let names = Self.menu.map(\.text)
            let codes = names.indices.map { row in
                "ABCDEFGHLMNPR".shuffled(using: &random).prefix(row % 3 + 2).map { "\($0)," }.joined()
            }
            let prints = names.indices.flatMap { row -> [RenderedPage.Print] in
                let (name, code, baseline) = (names[row], codes[row], 150 + 100 * row)
                let place = 100 + RenderedPage.width(of: name, points: 12) + 14
                let price = place + RenderedPage.width(of: code, points: 4) + 14
                return [
                    .init(name, x: 100, baseline: baseline, points: 12),
                    .init(code, x: place, baseline: baseline, points: 4),
                    .init("12.50", x: price, baseline: baseline, points: 12),
                ]
            }
            let page = try RenderedPage(width: 1400, height: 600, prints: prints).raster()
                .resized(width: 910, height: 390)
            let lines = try recognizer.read(page).reading.lines.map(\.text)
            right += zip(names, codes).map { lines.contains("\($0) \($1) 12.50") }
        }
        #expect(right.count { $0 } >= 8, "\(right)")
    }

    @Test func `Light text on dark paper is read`() throws {
        let result = try recognizer.read(page(paper: 30, ink: 235).raster())
        #expect(result.reading.lines.map(\.text) == Self.menu.map(\.text))
    }

    @Test func `A page that was searched in advance reads the same, and no other page gets its lines`() throws {
        let (raster, other) = try (page().raster(), page(paper: 30, ink: 235).rotatedClockwise.raster())
        let plain = try (recognizer.read(raster).reading, recognizer.read(other).reading)
        recognizer.foresee(raster)
        #expect(try recognizer.read(raster).reading == plain.0)
        recognizer.foresee(raster)
        #expect(try recognizer.read(other).reading == plain.1)
    }

    @Test(arguments: 1...3)
    func `A sideways or upside-down page is read, with boxes in the raster's pixels`(turns: Int) throws {
        let rotated = try (0..<turns).reduce(page()) { page, _ in page.rotatedClockwise }
        let reading = try recognizer.read(rotated.raster()).reading
        #expect(reading.lines.map(\.text) == Self.menu.map(\.text))
        let first = try #require(reading.lines.first?.box.center)
        // The first line is at the upper left of the upright page, around (400, 140).
        let (w, h) = (1200.0, 600.0)
        let expected = [Point(h - 140, 400), Point(w - 400, h - 140), Point(140, w - 400)][turns - 1]
        #expect(first.distance(to: expected) < 120)
    }

    @Test
    func `Print on a large plain ground is found from a small picture of it, and print alone is searched closely`()
        throws
    {
        let prints = [
            RenderedPage.Print("Grilled salmon and rice", x: 300, baseline: 250),
            RenderedPage.Print("Fresh orange juice", x: 1900, baseline: 1500),
        ]
        let raster = try RenderedPage(width: 2400, height: 1800, prints: prints).raster()
        let whole = try recognizer.read(raster, search: .close)
        let quick = try recognizer.read(raster, search: .quick())
        #expect(quick.reading.lines.map(\.text) == prints.map(\.text))
        for (line, other) in zip(quick.reading.lines, whole.reading.lines) {
            // The same line, not a neighbour; the pixel depends on the networks' weights.
            #expect(line.box.center.distance(to: other.box.center) < line.box.height / 2)
        }
    }

    @Test func `Large print is taken from the small picture, and small print close below it is not lost`() throws {
        let prints = [
            RenderedPage.Print("Grilled salmon", x: 200, baseline: 250, points: 18),
            RenderedPage.Print("with rice and lemon", x: 200, baseline: 285, points: 6),
            RenderedPage.Print("Fresh orange juice", x: 500, baseline: 700, points: 14),
        ]
        let raster = try RenderedPage(width: 1280, height: 960, prints: prints).raster()
        let quick = try recognizer.read(raster, search: .quick()).reading
        #expect(quick.lines.map(\.text) == prints.map(\.text))
        let whole = try recognizer.read(raster, search: .close).reading
        #expect(whole.lines.map(\.text) == prints.map(\.text))
    }

    @Test func `A page of noise gives no confident text`() throws {
        var state: UInt64 = 7
        let bytes = (0..<(640 * 480)).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        let raster = try #require(Raster(width: 640, height: 480, format: .gray8, bytes: bytes))
        let words = try recognizer.read(raster).reading.lines.flatMap(\.words)
        #expect(words.allSatisfy { $0.confidence <= 0.5 })
    }

    @Test func `A blank page gives an empty reading`() throws {
        let raster = try #require(
            Raster(width: 400, height: 300, format: .gray8, bytes: Array(repeating: 240, count: 400 * 300)))
        #expect(try recognizer.read(raster).reading.lines.isEmpty)
    }
}

extension NetworkTextRecognizer {
    fileprivate func read(_ raster: Raster) throws -> TextReadingResult { try read(raster, search: .close) }
}

@Suite struct NeuralNetworkTests {
    @Test func `Without the fetched files nothing is installed, and the error names the command to run`() throws {
        let folder = try TemporaryFolder()
        let empty = ModelFolder(folder.url)
        #expect(!NetworkTextRecognizer.isInstalled(models: empty))
        let error = #expect(throws: StartupError.self) { try NetworkTextRecognizer(models: empty) }
        #expect(error?.message.contains("scripts/fetch-models") == true)
        #expect(error?.exitCode == .unavailable)
    }

    @Test(.enabled(if: NetworkTextRecognizer.isInstalled(models: models)))
    func `A file that is not a network is refused with its name and the command to run`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("no network".utf8), to: "det.onnx")
        let error = #expect(throws: StartupError.self) {
            try NeuralNetwork(file: file, library: models.url.appending(path: "fetched/libonnxruntime.so"))
        }
        #expect(error?.message.contains("det.onnx") == true)
        #expect(error?.message.contains("scripts/fetch-models") == true)
    }
}
