import Core
import Documents
import TestSupport
import Testing

/// Pages with places: addresses, brands, and several tags on one photo.
@Suite struct `Documents with places` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private func line(_ text: String, _ x: Double, _ y: Double, _ height: Double = 20) -> TextLine {
        .printed(text, x, y, height, confidence: 0.95)
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

    /// "2 €49" as one line: the euro sign and the cents are smaller than the euros.
    private func price(_ whole: String, _ rest: String, restHeight: Double) -> TextLine {
        let words = [
            Word(text: whole, confidence: 0.97, box: Quad(x: 600, y: 200, width: 80, height: 160)),
            Word(text: rest, confidence: 0.99, box: Quad(x: 700, y: 200, width: 160, height: restHeight)),
        ]
        return TextLine(
            text: "\(whole) \(rest)", confidence: 0.97, box: Quad(x: 600, y: 200, width: 260, height: 160),
            words: words)
    }

    @Test func `raised cents behind the currency sign belong to the price`() throws {
        let name = [line("LENTILLES VERTES 500 g", 0, 0), line("Prix au kg 4,98 €", 0, 260)]
        let found = try #require(tags(name + [price("2", "€49", restHeight: 90)]).first)
        #expect(found.price?.value == "2.49" && found.currency?.value == "EUR")
        #expect(found.checks == [ArithmeticCheck(check: "unitPrice", holds: true)])
        // Of one height they may be two prices.
        let two = try #require(tags([line("MULTIPACK", 0, 0), price("2", "€49", restHeight: 160)]).first)
        #expect(two.price?.value != "2.49")
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

    /// The line rotated about its own centre, clockwise by quarter turns.
    private func turned(_ line: TextLine, _ quarters: Int) -> TextLine {
        let center = line.box.center
        func turn(_ box: Quad) -> Quad {
            let corners = box.corners.map { corner in
                (0..<quarters).reduce(corner) { point, _ in
                    Point(center.x - (point.y - center.y), center.y + (point.x - center.x))
                }
            }
            return Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        }
        return TextLine(
            text: line.text, confidence: line.confidence, box: turn(line.box),
            words: line.words.map { Word(text: $0.text, confidence: $0.confidence, box: turn($0.box)) })
    }

    @Test(arguments: 0...3)
    func `a date in another direction than the other print is read in its own order`(quarters: Int) {
        let print = [
            line("WHOLE MILK MOZZARELLA CHEESE", 0, 0), line("INGREDIENTS: PASTEURISED MILK, VINEGAR", 0, 40),
            line("KEEP REFRIGERATED AFTER OPENING", 0, 80),
        ]
        let lines = print + [turned(line("BEST BY FEB 21 2026", 100, 600), quarters)]
        let dates = reader.dates(from: reader.page(of: TextReading(languages: ["en"], lines: lines)))
        #expect(dates.map(\.value) == ["2026-02-21"])
        #expect(dates.map(\.kind) == [.bestBefore])
    }

    @Test func `of two dates without words in two directions the earlier is the day of packing`() {
        let lines = [
            line("DELICIOUS KIDS SNACK", 0, 0), line("2022.01.18", 0, 40), turned(line("2021.07.22", 100, 600), 1),
        ]
        let dates = reader.dates(from: reader.page(of: TextReading(languages: [], lines: lines)))
        #expect(dates.map(\.value) == ["2022-01-18", "2021-07-22"])
        #expect(dates.map(\.kind) == [.bestBefore, .packed])
    }

    @Test func `the cells of a tilted table of short words stay in their rows`() {
        // Seven rows of two columns, tilted by five degrees, without a word that is long.
        let slope = 0.0875
        func tilted(_ text: String, _ x: Double, _ y: Double) -> TextLine {
            let words = line(text, x, y).words.map { word in
                let corners = word.box.corners.map { Point($0.x, $0.y + slope * $0.x) }
                return Word(
                    text: word.text, confidence: 0.95,
                    box: Quad(
                        topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]))
            }
            return TextLine(text: text, confidence: 0.95, box: words[0].box, words: words)
        }
        let cells = [
            ("140 mg 7%", "370 mg 19%"), ("18 g 6%", "47 g 15%"), ("4 g 4%", "11 g 11%"), ("9 g 17%", "23 g 43%"),
        ]
        let lines = cells.enumerated().flatMap { number, cell in
            [tilted(cell.0, 0, Double(number) * 27), tilted(cell.1, 200, Double(number) * 27)]
        }
        let rows = reader.rows(of: reader.page(of: TextReading(languages: [], lines: lines)))
        #expect(rows == cells.map { $0.0 + "\t" + $0.1 })
    }

