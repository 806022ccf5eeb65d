import Core
import Documents
import TestSupport
import Testing

@Suite struct `Documents from plain text` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    @Test(arguments: [("1.234,50", "EUR"), ("1,234.50", "EUR"), ("1'234.50", "CHF"), ("1 234,50", "EUR")])
    func `thousands and decimals have different signs`(printed: String, currency: String) {
        let text = "BAUMARKT\n12.11.2026 14:05\nPFLASTERSTEINE      \(printed)\nSUMME \(currency)      \(printed)\n"
        let receipt = reader.receipt(from: reader.page(ofText: text))
        #expect(receipt.total?.value == "1234.50")
        #expect(receipt.items.map(\.amount.value) == ["1234.50"])
    }

    @Test func `a receipt gives shop, date, items and total, and its sum is checked`() throws {
        let receipt = reader.receipt(
            from: reader.page(
                ofText: """
                    HARBOUR STREET HARDWARE SDN BHD
                    12 Jalan Bukit, 47100 Puchong
                    TEL: 03-7722 1188
                    TAX INVOICE
                    Date: 14/03/2018 17:05
                    WOOD SCREW 4X40           3.50
                    MASKING TAPE 24MM         4.20
                    PAINT BRUSH 2IN          12.30
                    TOTAL RM                 20.00
                    CASH                     50.00
                    CHANGE                   30.00
                    """))
        #expect(receipt.merchant?.value == "HARBOUR STREET HARDWARE SDN BHD")
        #expect(receipt.date?.value == "2018-03-14")
        #expect(receipt.time?.value == "17:05")
        #expect(receipt.total?.value == "20.00")
        #expect(receipt.items.map(\.amount.value) == ["3.50", "4.20", "12.30"])
        #expect(receipt.items.first?.name.value == "WOOD SCREW 4X40")
        #expect(receipt.checks.contains(ArithmeticCheck(check: "itemsMakeTotal", holds: true)))
        #expect(receipt.checks.contains(ArithmeticCheck(check: "cashLessChange", holds: true)))
        #expect(receipt.total?.box == nil)
    }

    @Test func `two sums prove a total, and not the cash`() throws {
        let receipt = reader.receipt(
            from: reader.page(
                ofText: """
                    000307 CORNER SHOP TRADING (1038146-X) FKA OTHER
                    Date: 14/03/2018
                    TEA                       3.50
                    SUGAR                     6.48
                    TOTAL                     9.98
                    ROUNDING ADJ              0.02
                    TOTAL ROUNDED            10.00
                    CASH                     20.00
                    CHANGE                   10.00
                    """))
        #expect(receipt.total?.value == "10.00" && (receipt.total?.confidence ?? 0) >= 0.9)
        #expect(receipt.merchant?.value == "CORNER SHOP TRADING")
    }

    @Test func `one piece has the amount as its price`() throws {
        let receipt = reader.receipt(
            from: reader.page(
                ofText: """
                    GARTENMARKT GMBH
                    4078500017343 Gartenhandschuh
                    1.000 STK                20.99
                    4078500023542 Blumenrechen
                    2.000 STK      5.99      11.98
                    SUMME EUR                32.97
                    """))
        #expect(receipt.items.map(\.name.value) == ["Gartenhandschuh", "Blumenrechen"])
        #expect(receipt.items.map(\.unitPrice?.value) == ["20.99", "5.99"])
        #expect(receipt.items.compactMap(\.quantity?.value).map { Double($0) } == [1, 2])
    }

    @Test func `a European table gives both columns`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nährwerte               je 100 g      je Portion (30 g)
                        Energie                 1970 kJ       591 kJ
                                                470 kcal      141 kcal
                        Fett                    20,0 g        6,0 g
                        davon gesättigte        3,9 g         1,2 g
                        Kohlenhydrate           62,6 g        18,8 g
                        davon Zucker            1,3 g         0,4 g
                        Eiweiß                  7,9 g         2,4 g
                        Salz                    0,85 g        0,26 g
                        """)))
        let full = try #require(nutrition.basis.first { $0.per == "100g" })
        #expect(full.energyKJ?.value == "1970")
        #expect(full.energyKcal?.value == "470")
        #expect(full.saturatedFat?.value == "3.9")
        #expect(full.salt?.value == "0.85")
        let serving = try #require(nutrition.basis.first { $0.per == "serving" })
        #expect(serving.fat?.value == "6.0")
        #expect(serving.servingSize?.value == "30 g")
    }

    @Test(arguments: [("Serving size 30 g", ["serving", "100g"]), ("Serving size 45 g", ["serving"])])
    func `the size of the serving names a column without a head`(size: String, pers: [String]) throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nutrition Information
                        \(size)
                                              Per serving
                        Energy                440 kJ        1470 kJ
                        Protein               3.6 g         12.0 g
                        Fat, total            0.4 g         1.3 g
                        - saturated           0.1 g         0.3 g
                        Carbohydrate          20.1 g        67.0 g
                        - sugars              1.0 g         3.3 g
                        Sodium                81 mg         270 mg
                        """)))
        #expect(nutrition.basis.map(\.per) == pers)
        #expect(nutrition.basis.first?.protein?.value == "3.6")
        if pers.count == 2 { #expect(nutrition.basis.last?.sodium?.value == "270") }
    }

    @Test func `units in the names serve for the numbers`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Valeurs nutritionnelles   pour 100 g
                        Energie (kJ/kcal)         1585/377
                        Matières grasses (g)      8,2
                        dont acides gras saturés (g)  1,4
                        Glucides (g)              61,0
                        dont sucres (g)           18,5
                        Protéines (g)             10,5
                        Sel (g)                   0,12
                        """)))
        let full = try #require(nutrition.basis.first)
        #expect(full.per == "100g")
        #expect(full.energyKJ?.value == "1585")
        #expect(full.energyKcal?.value == "377")
        #expect(full.fat?.value == "8.2")
        #expect(full.sugars?.value == "18.5")
        #expect(full.salt?.value == "0.12")
    }

    @Test(arguments: [
        ("Mindestens haltbar bis: 31.03.2027", "2027-03-31", PrintedDate.Kind.bestBefore),
        ("BEST BEFORE END 11/2025", "2025-11", .bestBefore),
        ("USE BY 3 MAR 2026", "2026-03-03", .useBy),
        ("PROD DATE:15.05.2020", "2020-05-15", .packed),
        ("DLC 24/12/2025", "2025-12-24", .useBy),
    ])
    func `a date has its kind`(text: String, day: String, kind: PrintedDate.Kind) {
        let dates = reader.dates(from: reader.page(ofText: text))
        #expect(dates.map(\.value) == [day])
        #expect(dates.map(\.kind) == [kind])
    }

    @Test func `a sum of prices is no date`() {
        #expect(reader.dates(from: reader.page(ofText: "SMALL  + 3.25  + 14.25")).isEmpty)
        #expect(reader.dates(from: reader.page(ofText: "8% 5% 21")).isEmpty)
    }

    @Test(arguments: [
        "Vino della casa (1) 2,25€", "Golonka pieczona 6 szt. (1 2) 22.30€", "(1, 2, 6)   25) Kóla (7)",
        "Cappuccino 1 7 12,50", "Cappuccino 1 7 12 €",
    ])
    func `codes of a dish before a price or a number are no date`(line: String) {
        #expect(reader.dates(from: reader.page(ofText: line)).isEmpty)
    }

    @Test func `a date with blanks between its parts is a date`() {
        #expect(reader.dates(from: reader.page(ofText: "BEST BEFORE 12 03 26")).map(\.value) == ["2026-03-12"])
        #expect(reader.dates(from: reader.page(ofText: "BEST BEFORE 12 03 2026")).map(\.value) == ["2026-03-12"])
    }

    @Test func `calories from fat are no fat, and a serving may be an ounce`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nutrition Facts
                        Serving Size 1 ounce
                        Calories 160    Caloris from Fat 60
                        Total Fat 7g
                        Sodium 150mg
                        Total Carbohydrate 21g
                        Protein 3g
                        """)))
        let basis = try #require(nutrition.basis.first)
        #expect(basis.per == "serving" && basis.fat?.value == "7" && basis.servingSize?.value == "1 oz")
    }

    @Test func `misread names of nutrients are found in a table, and a list of ingredients is none`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nutrition Facts
                        Serving Size 28 g
                        Calories 70
                        Total Fal 1.5g
                        Saturated Fat 0g
                        Sodlum 115mg
                        Total Carbohydrate 13g
                        Sugars 2g
                        Protoln 3g
                        OILS, SALT, WHEY POWDER 25g
                        Calories: 2,000 2,500
                        Sat Fat Lose than 20g
                        """)))
        let basis = try #require(nutrition.basis.first)
        #expect(basis.fat?.value == "1.5" && basis.sodium?.value == "115" && basis.protein?.value == "3")
        #expect(basis.saturatedFat?.value == "0" && basis.salt == nil)
        #expect(reader.nutrition(from: reader.page(ofText: "Protoln shake 3g\nSodlum lamp 5g")) == nil)
    }

    @Test func `running text may break a line before a number`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nutrition declaration per 100 g: Energy 1889 kJ /
                        449 kcal, Fat 13.8 g, of which saturates 4.7 g,
                        Carbohydrate 59.3 g, of which sugars 20.3 g, Fibre
                        8.0 g, Protein 18.0 g, Salt 2.30 g.
                        """)))
        let basis = try #require(nutrition.basis.first)
        #expect(basis.per == "100g" && basis.energyKJ?.value == "1889" && basis.energyKcal?.value == "449")
        #expect(basis.fibre?.value == "8.0" && basis.salt?.value == "2.30")
    }

    @Test func `fibre of less than a gram ends no table`() throws {
        let nutrition = try #require(
            reader.nutrition(
                from: reader.page(
                    ofText: """
                        Nutrition Facts
                        Serving Size 28 g
                        Calories 70 Calories from Fat 15
                        Total Fat 1.5g
                        Sodium 115mg
                        Soluble Fiber less than 1g
                        Sugars 9g
                        Protein 2g
                        """)))
        let basis = try #require(nutrition.basis.first)
        #expect(basis.energyKcal?.value == "70" && basis.sugars?.value == "9" && basis.protein?.value == "2")
    }

    @Test func `an ambiguous date names both days`() {
        let dates = reader.dates(from: reader.page(ofText: "EXP 05/06/2026"))
        #expect(dates.first?.value == "2026-06-05")
        #expect(dates.first?.alternatives == ["2026-05-06"])
    }

    @Test func `words without a document give nothing`() {
        let page = reader.page(ofText: "The quick brown fox\njumps over the lazy dog")
        #expect(reader.receipt(from: page).total == nil)
        #expect(reader.nutrition(from: page) == nil)
        #expect(reader.dates(from: page).isEmpty)
        #expect(reader.priceTag(from: page, barcodes: []).price == nil)
    }

    @Test func `a date that refers to the lid is no date`() {
        #expect(reader.dates(from: reader.page(ofText: "BEST BEFORE: SEE LID")).isEmpty)
    }

    @Test(arguments: ["", " ", "....", "1", "9999999999999999999", "1.2.3.4.5", "-", "%", "\u{0}", "٣.٤"])
    func `odd text does not crash`(text: String) {
        let page = reader.page(ofText: text)
        #expect(reader.receipt(from: page).items.isEmpty)
        _ = reader.priceTag(from: page, barcodes: [])
    }
}
