import TestSupport
import Testing
import Core

@testable import Kinds

/// The effect of bars, check digit, printed digits and label on the confidence of a code.
struct CodeCrossChecksTests {
    private let interpreter: ProductInterpreter
    /// Hazelnut Cocoa Spread by Tafelhof in the sample catalogue.
    private let number = "9520100001017"
    private let other = "9520100001024"

    init() throws { interpreter = try Shipped.products.get() }

    /// A barcode of 200 × 100 pixels at 100, 100.
    private func code(_ text: String, format: String = "EAN-13", confidence: Double = 0.9) -> BarcodeReading {
        BarcodeReading(
            format: format, text: text, gtin: GTIN(text)?.digits ?? GTIN(upcE: text)?.digits, confidence: confidence,
            corners: [Point(100, 100), Point(300, 100), Point(300, 200), Point(100, 200)])
    }

    private func text(_ lines: [(String, y: Double)], confidence: Double = 0.95) -> TextReading {
        TextReading(
            languages: ["en"],
            lines: lines.map { line, y in
                let words = line.split(separator: " ").enumerated().map { index, word in
                    Word(
                        text: String(word), confidence: confidence,
                        box: Quad(x: 100 + 70 * Double(index), y: y, width: 60, height: 14))
                }
                return TextLine(
                    text: line, confidence: confidence, box: Quad(x: 100, y: y, width: 200, height: 14), words: words)
            })
    }

    @Test func `the check digits of the test numbers are valid`() {
        #expect(GTIN(number) != nil)
        #expect(GTIN(other) != nil)
    }

    @Test(arguments: ["9 520100 001017", "9520100001017", "9 520100 001017 >", "520100 001017", "520100001017"])
    func `matching printed digits raise the confidence and are reported`(print: String) throws {
        let readings = Readings(text: text([(print, y: 205)]), barcodes: [code(number)])
        let read = try #require(interpreter.barcodes(in: readings).first)
        // Odds of 9 to 1, multiplied by 100.
        #expect(abs(read.confidence - 900.0 / 901) < 0.0002)
        let agreement = try #require(interpreter.products(in: readings).first?.agreement)
        #expect(agreement.bars == 0.9)
        #expect(agreement.checkDigit == .agrees)
        #expect(agreement.printedDigits == .agrees)
        #expect(agreement.confidence > agreement.bars)
    }

    @Test func `a different printed number lowers the confidence and is reported`() throws {
        let readings = Readings(text: text([("9 520100 001024", y: 205)]), barcodes: [code(number)])
        let read = try #require(interpreter.barcodes(in: readings).first)
        // Bars of 0.9; three words of 0.95, of which a misread one passes the check digit one time in ten.
        let print = 0.95 * 0.95 * 0.95
        let bars = 3 * 0.9 * (0.002 + 0.1 * (1 - print))
        let (printed, neither) = (3 * 0.1 * print, 0.1 * (1 - print))
        #expect(abs(read.confidence - bars / (bars + printed + neither)) < 0.0002)
        let agreement = try #require(interpreter.products(in: readings).first?.agreement)
        #expect(agreement.printedDigits == .disagrees)
        #expect(agreement.confidence < agreement.bars)
    }

    @Test(arguments: [0.05, 0.28, 0.49])
    func `a valid check digit is evidence where the words were read badly`(confidence: Double) throws {
        for (print, verdict) in [
            ("9 520100 001024", CodeAgreement.Verdict.disagrees), ("9 520100 001017", .agrees),
            // A wrong check digit, and parts of a longer row of digits
            ("9 520100 001025", .unseen), ("7 9 520100 001024 12", .unseen),
        ] {
            let readings = Readings(text: text([(print, y: 205)], confidence: confidence), barcodes: [code(number)])
            let agreement = try #require(interpreter.products(in: readings).first?.agreement)
            #expect(agreement.printedDigits == verdict, "\(print)")
        }
    }