    @Test func `energies in wide cells belong to the columns of the other numbers`() throws {
        // Cells end at the right edge of their column, as recorded from a rendered Italian table.
        func cell(_ text: String, endingAt right: Double, _ y: Double) -> TextLine {
            line(text, right - Double(text.count + 1) * 10, y)
        }
        let parts = [
            ("Grassi", "10,7 g", "5,3 g"), ("di cui acidi grassi saturi", "1,5 g", "0,8 g"),
            ("Carboidrati", "31,4 g", "15,7 g"), ("Proteine", "3,8 g", "1,9 g"), ("Sale", "2,22 g", "1,11 g"),
        ]
        let lines =
            [
                line("Dichiarazione nutrizionale", 0, 0), cell("per 100 g", endingAt: 640, 0),
                cell("per porzione (50 g)", endingAt: 860, 0), line("Energia", 0, 40),
                cell("1034 kJ 247 kcal", endingAt: 640, 40), cell("517 kJ 124 kcal", endingAt: 860, 40),
            ]
            + parts.enumerated().flatMap { number, row in
                let y = 80 + 40 * Double(number)
                return [line(row.0, 0, y), cell(row.1, endingAt: 640, y), cell(row.2, endingAt: 860, y)]
            }
        let page = reader.page(of: TextReading(languages: ["it"], lines: lines))
        let nutrition = try #require(reader.nutrition(from: page))
        #expect(nutrition.basis.map(\.per) == ["100g", "serving"])
        #expect(nutrition.basis.map { $0.energyKJ?.value } == ["1034", "517"])
        #expect(nutrition.basis.map { $0.energyKcal?.value } == ["247", "124"])
        #expect(nutrition.basis.map { $0.fat?.value } == ["10.7", "5.3"])
    }

    @Test func `a number beside letters starts no address`() {
        let page = reader.page(
            ofText: """
                CORNER SHOP
                CASHIER 10234 AMINAH
                12 Jalan Bukit
                47100 Puchong
                TEA    3.50
                TOTAL  3.50
                """)
        #expect(reader.receipt(from: page).address?.value == "12 Jalan Bukit, 47100 Puchong")
        let numbered = reader.page(
            ofText: """
                CORNER SHOP
                CO KEG NO 210038-K
                NO. 42, JLN SULTAN
                51200 KUALA LUMPUR
                Mobile /Whatsapps +6012-918 7937
                TEA    3.50
                TOTAL  3.50
                """)
        #expect(reader.receipt(from: numbered).address?.value == "NO. 42, JLN SULTAN, 51200 KUALA LUMPUR")
        let without = reader.page(ofText: "CORNER SHOP\nCASHIER 10234 AMINAH\nTEA    3.50\nTOTAL  3.50")
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
        let first = (reader.receipt(from: one), reader.nutrition(from: one), reader.dates(from: one))
        let dates = reader.dates(from: other)
        let second = (reader.receipt(from: other), reader.nutrition(from: other), dates)
        #expect(first.0 == second.0 && first.1 == second.1 && first.2 == second.2)
        #expect(first.1?.basis.first?.fat?.value == "9")
    }
}
