import Core
import Documents
import TestSupport
import Testing

/// Price tags whose decimals, units or words mislead.
@Suite struct `Rules of price tags` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private func line(_ text: String, _ x: Double, _ y: Double, _ height: Double = 20) -> TextLine {
        .printed(text, x, y, height, confidence: 0.97)
    }

    private func tag(_ lines: [TextLine], _ scripts: [PrintScript]? = nil) -> PriceTag {
        let text = TextReading(languages: [], lines: lines, unreadScripts: scripts)
        return reader.priceTag(from: reader.page(of: text), barcodes: [])
    }

    /// "199" with the decimals at `x` and `y`.
    private func raised(_ x: Double, _ y: Double) -> [TextLine] {
        [line("HONIG 350 g", 0, 0), line("199", 100, 80, 80), line("99", x, y, 30)]
    }

    @Test func `small digits at the upper right of a price are its decimals`() {
        #expect(tag(raised(230, 82)).price?.value == "199.99")
        // Below or far to the right they are something else.
        #expect(tag(raised(230, 135)).price?.value != "199.99")
        #expect(tag(raised(420, 82)).price?.value != "199.99")
    }

    @Test func `a content with the estimated sign is no price`() {
        #expect(tag([line("1Le", 100, 80, 80), line("GRAPE JUICE", 0, 0)]).price == nil)
        #expect(tag([line("1.99", 100, 80, 80), line("GRAPE JUICE", 0, 0)]).price?.value == "1.99")
    }

    @Test func `a former price and the hour of printing are no unit price`() {
        let offer = raised(230, 82) + [line("229.99", 0, 200), line("08.05.2025 16.59", 200, 200)]
        #expect(tag(offer, [.cyrillic]).price?.value == "199.99")
        #expect(tag(offer, [.cyrillic]).unitPrice == nil)
        #expect(tag(offer).unitPrice == nil)
    }

    @Test func `the script decides the currency where no sign is read`() {
        let rouble = raised(230, 82) + [line("PY6", 240, 130, 20)]
        #expect(tag(rouble, [.cyrillic]).currency?.value == "RUB")
        #expect(tag(rouble).currency == nil)
        let yen = [line("299", 100, 80, 80)]
        #expect(tag(yen, [.japanese]).currency?.value == "JPY")
        #expect(tag([line("2.99", 100, 80, 80)], [.japanese]).currency == nil)
    }

    @Test func `a currency without cents has a sign for thousands`() {
        let found = tag([
            line("MOUTHWASH TOTAL CARE", 0, 0), line("vnd", 300, 60, 20), line("81.900", 60, 60, 60),
            line("32.760 100ML", 0, 150),
        ])
        #expect(found.price?.value == "81900" && found.currency?.value == "VND")
        #expect(found.unitPrice?.value == "32760" && found.unit?.value == "100ml")
    }

    @Test func `the content proves the unit`() {
        let found = tag([line("SALAT 250 g", 0, 0), line("29.90", 60, 60, 70), line("119.60", 0, 160)])
        #expect(found.unitPrice?.value == "119.60" && found.unit?.value == "kg")
        #expect(found.checks == [ArithmeticCheck(check: "unitPrice", holds: true)])
    }

    @Test func `raised decimals of price and unit price prove each other`() {
        let found = tag([line("DRESSING 265 g", 0, 0), line("3990", 200, 60, 70), line("15057", 0, 160, 34)])
        #expect(found.price?.value == "39.90" && found.unitPrice?.value == "150.57")
    }

    @Test(arguments: [
        ("£1.09", "54.3p per 100g", "0.543", "100g"), ("£2.00", "80p/kg", "0.80", "kg"),
        ("95p", "23.8p per 100ml", "0.238", "100ml"),
        ("$2.49", "24.9¢ per 100g", "0.249", "100g"),
    ])
    func `pence and cents are hundredths`(price: String, unit: String, value: String, of: String) {
        let found = tag([line("GREEK YOGURT", 0, 0), line(price, 60, 60, 70), line(unit, 0, 160)])
        #expect(found.unitPrice?.value == value && found.unit?.value == of)
        #expect(found.price?.value == (price == "95p" ? "0.95" : String(price.dropFirst())))
        if unit.contains("p") { #expect(found.currency?.value == (price.hasPrefix("$") ? "USD" : "GBP")) }
    }

    @Test func `a deposit is neither price nor unit price`() {
        let found = tag([line("LIMONADE 1 L", 0, 0), line("1.49 €", 60, 60, 70), line("zzgl. Pfand 0.25 €", 0, 160)])
        #expect(found.price?.value == "1.49" && found.unitPrice == nil)
    }

    @Test func `a price with its unit is no content of a pack`() {
        let found = tag([line("LAKS 200 g", 0, 0), line("44.90 KG", 60, 60, 70), line("8.98", 0, 160)])
        #expect(found.checks.allSatisfy { $0.holds })
    }

    @Test func `words of a script that is not read name no product`() {
        let lines = raised(230, 82).dropFirst() + [line("MeA KOMaHA", 0, 0)]
        #expect(tag(Array(lines), [.cyrillic]).product == nil)
        #expect(tag(raised(230, 82)).product?.value == "HONIG 350 g")
    }
}
