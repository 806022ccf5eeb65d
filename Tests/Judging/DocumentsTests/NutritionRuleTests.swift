import Core
import Documents
import TestSupport
import Testing

/// Nutrition tables whose columns, units or words mislead.
@Suite struct `Rules of nutrition tables` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private func table(_ text: String) -> Nutrition? { reader.nutrition(from: reader.page(ofText: text)) }
    private func basis(_ text: String, per: String = "serving") throws -> Nutrition.Basis {
        try #require(table(text)?.basis.first { $0.per == per })
    }

    /// A table of the United States; `rows` replaces the rows below the energy.
    private func american(_ energy: String = "Calories 130", _ rows: String) -> String {
        "Nutrition Facts\nServing size 28 g\nAmount per serving\n\(energy)\n\(rows)"
    }

    @Test func `a second name of the energy does not begin again`() throws {
        let found = try #require(
            table(
                """
                Nutrition Facts
                                    Per serving      Per container
                Calories 110                         Calories 330
                Total Fat           2 g              6 g
                Saturated Fat       1 g              3 g
                Sodium              100 mg           300 mg
                Total Carbohydrate  20 g             60 g
                Protein             3 g              9 g
                """))
        let serving = try #require(found.basis.first { $0.per == "serving" })
        #expect(serving.energyKcal?.value == "110" && serving.protein?.value == "3")
        #expect(found.basis.first { $0.per == "package" }?.energyKcal?.value == "330")
    }

    @Test(arguments: [("210 ml", "serving"), ("100 g", "100g"), ("100 ml", "100ml")])
    func `an amount behind the Vietnamese word for in is the basis of its column`(amount: String, per: String) throws {
        let found = try #require(
            table(
                """
                Các chất dinh dưỡng trung bình
                trong \(amount) NESTLÉ MILO
                Chất béo           4,2 g
                Chất đạm           5,0 g
                Carbohydrate       20,4 g
                """))
        #expect(found.basis.map(\.per) == [per])
    }

    @Test func `the size of a serving of 100 g is no head of a column`() throws {
        let found = try basis(
            """
            Nutrition Facts
            Serving size        2/3 cup (100g)
                                Per serving      Per container
            Calories            140              430
            Total Fat           3 g              9 g
            Saturated Fat       1 g              3.5 g
            Sodium              215 mg           650 mg
            Total Carbohydrate  20 g             60 g
            Protein             13 g             40 g
            """)
        #expect(found.fat?.value == "3" && found.protein?.value == "13" && found.energyKcal?.value == "140")
    }

    /// A line of one word for each pair of text and left edge; a letter is half as wide as it is high.
    private func line(_ y: Double, _ words: [(String, Double)]) -> [TextLine] {
        words.map { text, x in
            let box = Quad(x: x, y: y, width: Double(text.count) * 10, height: 20)
            let parts = text.split(separator: " ").map { part in
                Word(text: String(part), confidence: 0.97, box: box)
            }
            return TextLine(text: text, confidence: 0.97, box: box, words: parts)
        }
    }

    @Test func `values beside each other make two columns however near they are`() throws {
        let rows: [(String, String, String)] = [
            ("Fat", "2.0g", "3.5g"), ("Carbohydrate", "20.0g", "26.0g"), ("Sugars", "5.0g", "11.0g"),
            ("Protein", "3.0g", "7.0g"), ("Fibre", "2.0g", "2.5g"),
        ]
        var lines = line(0, [("Nutrition information", 0), ("per 100g", 300), ("with milk", 420)])
        for (index, row) in rows.enumerated() {
            lines += line(Double(40 + 30 * index), [(row.0, 0), (row.1, 330), (row.2, 378)])
        }
        let text = TextReading(languages: ["en"], lines: lines)
        let found = try #require(reader.nutrition(from: reader.page(of: text)))
        let full = try #require(found.basis.first { $0.per == "100g" })
        #expect(full.protein?.value == "3.0" && full.sugars?.value == "5.0" && full.fat?.value == "2.0")
    }

    @Test func `two full columns without a head name no basis`() {
        let rows = """
            Nutrition information
            Serving size 21 g
            Energy              2085 kJ     438 kJ
            Fat                 22.6 g      4.7 g
            Saturates           11.6 g      2.5 g
            Carbohydrate        66.3 g      14.5 g
            Sugars              37.3 g      8.5 g
            Protein             5.5 g       1.5 g
            """
        #expect(table(rows)?.basis.first { $0.per == "serving" }?.fat?.value != "22.6")
    }

    @Test func `a head of 30 g beside 100 g is a serving with its size`() throws {
        let text = """
            Wartość odżywcza    100 g       30 g
            Wartość             1928 kl     578 kl
            energetyczna        458 kcal    137 kcal
            Tłuszcz             17 g        5,1 g
            w tym nasycone      2,0 g       0,6 g
            Węglowodany         65 g        19,5 g
            w tym cukry         12 g        3,6 g
            Białko              8,0 g       2,4 g
            Sól                 2,0 g       0,6 g
            """
        let serving = try basis(text)
        #expect(serving.fat?.value == "5.1" && serving.servingSize?.value == "30 g")
        #expect(serving.energyKJ?.value == "578" && serving.energyKcal?.value == "137")
        #expect(try basis(text, per: "100g").energyKJ?.value == "1928")
    }

    @Test func `less than is a sign and no other nutrient`() throws {
        let found = try basis(
            american(
                "Calories 130", "Total Fat 7g 9%\nTotal Carbohydrate 14g 5%\nTotal Sugars less than 1g\nProtein 2g"))
        #expect(found.sugars?.value == "<1" && found.protein?.value == "2")
    }

    @Test func `unsaturated fat is not saturated`() throws {
        let rows = "Total Fat 1.5g 2%\nSat. Fat 0g 0%\nPolyunsat. Fat 0.5g\nTotal Carb. 29g 11%\nProtein 4g"
        #expect(try basis(american("Calories 130", rows)).saturatedFat?.value == "0")
    }

    @Test func `a daily value proves a misread gram and its own lost sign`() throws {
        let found = try basis(
            american(
                "Calories 160",
                "Total Fat 13g 17%\nSodium 230rag 10%\nTotal Carbohydrate 89 3%\nDietary Fiber 3g 11\nProtein 6g"))
        #expect(found.carbohydrate?.value == "8" && found.sodium?.value == "230" && found.sodium?.unit == "mg")
        #expect(found.fibre?.value == "3")
        // Without the share it stays what is printed: no food has 89 g in 28 g, but another may.
        let bare = table(american("Calories 160", "Total Fat 13g\nTotal Carbohydrate 89\nProtein 6g"))
        #expect(
            bare?.basis.first?.carbohydrate?.value != "89" || (bare?.basis.first?.carbohydrate?.confidence ?? 0) < 0.9)
    }

    @Test func `a nine in place of the gram is no hundredth where all other values have tenths`() {
        func protein(_ rows: String) -> String? {
            table("NUTRITIONAL INFORMATION\nPer 100 g\n\(rows)")?.basis.first?.protein?.value
        }
        let rows = "Energy 553 kcal\nCarbohydrate 52.6\nTotal Fat 35.1\nTotal Sugars 0.6\nSodium 510 mg"
        for (printed, wanted) in [("6.79", "6.7"), ("15.89", "15.8"), ("6.7", "6.7"), ("6.75", "6.75")] {
            #expect(protein("\(rows)\nProtein \(printed)") == wanted)
        }
        // Salt and trans fat have hundredths, and so have whole tables.
        #expect(protein("\(rows)\nProtein 0.19") == "0.19")
        #expect(protein(rows.replacing("52.6", with: "52.64") + "\nProtein 6.79") == "6.79")
    }

    @Test func `the number of the calories is not that of the next nutrient`() throws {
        let rows = "Total Fat 14g 18%\nSat. Fat 9g 45%\nTotal Carb. 30g 11%\nProtein 5g"
        #expect(try basis(american("Calories Cholest. 50mg 17%", rows)).energyKcal == nil)
        // Below its name it counts where the energy fits.
        let below = american("Calories\n260", rows)
        #expect(try basis(below).energyKcal?.value == "260")
        #expect(try basis(american("Calories\n980", rows)).energyKcal == nil)
    }

    @Test func `a unit may stand in the name or in brackets behind the number`() throws {
        let named = try basis(
            """
            Nutrition information per 100 g
            Energy (kJ) 1585
            Fat (g) 8.2
            Carbohydrate (g) 61.0
            Protein (g) 10.5
            """, per: "100g")
        #expect(named.energyKJ?.value == "1585" && named.fat?.value == "8.2")
        let misread = try basis(
            """
            Nutrition information per 100 g
            Energy 1585 k) 377 k(al
            Fat 8.2 g
            Protein 10.5 g
            """, per: "100g")
        #expect(misread.energyKJ?.value == "1585" && misread.energyKcal?.value == "377")
        let bracketed = try basis(
            """
            Nutrition Information
            Serving size 1 package (18 g)
            (Total energy 90 kcal)
            (Total Fat) 5 n. (g)
            (Protein) 1 n. (g)
            (Total Carbohydrate) 11 n. (g)
            (Sodium) 120 n. (mg)
            """)
        #expect(bracketed.sodium?.value == "120" && bracketed.sodium?.unit == "mg" && bracketed.fat?.value == "5")
    }

    @Test func `the size of a serving is no amount of a nutrient in its row`() throws {
        let found = try basis(
            """
            Nutrition Facts
            Serv. Size Sat. Fat 9g 45% Fiber 2g 7%
            Calories 260 per serving
            Total Fat 14g 18% Total Carb. 30g 11%
            per serving Sodium 60mg 3% Protein 5g
            """)
        #expect(found.servingSize == nil && found.saturatedFat?.value == "9" && found.protein?.value == "5")
        let wrapped = try basis(
            """
            Nutrition Facts
            Per 2 shells, 1/6 pouch,
            1/6 sauce (42 g)
            Calories 130
            Fat 5 g 8%
            Carbohydrate 18 g 6%
            Protein 2 g
            """)
        #expect(wrapped.servingSize?.value == "42 g")
    }

    @Test func `an Indonesian table is read by its words`() throws {
        let found = try basis(
            """
            INFORMASI NILAI GIZI
            Takaran saji 25 g
            Energi total 120 kkal
            Energi dari lemak 50 kkal
            Lemak total 6 g
            Lemak jenuh 3 g
            Protein 2 g
            Karbohidrat total 15 g
            Gula 8 g
            Natrium 60 mg
            """)
        #expect(found.fat?.value == "6" && found.saturatedFat?.value == "3" && found.carbohydrate?.value == "15")
        #expect(found.energyKcal?.value == "120" && found.sodium?.value == "60" && found.servingSize?.value == "25 g")
    }

    /// Words of a script that is not read are noise.
    private let korean = [
        "172 g", "785 kcal", "E 550 mg 28%", "121 g 37%", "34 g 34%", "27 g 50%", "0 g", "12 9 80%", "0 mg 0%",
        "13 g 24%",
    ]

    @Test func `the order of a law names the rows where shares and energy prove them`() throws {
        let found = try basis(korean.joined(separator: "\n"))
        #expect(found.sodium?.value == "550" && found.carbohydrate?.value == "121" && found.sugars?.value == "34")
        #expect(found.fat?.value == "27" && found.saturatedFat?.value == "12" && found.protein?.value == "13")
        #expect(found.energyKcal?.value == "785")
    }

    @Test func `an order that shares or energy refute names nothing`() {
        var other = korean
        other[3] = "121 g 12%"
        #expect(table(other.joined(separator: "\n"))?.basis.first?.carbohydrate == nil)
        var energy = korean
        energy[1] = "185 kcal"
        #expect(table(energy.joined(separator: "\n")) == nil)
        #expect(table("5 g\n6 g\n7 mg\n8 g\n9 g\n10 g\n11 mg\n12 g") == nil)
    }

    @Test func `units of a script that is not read are told by their length`() throws {
        let rows = [
            "nin 1 (6 n)", "o n. 0 %", "o n. 0 %", "o n.", "O NN. 0 %", "1 n.", "3 n. 1 %", "o n. 0 %", "1 n.",
            "140 NN. 7 %",
        ]
        let found = try basis(rows.joined(separator: "\n"))
        #expect(found.sodium?.value == "140" && found.carbohydrate?.value == "3" && found.fat?.value == "0")
        #expect(found.servingSize?.value == "6 g" && found.energyKcal == nil)
        #expect(table(rows.prefix(6).joined(separator: "\n")) == nil)
    }

    @Test func `a size in brackets before a nutrient of its row belongs to the serving`() throws {
        func size(_ row: String) throws -> String? {
            try basis(
                """
                Nutrition Facts
                Serving Size      Total Fat 7g          11%
                \(row)
                Calories 220      Sodium 750mg          31%
                                  Total Carb. 32g       11%
                                  Sugars 6g
                                  Protein 7g
                """
            ).servingSize?.value
        }
        #expect(try size("1 cup (244g)      Sat. Fat 3g           15%") == "244 g")
        #expect(try size("About 2           Sat. Fat (3g)         15%") == nil)
    }
}
