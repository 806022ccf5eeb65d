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

    private func render(_ raster: Raster, _ marks: [OverlayMark], maxSide: Int = 4000, scale: Double = 1) throws
        -> Raster
    {
        let png = try OverlayRenderer().render(raster, marks: marks, marksScale: scale, maxSide: maxSide)
        return try ImageDecoder().decode(png).raster
    }

    private func colour(_ meaning: OverlayMark.Meaning) -> [UInt8] {
        let value = OverlayPalette.colour(of: meaning)
        return [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    @Test(arguments: [OverlayMark.Meaning.read, .unsure, .danger, .warning, .dish, .barcode, .piece])
    func `an outline has the colour of its meaning and leaves the interior unchanged`(_ meaning: OverlayMark.Meaning)
        throws
    {
        let square = Quad(x: 50, y: 40, width: 100, height: 80).corners
        let overlay = try render(try plain(300, 200), [OverlayMark(outline: square, meaning: meaning, caption: "")])
        #expect(overlay.pixel(100, 40) == colour(meaning))
        #expect(overlay.pixel(50, 80) == colour(meaning))
        #expect(overlay.pixel(100, 80) == ground)
        #expect(overlay.pixel(10, 10) == ground)
    }

    @Test func `marks match the photo if the overlay or the raster is smaller`() throws {
        // A photo of 1200 × 800, decoded at half size, drawn at a quarter.
        let square = Quad(x: 400, y: 200, width: 400, height: 400).corners
        let overlay = try render(
            try plain(600, 400), [OverlayMark(outline: square, meaning: .danger, caption: "")], maxSide: 300, scale: 0.5
        )
        #expect((overlay.width, overlay.height) == (300, 200))
        #expect(overlay.pixel(150, 50) == colour(.danger))
        #expect(overlay.pixel(100, 100) == colour(.danger))
        #expect(overlay.pixel(200, 100) == colour(.danger))
    }

    @Test func `a gray raster gets coloured marks`() throws {
        let square = Quad(x: 50, y: 40, width: 100, height: 80).corners
        let overlay = try render(
            try plain(300, 200, .gray8), [OverlayMark(outline: square, meaning: .dish, caption: "")])
        #expect(overlay.pixel(100, 40) == colour(.dish))
        #expect(overlay.pixel(100, 80) == ground)
    }

    @Test func `a caption is above its mark, on its colour, in letters with contrast`() throws {
        let square = Quad(x: 50, y: 80, width: 100, height: 80).corners
        let overlay = try render(
            try plain(300, 200), [OverlayMark(outline: square, meaning: .danger, caption: "MILK")])
        let above = (64..<74).flatMap { y in (52..<84).map { x in overlay.pixel(x, y) } }
        let (fill, letters) = (colour(.danger), above.filter { $0.allSatisfy { $0 > 240 } }.count)
        let (filled, bare) = (above.filter { $0 == fill }.count, above.filter { $0 == ground }.count)
        #expect(filled > above.count / 4)
        #expect(letters > 0)
        #expect(bare == 0)
    }

    @Test func `marks anywhere, with captions of any length, are drawn or omitted`() throws {
        let far = [Point(-1e9, .nan), Point(1e12, 5), Point(.infinity, -3)]
        let marks = [
            OverlayMark(outline: far, meaning: .piece, caption: String(repeating: "no end ", count: 200)),
            OverlayMark(outline: [Point(5, 5)], meaning: .read, caption: "one point"),
            OverlayMark(outline: [], meaning: .read, caption: "no point"),
        ]
        for (width, height) in [(300, 200), (12, 9), (1, 1)] {
            let overlay = try render(try plain(width, height), marks)
            #expect((overlay.width, overlay.height) == (width, height))
        }
    }

    @Test func `captions lie in the picture and do not overlap`() {
        var layout = CaptionLayout(width: 200, height: 100)
        let mark = CaptionLayout.Box(left: 150, top: 0, width: 60, height: 20)
        let boxes = (0..<3).map { _ in layout.place(width: 80, height: 15, beside: mark) }
        for (index, box) in boxes.enumerated() {
            #expect(box.left >= 0 && box.top >= 0 && box.left + box.width <= 200 && box.top + box.height <= 100)
            #expect(!boxes[..<index].contains { $0.overlaps(box) })
        }
    }

    @Test(arguments: [
        ("Crème brûlée", "Creme brulee"), ("Grüße, Soße", "Grusse, Sosse"), ("12,50 €", "12,50 EUR"),
        ("щи", "si"), ("a\nb\tc", "a b c"), ("🍕", "?"),
    ])
    func `captions are transliterated to the letters of the font`(_ text: String, _ wanted: String) {
        #expect(CaptionText.ascii(text) == wanted)
    }
}
