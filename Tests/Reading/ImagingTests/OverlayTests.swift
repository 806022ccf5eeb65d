import Testing
import Core

@testable import Imaging

@Suite struct OverlayTests {
    private let ground: [UInt8] = [120, 120, 120]

    private func plain(_ width: Int, _ height: Int, _ format: Raster.PixelFormat = .rgb8) throws -> Raster {
        try #require(
            Raster(
                width: width, height: height, format: format,
                bytes: [UInt8](repeating: 120, count: width * height * format.rawValue)))
    }

    private func render(_ raster: Raster, _ drawing: OverlayDrawing, maxSide: Int = 4000, scale: Double = 1) throws
        -> Raster
    {
        let png = try OverlayRenderer().render(raster, drawing, drawingScale: scale, maxSide: maxSide)
        return try ImageDecoder().decode(png).raster
    }

    private func colour(_ meaning: OverlayDrawing.Meaning) -> [UInt8] {
        let value = OverlayPalette.colour(of: meaning)
        return [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private func line(_ y: Double, _ meaning: OverlayDrawing.Meaning) -> OverlayDrawing {
        OverlayDrawing(lines: [.init(from: Point(50, y), to: Point(250, y), meaning: meaning)])
    }

    @Test(arguments: 0..<4) func `a copy is rotated clockwise by quarter turns`(_ turns: Int) throws {
        // Dark at the left of the top row.
        var bytes = [UInt8](repeating: 250, count: 40 * 20 * 3)
        for y in 0..<8 { for x in 0..<24 { bytes[y * 120 + x] = 0 } }
        let raster = try #require(Raster(width: 40, height: 20, format: .rgb8, bytes: bytes))
        let canvas = try OverlayCanvas(raster, maxSide: 160, quarterTurns: turns)
        #expect([canvas.width, canvas.height] == (turns % 2 == 0 ? [40, 20] : [20, 40]))
        let corners = [(1, 1), (canvas.width - 2, 1), (canvas.width - 2, canvas.height - 2), (1, canvas.height - 2)]
        let dark = corners.firstIndex { x, y in canvas.bytes[(y * canvas.width + x) * 3] < 125 }
        #expect(dark == turns)
    }

    @Test(arguments: [OverlayDrawing.Meaning.contains, .likely, .mayContain, .cannotTell, .barcode, .piece])
    func `a line has the colour of its meaning and changes nothing beside it`(_ meaning: OverlayDrawing.Meaning) throws
    {
        let overlay = try render(try plain(300, 200), line(100, meaning))
        #expect((50..<250).contains { overlay.pixel($0, 100) == colour(meaning) })
        #expect(overlay.pixel(150, 90) == ground)
        #expect(overlay.pixel(150, 110) == ground)
    }

    @Test func `verdicts differ in their pattern, not only in their colour`() throws {
        let shares = try [OverlayDrawing.Meaning.contains, .likely, .mayContain, .cannotTell].map { meaning in
            let overlay = try render(try plain(300, 200), line(100, meaning))
            return (50..<250).filter { overlay.pixel($0, 100) == colour(meaning) }.count
        }
        #expect(shares[0] >= 198)
        #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 > $1 }, "\(shares)")
    }

    @Test func `a drawing matches the photo if the overlay or the raster is smaller`() throws {
        // A photo of 1200 × 800, decoded at half size, drawn at a quarter.
        let drawing = OverlayDrawing(
            lines: [.init(from: Point(400, 200), to: Point(400, 600), meaning: .contains)])
        let overlay = try render(try plain(600, 400), drawing, maxSide: 300, scale: 0.5)
        #expect((overlay.width, overlay.height) == (300, 200))
        #expect(overlay.pixel(100, 100) == colour(.contains))
        #expect(overlay.pixel(100, 180) == ground)
    }

    @Test func `a gray raster gets coloured lines`() throws {
        let overlay = try render(try plain(300, 200, .gray8), line(100, .contains))
        #expect(overlay.pixel(150, 100) == colour(.contains))
        #expect(overlay.pixel(100, 80) == ground)
    }

    @Test func `a dot changes nothing outside its radius`() throws {
        let drawing = OverlayDrawing(dots: [.init(number: 42, center: Point(150, 100), radius: 20)])
        let overlay = try render(try plain(300, 200), drawing)
        var inside = 0
        for y in 0..<200 {
            for x in 0..<300 where overlay.pixel(x, y) != ground {
                let (dx, dy) = (x - 150, y - 100)
                #expect(dx * dx + dy * dy <= 21 * 21, "\(x), \(y)")
                inside += 1
            }
        }
        #expect(inside > 1000)
    }

    @Test func `notes and margins stand beside the photo and leave its pixels as they are`() throws {
        let notes = (1...40).map { (number: Int) in
            OverlayDrawing.Note(
                number: number, text: "Crème brûlée \(number): contains milk, eggs; likely gluten and much more of it",
                meaning: .contains)
        }
        let drawing = OverlayDrawing(leftMargin: 60, rightMargin: 30, notes: notes)
        let overlay = try render(try plain(600, 400), drawing)
        #expect(overlay.width > 60 + 600 + 30 + 200)
        #expect(overlay.height >= 400)
        for y in stride(from: 0, to: 400, by: 3) {
            for x in stride(from: 60, to: 660, by: 3) { #expect(overlay.pixel(x, y) == ground) }
        }
        let written = (690..<overlay.width).contains { x in
            (0..<overlay.height).contains { overlay.pixel(x, $0) == [0x1D, 0x1B, 0x18] }
        }
        #expect(written)
    }

    @Test func `numbers of any size are drawn or left out`() throws {
        let far = OverlayDrawing(
            leftMargin: .infinity, rightMargin: -5,
            lines: [.init(from: Point(-1e9, .nan), to: Point(1e12, 5), meaning: .likely)],
            dots: [
                .init(number: 1, center: Point(1e12, .nan), radius: 5),
                .init(number: 2, center: Point(2, 2), radius: .infinity),
                .init(number: 123_456, center: Point(2, 2), radius: 3),
            ], notes: [.init(number: 1, text: String(repeating: "noend", count: 2000), meaning: .plain)])
        for (width, height) in [(300, 200), (12, 9), (1, 1)] {
            let overlay = try render(try plain(width, height), far)
            #expect(overlay.width >= width && overlay.height >= height)
        }
    }

    @Test(arguments: [
        ("Crème brûlée", "Creme brulee"), ("Grüße, Soße", "Grusse, Sosse"), ("12,50 €", "12,50 EUR"),
        ("щи", "si"), ("a\nb\tc", "a b c"), ("🍕", "?"),
    ])
    func `notes are transliterated to the letters of the font`(_ text: String, _ wanted: String) {
        #expect(CaptionText.ascii(text) == wanted)
    }
}