    @Test(arguments: [1.0, 0.999, 0.9], ["9 520100 001024", "9520100001024.", "LOT7 9 520100 001024 B2"])
    func `contradicting printed digits lower both confidences, and both numbers are reported`(
        bars: Double, print: String
    ) throws {
        let readings = Readings(text: text([(print, y: 205)]), barcodes: [code(number, confidence: bars)])
        let read = try #require(interpreter.barcodes(in: readings).first)
        #expect(Confidence(read.confidence).score < 0.65, "\(read.confidence)")
        let products = interpreter.products(in: readings)
        #expect(products.map(\.gtin) == ["0" + number, "0" + other])
        #expect(products.map(\.agreement?.printedDigits) == [.disagrees, .disagrees])
        for product in products { #expect((product.agreement?.confidence ?? 1) < 0.65) }
    }

    @Test func `a number that the bars may also be is said beside theirs, until printed digits decide`() throws {
        var rival = code(other, confidence: 0.26)
        rival.corners = code(number).corners
        func products(_ print: String) -> [Product] {
            interpreter.products(
                in: Readings(
                    text: text([(print, y: 205)]), barcodes: [code(number, confidence: 0.68)],
                    doubtfulBarcodes: [rival]))
        }
        let open = products("best before")
        #expect(open.map(\.gtin) == ["0" + number, "0" + other])
        #expect(open.allSatisfy { ($0.agreement?.confidence ?? 1) <= 0.5 })
        #expect(open.first?.agreement?.confidence ?? 0 > open.last?.agreement?.confidence ?? 1)
        #expect(products("9 520100 001017").first { $0.gtin == "0" + number }?.agreement?.confidence ?? 0 > 0.95)
        let refuted = products("9 520100 001024")
        #expect(refuted.map(\.gtin) == ["0" + number, "0" + other])
        #expect((refuted.first?.agreement?.confidence ?? 1) < 0.1)
    }

    @Test func `twelve printed digits below a 13-digit code are compared`() throws {
        let readings = Readings(
            text: text([("023942431015", y: 205)]), barcodes: [code("9074932437075", confidence: 1)])
        #expect(GTIN("023942431015") != nil && GTIN("9074932437075") != nil)
        let products = interpreter.products(in: readings)
        #expect(products.map(\.gtin) == ["09074932437075", "00023942431015"])
        #expect(products.first?.agreement?.printedDigits == .disagrees)
    }

    @Test(arguments: [
        ("9 520100 001018", 205.0, 0.95), ("2026 12 31", 205, 0.95), ("9 520100 001024", 900, 0.95),
        ("7 9 520100 001024 12", 205, 0.3), ("no digits at all", 205, 0.95),
    ])
    func `misread digits, dates, distant numbers and uncertain parts of rows are ignored`(
        print: String, y: Double, confidence: Double
    ) throws {
        let readings = Readings(text: text([(print, y: y)], confidence: confidence), barcodes: [code(number)])
        #expect(interpreter.barcodes(in: readings).map(\.confidence) == [0.9])
        #expect(interpreter.products(in: readings).first?.agreement?.printedDigits == .unseen)
    }

    @Test func `the printed digits of a second code contradict neither code`() {
        var below = code(other)
        below.corners = below.corners.map { Point($0.x, $0.y + 130) }
        let readings = Readings(
            text: text([("9 520100 001017", y: 205), ("9 520100 001024", y: 335)]), barcodes: [code(number), below])
        let agreements = interpreter.products(in: readings).compactMap(\.agreement?.printedDigits)
        #expect(agreements == [.agrees, .agrees])
    }

    @Test func `a doubtful code is accepted if the printed digits match`() throws {
        let print = text([("9 520100 001017", y: 205)])
        let confirmed = Readings(
            text: print, barcodes: [], doubtfulBarcodes: [other, number].map { code($0, confidence: 0) })
        let read = interpreter.barcodes(in: confirmed)
        #expect(read.map(\.text) == [number])
        #expect(read.allSatisfy { $0.confidence > 0.95 })
        #expect(interpreter.products(in: confirmed).map(\.agreement?.bars) == [0])
        let alone = Readings(
            text: text([("best before", y: 205)]), barcodes: [], doubtfulBarcodes: [code(number, confidence: 0)])
        #expect(interpreter.barcodes(in: alone).isEmpty)
        #expect(interpreter.products(in: alone).isEmpty)
    }

    @Test func `a label with the record's brand agrees, a well-read label without it disagrees`() throws {
        func verdict(_ lines: String...) -> CodeAgreement.Verdict? {
            let placed = lines.enumerated().map { ($0.element, y: 400 + 20 * Double($0.offset)) }
            let readings = Readings(text: text(placed), barcodes: [code(number)])
            return interpreter.products(in: readings).first?.agreement?.label
        }
        #expect(verdict("TAFELHOF") == .agrees)
        #expect(verdict("Tafelh0f quality") == .agrees, "one letter misread")
        #expect(verdict("hazelnut cocoa spread") == .agrees, "its name")
        #expect(verdict("nutrition facts") == .unseen, "too few words")
        let others = ["one two three four five six seven", "eight nine ten eleven twelve thirteen"]
        #expect(verdict(others[0], others[1]) == .disagrees)
    }

    @Test func `a short code is compared with eight digits and not with a date`() {
        let short = code("96385074", format: "EAN-8")
        let right = Readings(text: text([("9638 5074", y: 205)]), barcodes: [short])
        #expect(interpreter.barcodes(in: right).allSatisfy { $0.confidence > 0.99 })
        let date = Readings(text: text([("20261231", y: 205)]), barcodes: [short])
        #expect(interpreter.barcodes(in: date).map(\.confidence) == [0.9])
    }
}
