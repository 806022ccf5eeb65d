import TestSupport
import Testing
import Core

@testable import Kinds

struct ProductInterpreterTests {
    private let interpreter: ProductInterpreter

    init() throws { interpreter = try Shipped.products.get() }

    private func products(_ codes: (format: String, text: String)...) -> [Product] {
        interpreter.products(
            in: Readings(
                barcodes: codes.map {
                    let retail = !$0.format.hasPrefix("QR")
                    return BarcodeReading(
                        format: $0.format, text: $0.text, gtin: retail ? GTIN($0.text)?.digits : nil, confidence: 0.9,
                        corners: [])
                }))
    }

    @Test("A known product has its record's data and a declared finding for each allergen")
    func known() throws {
        let product = try #require(products(("EAN-13", "9520100001017")).first)
        #expect(product.gtin == "09520100001017")
        #expect(product.name == "Hazelnut Cocoa Spread")
        #expect(product.brand == "Tafelhof")
        #expect(product.trust == .producer)
        #expect(product.recorded == "2026-01-12")
        #expect(product.age == "P64D", "to the catalogue's newest record, of 17 March: the same on every day")
        #expect(product.reason == nil)
        #expect(product.ingredients?.contains("HAZELNUTS") == true)
        #expect(product.findings.filter { $0.polarity == .contains }.map(\.allergen) == [.nuts, .milk, .soybeans])
        #expect(product.findings.filter { $0.polarity == .mayContain }.map(\.allergen) == [.peanuts])
        for finding in product.findings {
            #expect(finding.strength == .declared)
            #expect(finding.probability == 0.97)
            #expect(finding.evidence.map(\.ruleId) == ["catalogue"])
            #expect(finding.evidence.map(\.lexeme) == [finding.allergen.rawValue])
        }
        #expect(product.findings.first?.evidence.first?.text == "Contains: hazelnuts, milk, soya.")
        #expect(product.findings.last?.evidence.first?.text == "May contain: peanuts.")
    }

    @Test("The trust of a record depends on its source")
    func trust() {
        let found = products(("EAN-13", "9520100001055"), ("EAN-13", "9520100001086"))
        #expect(found.map(\.trust) == [.retailer, .crowd])
        #expect(found.map { Set($0.findings.map(\.probability)) } == [[0.9], [0.7]])
    }

    @Test("A record without declarations gives no findings")
    func nothingDeclared() throws {
        let product = try #require(products(("EAN-13", "9520100001093")).first)
        #expect(product.name != nil)
        #expect(product.findings.isEmpty)
    }

    @Test("A GTIN-8 is found by its EAN-8")
    func eight() { #expect(products(("EAN-8", "95201016")).map(\.name) == ["Milk Chocolate Drops"]) }

    @Test("A product without a record has its number and a reason")
    func unknown() {
        #expect(
            products(("EAN-13", "4006381333931")) == [
                Product(
                    gtin: "04006381333931", reason: "notInCatalogue",
                    agreement: CodeAgreement(bars: 0.9, confidence: 0.9))
            ])
    }

    @Test(
        "A number with a restricted prefix is not looked up",
        arguments: [
            "2001234015998", "0201234015994", "0401234567893", "9780306406157", "9771234567898", "9901234567899",
            "20123451",
        ])
    func restricted(code: String) { #expect(products(("EAN-13", code)).map(\.reason) == ["restrictedPrefix"]) }

    @Test("Restricted prefixes are classified")
    func restrictionClasses() {
        let classes = [
            ("2001234015998", RestrictedPrefix.inStore), ("0201234015994", .inStore), ("0401234567893", .company),
            ("9771234567898", .issn), ("9780306406157", .isbn), ("9901234567899", .coupon),
        ]
        for (code, expected) in classes { #expect(GTIN(code).flatMap(RestrictedPrefix.init) == expected) }
        for code in ["9520100001017", "3017620422003", "0737628064502", "80050100"] {
            #expect(GTIN(code).flatMap(RestrictedPrefix.init) == nil)
        }
    }

    @Test("A wrong check digit gives no product, even if the reading has a GTIN")
    func wrongCheckDigit() {
        #expect(products(("EAN-13", "9520100001018")).isEmpty)
        let lie = BarcodeReading(
            format: "EAN-13", text: "9520100001018", gtin: "09520100001018", confidence: 0.9, corners: [])
        #expect(interpreter.products(in: Readings(barcodes: [lie])).isEmpty)
    }

    @Test("Codes that do not identify products are ignored")
    func otherCodes() {
        let readings = ["Code 128", "ITF", "Code 39"].map {
            BarcodeReading(
                format: $0, text: "9520100001017", gtin: "09520100001017", confidence: 0.9, corners: [])
        }
        #expect(interpreter.products(in: Readings(barcodes: readings)).isEmpty)
        #expect(products(("QR-Code", "9520100001017")).isEmpty)
    }

    @Test("A GS1 Digital Link in a QR code gives the product, with other path parts and a query")
    func digitalLink() {
        let link = "https://id.gs1.org/01/09520100001017/10/ABC123?17=271231&3103=001250"
        #expect(products(("QR-Code", link)).map(\.name) == ["Hazelnut Cocoa Spread"])
        #expect(DigitalLink("https://example.com/some/path/01/09506000134352/22/2A")?.gtin.digits == "09506000134352")
        #expect(DigitalLink("https://example.com/gtin/9506000134352")?.gtin.digits == "09506000134352")
    }

    @Test(
        "Other addresses and texts are not accepted as Digital Links",
        arguments: [
            "https://example.com/", "https://example.com/01/", "https://example.com/01/09520100001018",
            "https://example.com/?x=/01/09520100001017", "ftp://example.com/01/09520100001017", "01/09520100001017",
            "https://01/09520100001017", "",
        ])
    func noDigitalLink(text: String) { #expect(DigitalLink(text)?.gtin == nil) }

    @Test("A repeated number gives one product, and the order is kept")
    func twice() {
        let link = "https://id.gs1.org/01/09520100001017"
        let found = products(("EAN-13", "9520100001024"), ("EAN-13", "9520100001017"), ("QR-Code", link))
        #expect(found.map(\.name) == ["Oat & Honey Crunch", "Hazelnut Cocoa Spread"])
    }
}
