import TestSupport
import Testing
import Core

@testable import Documents

@Suite("Amounts")
struct AmountTests {
    private let words: AmountWords

    init() throws { words = try AmountWords(from: ModelFolder(Repository.models)) }

    private func amounts(_ text: String) -> [PrintedAmount] {
        AmountScanner(words: words).amounts(in: Array(text.unicodeScalars))
    }

    @Test(
        "Amounts are recognised in every printed form",
        arguments: [
            ("Soup $7", "7"), ("Soup 7.50", "7.50"), ("Çorba 20,00 TL", "20.00"), ("Ceviche S/19.00", "19.00"),
            ("Frango R$ 25,90", "25.90"), ("Frango RS 25,90", "25.90"), ("Bún chả 55K", "55000"),
            ("Café 4.000", "4000"), ("Café $4.500", "4500"), ("Gulyás 1 200 Ft", "1200"), ("Schnitzel 12,-", "12"),
            ("Schnitzel 12.-", "12"), ("Pâté 9½", "9.5"), ("Cola 9.5O", "9.50"), ("Latte S4.25", "4.25"),
            ("Phở 80.000d", "80000"), ("Smørbrød 149 kr", "149"), ("Pizza 8,90 Euro", "8.90"),
            ("Pierogi 24 zł", "24"), ("Wine 1.250,00", "1250.00"), ("Wings $1.50/ea.", "1.50"),
            ("Svíčková 149,- Kč", "149"), ("Svíčková 149,-Kč", "149"), ("Laks 128 Kr.", "128"),
            ("Laks 128,- Kr", "128"),
            ("Croque 5 € 00", "5.00"), ("Croque 5€50", "5.50"), ("Espresso 5 € 00 |", "5.00"),
            ("Brezel -,60 €", "0.60"), ("Brezel –,60", "0.60"), ("Syrup $.50", "0.50"), ("Ryba 145-00", "145.00"),
            ("Antipasti di Mare12,80", "12.80"), ("alla boscaiola.7€", "7"), ("Cheeseburger.8.00", "8.00"),
        ])
    func forms(text: String, value: String) throws {
        let last = try #require(amounts(text).last)
        #expect(last.value == value)
    }

    @Test(arguments: [
        "euros", "EUROS", "zł", "ZŁ", "KČ", "FT", "Lei", "din.", "KM", "DA", "DT", "DH", "FCFA", "baht", "pesos", "Bs.",
    ])
    func `the word of a currency behind a number makes it a price, in capitals too`(word: String) {
        for (number, value) in [("450", "450"), ("4,5", "4.5"), ("12.50", "12.50")] {
            for form in ["\(number) \(word)", "\(number)\(word)"] {
                let found = amounts("Poulet mariné \(form)")
                #expect(found.map(\.value) == [value] && found.first?.isMarked == true, "\(form)")
                #expect(amounts("Poulet mariné \(form) \(form)").map(\.value) == [value, value], "\(form) \(form)")
            }
        }
        if !word.hasSuffix(".") { #expect(amounts("Poulet 4 \(word)x").allSatisfy { !$0.isMarked }) }
    }

    @Test(arguments: ["DA", "DT", "FT", "KM", "RON", "DIN"])
    func `a short word that is also another is a currency only behind a number`(word: String) {
        #expect(amounts("Rollo \(word) 7").allSatisfy { !$0.isMarked })
    }

    @Test(
        "Measures, times, phone numbers and parts of longer numbers are no amounts",
        arguments: [
            "Steak 250 g", "Cola 0,33 l", "Open 11:30", "Tel. 0201/40 87 00 37", "+49 30 1234567", "for 2 persons",
            "12.05.2026", "702 331 5858", "Wings 6 pcs", "www.house24.com", "1/2 chicken", "Menu no. 7",
            "Vitamin B12", "Halle2", "est.1998",
        ])
    func noAmounts(text: String) {
        let found = amounts(text).filter { $0.isStrong || $0.form == .whole }
        #expect(found.isEmpty, "\(found.map(\.value))")
    }

    @Test(arguments: ["kcal 680 kJ 2850", "680 kcal 2850 kJ", "kJ 2850 kcal 680", "kJ: 2850", "kcal 680"])
    func `the energy of a dish is no price, on whichever side its unit stands`(energy: String) {
        #expect(amounts("Frühlingsrolle \(energy)").isEmpty)
        #expect(amounts("Frühlingsrolle € 4,80 \(energy)").map(\.value) == ["4.80"])
        #expect(amounts("Frühlingsrolle \(energy) 8,50").map(\.value) == ["8.50"])
    }

    @Test(arguments: [
        ("0,04 1", "1,20 €"), ("0,041", "0,90 €"), ("0,11", "0,50"), ("0,31", "0,90"), ("0.5 1", "2.40"),
        ("0,331", "€ 2,80"),
    ])
    func `a litre that was read as a 1 behind a volume is no price`(volume: String, price: String) {
        #expect(amounts("Vodka \(volume) \(price)").count == 1)
    }

    @Test func `small prices are no volumes`() {
        #expect(amounts("Brötchen 0,31").map(\.value) == ["0.31"])
        #expect(amounts("Brötchen 0,61 0,90").map(\.value) == ["0.61", "0.90"])
    }

    @Test func `a word with the ending of a number prefix does not hide a price`() {
        #expect(amounts("Cappuccino 4").map(\.value) == ["4"])
        #expect(amounts("Kebab 7").map(\.value) == ["7"])
    }

    @Test func `the first of two joined amounts takes the form of the last`() {
        #expect(amounts("Combo 30/35k").map(\.value) == ["30000", "35000"])
        #expect(amounts("Combo 12/14 €").map(\.isMarked) == [true, true])
    }

    @Test func `a mark before each of two amounts belongs to the amount after it`() {
        let found = amounts("Pastel R$ 16,99 R$ 20,99")
        #expect(found.map(\.value) == ["16.99", "20.99"])
        #expect(found.map(\.currency) == ["BRL", "BRL"])
        #expect(amounts("Soup 5 € 12 €").map(\.value) == ["5", "12"])
        #expect(amounts("Cola 2 € 33 cl").map(\.value) == ["2"])
    }

    @Test func `a mark determines the currency unless several countries share it`() {
        #expect(amounts("Soup £5").first?.currency == "GBP")
        #expect(amounts("Suppe 45 kr").first?.isMarked == true)
        #expect(amounts("Suppe 45 kr").first?.currency == nil)
    }
}
