import Core
import Foundation
import HTTP
import Kinds
import TestSupport
import Testing

@testable import App
@testable import Household

@Suite struct ResultPageTests {
    func language(_ code: String = "en") throws -> PageLanguage {
        try PageRendering.language(code)
    }

    func verdict(_ kind: AllergenVerdict.Kind, _ probability: Double, by: String? = nil) -> AllergenVerdict {
        var verdict = AllergenVerdict(
            verdict: kind, risk: kind == .cannotTell ? .unknown : .high, probability: probability)
        verdict.by = by
        return verdict
    }

    func menu(_ dishes: [(String, [String: [Allergen: AllergenVerdict]])]) throws -> Outcome {
        let path = try #require(FilePathBytes("a.jpg"))
        let items = dishes.map { Menu.Item(name: $0.0, verdicts: $0.1, confidence: 0.9) }
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1),
            status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil, sections: [.init(title: nil, items: items)], legend: [],
                coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
        outcome.summarise()
        return outcome
    }

    func page(
        _ outcome: Outcome, _ code: String = "en", change: (inout ShownOutcome) -> Void = { _ in }
    ) throws -> String {
        var shown = try shown(outcome, code)
        change(&shown)
        return try PageRendering.html(ResultPage(shown, hasQuestions: false), code)
    }

    private func shown(_ outcome: Outcome, _ code: String) throws -> ShownOutcome {
        let people = ["Ada", "Ben"].map { AllergenProfile(name: $0, allergens: [.milk: .high, .nuts: .high]) }
        return ShownOutcome(outcome: outcome, id: "sha256:1", people: people, language: try language(code))
    }

    @Test func `what the kitchen decides is one sentence above the dishes`() throws {
        let one = AllergenVerdict(verdict: .cannotTell, risk: .unknown, probability: 0.45, reason: "kitchenDecides")
        let html = try page(try menu(["Soup", "Stew"].map { ($0, ["Ada": [.nuts: one]]) }))
        #expect(html.components(separatedBy: "Nuts: it depends on what the kitchen buys").count == 2)
    }

    @Test func `a dish with a warning comes first, with a chip of colour, icon and word`() throws {
        let html = try page(
            try menu([
                ("Salad", ["Ada": [.milk: verdict(.cannotTell, 0.1)]]),
                ("Soup", ["Ada": [.milk: verdict(.contains, 0.95), .nuts: verdict(.mayContain, 0.5)]]),
            ]))
        let soup = try #require(html.range(of: "</span>Soup"))
        let salad = try #require(html.range(of: "</span>Salad"))
        #expect(soup.lowerBound < salad.lowerBound)
        #expect(html.contains("chip chip--contains"))
        #expect(html.contains("#i-contains"))
        #expect(html.contains("<span class=\"vh\">Warning: </span><b>Contains</b> milk</span>"))
        #expect(html.contains("<b>Ask</b>: milk</span>"))
        #expect(html.contains("for Ada</span>"), "whom it concerns")
    }

    @Test func `a dish without a mention is never called anything but not mentioned`() throws {
        let outcome = try menu([("Salad", ["Ada": [.milk: verdict(.notFoundInText, 0.03)]])])
        for code in ["en", "de"] {
            let html = try page(outcome, code).lowercased()
            for word in ["safe", "sicher ", "unbedenklich", "allergen-free", "✓", "harmlos"] {
                #expect(!html.contains(word), "\(code): \(word)")
            }
        }
        #expect(try page(outcome).contains("href=\"#band-none\"><b>1</b>Not mentioned"))
    }

    @Test func `a page carries the icons it uses and no other`() throws {
        let html = Icons.withoutUnused(
            try page(try menu([("Soup", ["Ada": [.milk: verdict(.contains, 0.95)]])])))
        let used = Set(html.matches(of: /"#i-([a-z0-9-]+)"/).map { String($0.1) })
        let carried = html.matches(of: /<symbol id="i-([a-z0-9-]+)"/).map { String($0.1) }
        #expect(Set(carried) == used)
        #expect(carried.count == used.count)
        #expect(used.contains("contains") && !used.contains("search"))
        #expect(html.hasSuffix("</html>") || html.hasSuffix("</html>\n"))
    }

    @Test func `text of the photo cannot become markup`() throws {
        let html = try page(try menu([("<script>alert(1)</script>", ["Ada": [.milk: verdict(.contains, 0.9)]])]))
        #expect(!html.contains("<script>alert"))
        #expect(html.contains("&lt;script&gt;alert(1)"))
    }

    @Test func `chips of one verdict are one chip, with the range of its probabilities`() throws {
        let chips = VerdictGroup.all(
            [.milk: verdict(.contains, 0.95), .nuts: verdict(.contains, 0.81), .eggs: verdict(.likely, 0.7)],
            words: [], try language())
        #expect(chips.map(\.kind) == [.contains, .likely])
        #expect(chips[0].allergens == ["milk", "nuts"])
        #expect(Chip.percent(chips[0].range) == "81–95 %")
        let printed = VerdictGroup.all([.peanuts: verdict(.mayContain, 0.49)], words: [], try language())
        let texts = try language().texts
        #expect(Chip(printed[0], isDish: false, texts).percent == nil, "a printed warning is not in doubt")
        #expect(Chip(chips[1], isDish: false, texts).percent == "70 %")
    }

    @Test func `marked words are found in the ingredient list, longest first`() {
        let pieces = ProductResult.pieces(of: "Oat, Milk powder, milk", ["milk": "contains", "milk powder": "may"])
        #expect(pieces.map(\.text) == ["Oat, ", "Milk powder", ", ", "milk"])
        #expect(pieces.map(\.style) == [nil, "may", nil, "contains"])
    }

    @Test func `unsure verdicts are asked about, and stay in their place when they have an answer`() throws {
        func possible(_ reason: String) -> AllergenVerdict {
            AllergenVerdict(verdict: .cannotTell, risk: .medium, probability: 0.35, reason: reason)
        }
        let outcome = try menu([
            (
                "Soup",
                [
                    "Ada": [
                        .milk: verdict(.contains, 0.95), .nuts: verdict(.likely, 0.8), .eggs: verdict(.contains, 0.7),
                        .fish: verdict(.likely, 0.8, by: "Ben"), .celery: verdict(.cannotTell, 0.1),
                        .sesame: possible("dishKnowledge"), .soybeans: possible(AllergenVerdict.noDeclaration),
                    ]
                ]
            )
        ])
        let questions = ReviewQuestion.all(in: outcome)
        #expect(questions.map(\.allergen) == [.eggs, .fish, .nuts, .sesame])
        #expect(questions.map(\.isAnswered) == [false, true, false, false])
        #expect(Set(questions.map(\.item)) == ["Soup"])
    }

    // MARK: Corrections

    @Test func `only who may correct sees the forms, and every allergen can be answered`() throws {
        var outcome = try menu([("Salad", ["Ada": [.milk: verdict(.likely, 0.7)]])])
        outcome.menu?.sections[0].items[0].statements = [
            AllergenStatement(allergen: .peanuts, said: .absent, by: "Ada", at: "2026-11-22T12:52:00Z", review: 7)
        ]
        let open: (inout ShownOutcome) -> Void = { $0.place.open = "Salad" }
        let closed = try page(outcome, change: open)
        #expect(!closed.contains("name=\"was.name\"") && closed.contains("<b>Staff said</b>: no peanuts"))
        let html = try page(outcome) {
            open(&$0)
            $0.mayCorrect = true
        }
        for allergen in Allergen.eu14 { #expect(html.contains("name=\"a.\(allergen.rawValue)\""), "\(allergen)") }
        #expect(html.contains("name=\"was.a.peanuts\" value=\"ABSENT\""))
    }

    // MARK: Photos of more than one thing

    /// A photo without anything; the tests add what it shows.
    func photo(_ domains: [Outcome.Domain]) throws -> Outcome {
        let path = try #require(FilePathBytes("a.jpg"))
        return Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1, width: 400, height: 300), status: .completed,
            domains: domains, versions: .init(tablesight: "1"))
    }

    func label(_ verdicts: [String: [Allergen: AllergenVerdict]]) -> Label {
        Label(
            ingredients: [.init(text: "Wheat flour"), .init(text: "Whey")], findings: [], verdicts: verdicts,
            coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
    }

    func product(_ verdicts: [String: [Allergen: AllergenVerdict]]) -> Product {
        var product = Product(gtin: "05000000000001", name: "Nut bar", trust: .crowd)
        product.verdicts = verdicts
        return product
    }

    static let box = Quad(x: 10, y: 20, width: 30, height: 10)

    @Test(arguments: ["en", "de"])
    func `a receipt with an ingredient list shows the receipt and the warnings`(_ code: String) throws {
        var outcome = try photo([.receipt, .label])
        var receipt = Receipt(items: [
            .init(name: .init(value: "Oats", confidence: 0.9), amount: .init(value: "1.29", confidence: 0.9))
        ])
        receipt.merchant = .init(value: "Corner shop", confidence: 0.9, box: Self.box)
        outcome.receipt = receipt
        outcome.label = label(["Ada": [.milk: verdict(.contains, 0.95)]])
        outcome.summarise()
        let html = try page(outcome, code)
        #expect(html.contains("Corner shop") && html.contains(code == "en" ? "1.29" : "1,29"))
        #expect(html.contains("chip chip--contains"), "the warning of the list")
        #expect(html.contains(code == "en" ? "<b>Contains</b> milk" : "<b>Enthält</b> Milch"))
        #expect(html.contains("Wheat flour"))
        #expect(html.contains("10,20 40,20 40,30 10,30"), "the frame of the shop's name")
    }

    @Test func `a price tag with a barcode and a list shows the price and both warnings`() throws {
        var outcome = try photo([.priceTag, .label, .barcode])
        var tag = PriceTag()
        tag.price = .init(value: "2.49", confidence: 0.9)
        outcome.priceTag = tag
        outcome.label = label(["Ada": [.milk: verdict(.contains, 0.95)]])
        outcome.products = [product(["Ada": [.nuts: verdict(.contains, 0.9)]])]
        outcome.summarise()
        let html = try page(outcome)
        #expect(html.contains("2.49"))
        #expect(html.contains("<b>Contains</b> milk, nuts") || html.contains("<b>Contains</b> milk and nuts"))
        #expect(html.contains("Nut bar"))
        for kind in ["Price tag", "Product"] { #expect(html.contains("<span class=\"tag\">\(kind)</span>"), "\(kind)") }
    }

    @Test
    func `a packet that no catalogue knows is offered with the number that was scanned, and the name of its label`()
        throws
    {
        var outcome = try photo([.label])
        outcome.label = label(["Ada": [.milk: verdict(.contains, 0.95)]])
        outcome.readings.text = .printed(["Oat biscuits", "Ingredients: oats, whey"], language: "en")
        func page(_ number: String? = nil) throws -> String {
            try self.page(outcome) { ($0.mayCorrect, $0.place.number) = (true, number.flatMap { GTIN($0) }) }
        }
        outcome.summarise()
        #expect(!(try page().contains("id=\"packet\"")), "nobody knows its number")
        let scanned = try page("4006381333931")
        #expect(scanned.contains("id=\"packet\"") && scanned.contains("value=\"Oat biscuits\""))
        #expect(scanned.contains("name=\"item\" value=\"4006381333931\""))
        outcome.products = [Product(gtin: "04006381333931", reason: Product.unknown)]
        #expect(try page().contains("id=\"packet\""), "its bars are on the photo")
        outcome.products?[0].name = "Oat biscuits"
        #expect(!(try page().contains("id=\"packet\"")))
        outcome.label = nil
        outcome.products?[0].name = nil
        #expect(try page().contains("action=\"/scan?gtin=4006381333931\""), "its label is asked for")
    }

    @Test func `a menu with a product and a board beside it shows all three`() throws {
        var outcome = try menu([("Soup", ["Ada": [.milk: verdict(.contains, 0.95)]])])
        outcome.source.width = 400
        outcome.source.height = 300
        outcome.domains = [.menu, .barcode, .board]
        outcome.products = [product(["Ada": [.nuts: verdict(.contains, 0.9)]])]
        outcome.readings.pieces = PieceFrame(
            board: nil, set: "tangram@1",
            pieces: [
                RecognizedPiece(
                    id: 1, type: "square", xMM: 0, yMM: 0, angleDegrees: 0, confidence: 0.9,
                    polygonPX: [Point(1, 2), Point(3, 2), Point(3, 4)])
            ])
        outcome.summarise()
        let html = try page(outcome)
        #expect(html.contains("</span>Soup") && html.contains("<b>Contains</b> milk"))
        #expect(html.contains("Nut bar") && html.contains("<b>Contains</b> nuts"))
        #expect(html.contains("1 piece") && !html.contains("1 pieces"))
        #expect(html.contains("class=\"ov ov--piece\" points=\"1,2 3,2 3,4\""))
    }

    @Test func `the legend below the photo names a barcode only where one is framed`() throws {
        var outcome = try photo([.label])
        outcome.label = label(["Ada": [.milk: verdict(.contains, 0.95)]])
        #expect(!(try page(outcome)).contains("barcode"))
        #expect(!(try page(outcome, "de")).contains("Strichcode"))
        outcome.readings.barcodes = [
            BarcodeReading(
                format: "EAN-13", text: "5000000000001", confidence: 0.99,
                corners: [Point(1, 1), Point(9, 1), Point(9, 5), Point(1, 5)])
        ]
        #expect(try page(outcome).contains("Blue frame: barcode"))
    }

    @Test func `a record's warning about a person's own word stays beside a label without the word`() throws {
        var outcome = try photo([.label, .barcode])
        outcome.label = label(["Ada": [.milk: verdict(.notFoundInText, 0.03)]])
        outcome.products = [product(["Ada": [.personal: verdict(.contains, 0.9)]])]
        outcome.summarise()
        #expect(outcome.household?["Ada"]?.avoid == ["Nut bar"])
        #expect(try page(outcome).contains("chip chip--contains"))
    }

    @Test(arguments: [
        (0, "0 0 400 300", "100,50 200,50 200,70 100,70"), (1, "0 0 300 400", "100,50 200,50 200,70 100,70"),
        (2, "0 0 400 300", "100,50 200,50 200,70 100,70"), (3, "0 0 300 400", "100,50 200,50 200,70 100,70"),
    ])
    func `a photo is shown upright by its print, with its boxes on the print`(
        quarters: Int, viewBox: String, points: String
    ) throws {
        // The place as it is on the upright photo, and on the photo as it was taken.
        let size = quarters.isMultiple(of: 2) ? (400, 300) : (300, 400)
        let back = PhotoTurn(quarters: (4 - quarters) % 4, width: size.0, height: size.1)
        let box = back.quad(Quad(x: 100, y: 50, width: 100, height: 20))
        var outcome = try menu([("Salad", ["Ada": [.milk: verdict(.likely, 0.7)]])])
        outcome.source.width = 400
        outcome.source.height = 300
        outcome.menu?.sections[0].items[0].box = box
        let line = TextLine(text: "Salad", confidence: 0.9, box: box, words: [])
        outcome.readings.text = TextReading(languages: ["en"], lines: [line])
        #expect(outcome.quarterTurns == quarters)
        let html = try page(outcome)
        #expect(html.contains("points=\"\(points)\""), "\(html)")
        #expect(html.contains("width=\"400\"") && html.contains(" transform=\"") == (quarters > 0))
        #expect(html.contains(try Regex("viewBox=\"-?[0-9]+ 0 [0-9]+ \(viewBox.split(separator: " ")[3])\"")))
    }

    @Test func `lines in several directions, and a board, turn no photo`() throws {
        var outcome = try menu([("Salad", [:])])
        let turn = PhotoTurn(quarters: 1, width: 400, height: 300)
        let lines = [Self.box, turn.quad(Self.box)].map { TextLine(text: "a", confidence: 0.9, box: $0, words: []) }
        outcome.readings.text = TextReading(languages: ["en"], lines: lines)
        #expect(outcome.quarterTurns == 0)
        outcome.readings.text = TextReading(languages: ["en"], lines: [])
        #expect(outcome.quarterTurns == 0)
    }

    @Test(arguments: [("en", "4.50 / 6.00"), ("de", "4,50 / 6,00")])
    func `the form of a dish writes prices as the household's language does`(code: String, price: String) throws {
        var outcome = try menu([("Salad", ["Ada": [.milk: verdict(.likely, 0.7)]])])
        outcome.menu?.sections[0].items[0].prices = [.init(amount: "4.50"), .init(amount: "6.00")]
        let html = try page(outcome, code) {
            $0.place.open = "Salad"
            $0.mayCorrect = true
        }
        #expect(
            html.contains("name=\"price\" value=\"\(price)\"") && html.contains("name=\"was.price\" value=\"\(price)\"")
        )
        #expect(Review.prices(of: price)?.map(\.amount) == ["4.50", "6.00"], "what the form shows is read back")
    }

    // MARK: Files that are no photos

    @Test func `advice for the next photo is given once, in words`() throws {
        var outcome = try photo([])
        outcome.status = .unreadable
        outcome.readings.quality = PhotoQuality(advice: [.holdStill, .moveCloser])
        outcome.reason = .init(
            code: "nothingRead", detail: "no text, barcode or piece could be read",
            hint: "photograph it again: hold still, move closer")
        let html = try page(outcome)
        #expect(html.contains("<p>No text, barcode or piece could be read.</p>"))
        #expect(html.contains("<p>Hold still.</p><p>Move closer.</p>"))
        #expect(!html.contains("photograph it again"))
    }

    @Test(arguments: UnreadBarcode.Reason.allCases, ["en", "de"])
    func `the page says what an unread code lacks`(reason: UnreadBarcode.Reason, _ code: String) throws {
        var outcome = try photo([])
        outcome.status = .unreadable
        outcome.readings.unreadBarcodes = ["QR-Code", nil].map {
            UnreadBarcode(reason: reason, corners: [], format: $0, modulePixels: 1.2, edgePixels: 3.4)
        }
        let page = try page(outcome, code)
        let html = try #require(page.firstMatch(of: /<section class="notice.*?<\/section>/.dotMatchesNewlines())).output
        #expect(html.contains("QR") && html.contains(code == "en" ? "barcode" : "Strichcode"), "\(html)")
        let module = code == "en" ? "1.2" : "1,2"
        #expect(html.contains(module) == [.blurred, .tooSmall].contains(reason), "\(html)")
    }

    @Test(arguments: ["en", "de"])
    func `a question about an own word names the word`(_ code: String) throws {
        var outcome = try menu([("Pie", ["Ada": [.personal: verdict(.likely, 0.7), .peanuts: verdict(.likely, 0.7)]])])
        outcome.menu?.sections[0].items[0].findings = [
            AllergenFinding(
                allergen: .personal, leaf: "kiwi", polarity: .contains, strength: .dishKnowledge, evidence: [],
                probability: 0.7)
        ]
        let html = try PageRendering.html(
            StaffPage(try shown(outcome, code), at: StaffPlace()), code)
        let card = try #require(html.firstMatch(of: /<section class="cardbig".*?<\/section>/.dotMatchesNewlines()))
            .output
        #expect(card.contains("kiwi") && card.contains(code == "en" ? "peanuts" : "Erdnüsse"), "\(card)")
        #expect(!card.contains(code == "en" ? "own words" : "eigene"), "\(card)")
    }

    @Test func `a price tag without a unit has no empty unit`() throws {
        var outcome = try photo([.priceTag])
        var tag = PriceTag()
        tag.unitPrice = .init(value: "1.58", confidence: 0.9)
        tag.unit = .init(value: "piece", confidence: 0.9)
        outcome.priceTag = tag
        #expect(try page(outcome, "de").contains("1,58 / Stück"))
    }
}
