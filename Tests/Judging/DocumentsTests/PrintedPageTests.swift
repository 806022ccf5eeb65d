import Core
import Documents
import TestSupport
import Testing

/// Pages with places: addresses, brands, and several tags on one photo.
@Suite struct `Documents with places` {
    private let reader: DocumentReader

    init() throws { reader = try DocumentReader(from: ModelFolder(Repository.models)) }

    /// A line whose words stand beside each other; a letter is half as wide as it is high.
    private func line(_ text: String, _ x: Double, _ y: Double, _ height: Double = 20) -> TextLine {
        var left = x
        let words = text.split(separator: " ").map { word in
            let box = Quad(x: left, y: y, width: Double(word.count) * height / 2, height: height)
            left += Double(word.count + 1) * height / 2
            return Word(text: String(word), confidence: 0.95, box: box)
        }
        let box = Quad(x: x, y: y, width: left - x, height: height)
        return TextLine(text: text, confidence: 0.95, box: box, words: words)
    }

    private func tag(_ name: String, _ price: String, _ unit: String, at x: Double, _ y: Double = 0) -> [TextLine] {
        [line(name, x, y), line(unit, x, y + 40), line(price, x + 60, y + 80, 70)]
    }

    private func tags(_ lines: [TextLine], _ barcodes: [BarcodeReading] = []) -> [PriceTag] {
        let text = TextReading(languages: ["en"], lines: lines)
        return reader.priceTags(from: text, page: reader.page(of: text), barcodes: barcodes)
    }

    @Test func `tags beside each other and below each other are read one by one`() {
        let shelf =
            tag("HAFERFLOCKEN 500 g", "0,79 €", "1 kg = 1,58 €", at: 0)
            + tag("ROTE LINSEN 500 g", "2,49 €", "1 kg = 4,98 €", at: 500)
            + tag("BASMATI REIS 1 kg", "3,29 €", "1 kg = 3,29 €", at: 0, 400)
        let found = tags(shelf)
        #expect(found.map { $0.price?.value } == ["0.79", "2.49", "3.29"])
        #expect(found.map { $0.product?.value.prefix(4) } == ["HAFE", "ROTE", "BASM"])
    }

    @Test func `a barcode belongs to the nearest tag`() {
        let shelf =
            tag("HAFERFLOCKEN 500 g", "0,79 €", "1 kg = 1,58 €", at: 0)
            + tag("ROTE LINSEN 500 g", "2,49 €", "1 kg = 4,98 €", at: 500)
        let code = BarcodeReading(
            format: "EAN-13", text: "4006381333931", gtin: "04006381333931", confidence: 0.99,
            corners: [Point(520, 180), Point(640, 180), Point(640, 220), Point(520, 220)])
        let found = tags(shelf, [code])
        #expect(found.map { $0.gtin?.value } == [nil, "4006381333931"])
    }

    @Test func `one tag stays one, with a unit price, a former price or a large name`() {
        #expect(tags(tag("HAFERFLOCKEN 500 g", "0,79 €", "1 kg = 1,58 €", at: 0)).count == 1)
        let offer = [
            line("GOUDA JUNG 400 g", 0, 0), line("statt 3,99 €", 0, 40), line("2,99 €", 300, 60, 70),
            line("1 kg = 7,48 €", 0, 160),
        ]
        #expect(tags(offer).count == 1)
        #expect(tags([line("GROSSER NAME", 0, 0, 70), line("1,99 €", 600, 0, 70)]).count == 1)
        #expect(tags([]).count == 1)
    }

    @Test func `a brand is named as it is printed, and a word that is none is not`() {
        let known = tags([line("Barilla SPAGHETTI 500 g", 0, 0), line("1,79 €", 60, 60, 70)])
        #expect(known.first?.brand?.value == "Barilla")
        #expect(tags(tag("HAFERFLOCKEN 500 g", "0,79 €", "1 kg = 1,58 €", at: 0)).first?.brand == nil)
    }

    @Test func `the address follows the name and ends before telephone and items`() throws {
        let page = reader.page(
            ofText: """
                HARBOUR STREET HARDWARE SDN BHD
                12 Jalan Bukit
                47100 Puchong
                TEL: 03-7722 1188
                Date: 14/03/2018 17:05
                WOOD SCREW 4X40           3.50
                TOTAL RM                  3.50
                """)
        #expect(reader.receipt(from: page).address?.value == "12 Jalan Bukit, 47100 Puchong")
        let without = reader.page(ofText: "CORNER SHOP\nDate: 14/03/2018\nTEA    3.50\nTOTAL  3.50")
        #expect(reader.receipt(from: without).address == nil)
    }

    @Test func `questions in any order give the same answers`() {
        let text = """
            Nutrition Facts
            Serving size 30 g
            Calories 150
            Total Fat 9g
            Sodium 150mg
            BEST BEFORE 31.03.2027
            """
        let (one, other) = (reader.page(ofText: text), reader.page(ofText: text))
        let hints = KindHints(isMenu: false, isLabel: false, retailCodes: 0)
        let first = (reader.kind(of: one, hints), reader.nutrition(from: one), reader.dates(from: one))
        let dates = reader.dates(from: other)
        let second = (reader.kind(of: other, hints), reader.nutrition(from: other), dates)
        #expect(first.0 == second.0 && first.1 == second.1 && first.2 == second.2)
        #expect(first.1?.basis.first?.fat?.value == "9")
    }
}
