import Core
import Documents
import Foundation
import TestSupport
import Testing

/// Generated nutrition tables: what the page's own arithmetic proves is read, and what it contradicts is not said.
@Suite struct `Generated nutrition tables` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private struct Words: Decodable {
        var meanings: [String: [String: [String]]]
    }

    private static let words: Words? = try? JSONDecoder().decode(
        Words.self, from: Data(contentsOf: Repository.models.appending(path: "documents/nutrition.json")))
    /// Languages of Latin script with a word for each row of a table.
    private static let languages = (words?.meanings["saturatedFat"]?.keys.sorted() ?? []).filter { language in
        rows.allSatisfy { words?.meanings[$0.name]?[language] != nil } && language != "ko"
    }
    private static let rows = [
        (name: "energy", value: "1850 kJ / 441 kcal"), (name: "fat", value: "17.3 g"),
        (name: "saturatedFat", value: "8.4 g"), (name: "carbohydrate", value: "62.5 g"),
        (name: "sugars", value: "24.8 g"), (name: "protein", value: "7.2 g"), (name: "salt", value: "0.75 g"),
    ]

    @Test func `twenty languages have words for a whole table`() {
        #expect(Self.languages.count >= 20)
    }

    @Test(arguments: languages) func `a table is read in each language`(language: String) throws {
        let meanings = try #require(Self.words?.meanings)
        let head = meanings["per100g"]?[language]?.first ?? "100 g"
        for choice in 0..<2 {
            let names = Self.rows.map { row in
                let all = meanings[row.name]?[language] ?? []
                return all[min(choice, all.count - 1)]
            }
            let text = zip(names, Self.rows).map { "\($0)    \($1.value)" }.joined(separator: "\n")
            let found = try #require(reader.nutrition(from: reader.page(ofText: "\(head)\n\(text)")), "\(names)")
            let basis = try #require(found.basis.first { $0.per == "100g" }, "\(names)")
            let values = [basis.fat, basis.saturatedFat, basis.carbohydrate, basis.sugars, basis.protein, basis.salt]
            #expect(values.map { $0?.value } == ["17.3", "8.4", "62.5", "24.8", "7.2", "0.75"], "\(names)")
            #expect(basis.energyKJ?.value == "1850" && basis.energyKcal?.value == "441", "\(names)")
        }
    }

    /// A table of an energy that its parts make.
    private struct Food {
        var parts: [(name: String, tenths: Int)]

        init(_ random: inout SeededGenerator) {
            let fat = Int.random(in: 11...350, using: &random)
            let protein = Int.random(in: 11...250, using: &random)
            let carbohydrate = Int.random(in: 101...400, using: &random)
            parts = [
                ("Fat", fat), ("Saturated fat", fat / 3), ("Carbohydrate", carbohydrate), ("Sugars", carbohydrate / 3),
                ("Protein", protein),
            ]
        }

        func kilocalories(_ factor: Double = 1) -> Int {
            Int((factor * Double(9 * parts[0].tenths + 4 * parts[2].tenths + 4 * parts[4].tenths) / 10).rounded())
        }

        static func text(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
    }

    private func basis(_ lines: [String], per: String = "100g") -> Nutrition.Basis? {
        reader.nutrition(from: reader.page(ofText: lines.joined(separator: "\n")))?.basis.first { $0.per == per }
    }

    @Test func `a lost decimal sign that the energy contradicts is put back or the value is not said`() throws {
        var random = SeededGenerator(seed: 70)
        var (mended, tried) = (0, 0)
        while tried < 60 {
            let food = Food(&random)
            let lost = [0, 2, 4].randomElement(using: &random) ?? 0
            let extra = 9 * food.parts[lost].tenths * (lost == 0 ? 9 : 4) / 10
            guard extra > food.kilocalories() / 2 else { continue }
            tried += 1
            let rows = food.parts.enumerated().map { index, part in
                "\(part.name)    \(index == lost ? "\(part.tenths)" : Food.text(part.tenths)) g"
            }
            let found = basis(["Nutrition per 100 g", "Energy    \(food.kilocalories()) kcal"] + rows)
            let value = [0: found?.fat, 2: found?.carbohydrate, 4: found?.protein][lost] ?? nil
            #expect(value == nil || value?.value == Food.text(food.parts[lost].tenths), "\(rows)")
            mended += value == nil ? 0 : 1
        }
        #expect(mended >= 15, "\(mended) of \(tried)")
    }

    @Test func `an amount that moved to the next row is never that of another nutrient`() throws {
        var random = SeededGenerator(seed: 71)
        for _ in 0..<40 {
            let food = Food(&random)
            let moved = Int.random(in: 0..<4, using: &random)
            var rows = [
                ["Nutrition", "per serving (30 g)", "per 100 g"],
                ["Energy", "\(food.kilocalories(0.3)) kcal", "\(food.kilocalories()) kcal"],
            ]
            for (index, part) in food.parts.enumerated() {
                let full = index == moved ? nil : index == moved + 1 ? food.parts[moved].tenths : part.tenths
                rows.append([
                    part.name, Food.text((part.tenths * 3 + 5) / 10) + " g", full.map { Food.text($0) + " g" } ?? "",
                ])
            }
            let lines = rows.enumerated().flatMap { number, row in
                zip(row, [0.0, 250, 500]).filter { !$0.0.isEmpty }.map {
                    TextLine.printed($0, $1, 40 + 30 * Double(number), 20, confidence: 0.97)
                }
            }
            let found = reader.nutrition(from: reader.page(of: TextReading(languages: ["en"], lines: lines)))?.basis
                .first { $0.per == "100g" }
            let values = [found?.fat, found?.saturatedFat, found?.carbohydrate, found?.sugars, found?.protein]
            for (value, part) in zip(values, food.parts) where value != nil {
                #expect(value?.value == Food.text(part.tenths), "\(part.name) of \(rows)")
            }
        }
    }

    @Test(arguments: [-0.02, -0.01, 0, 0.01, 0.02]) func `amounts below or above their names are theirs`(slope: Double)
    {
        let names = ["Nutrition per 100 g", "Energy", "Fat", "Saturates", "Carbohydrate", "Sugars", "Protein", "Salt"]
        let amounts = ["", "441 kcal", "17.3 g", "8.4 g", "62.5 g", "24.8 g", "7.2 g", "0.75 g"]
        var lines: [TextLine] = []
        for (index, (name, amount)) in zip(names, amounts).enumerated() {
            let y = 40.0 + 28 * Double(index)
            lines.append(.printed(name, 0, y, 20, confidence: 0.97))
            guard !amount.isEmpty else { continue }
            lines.append(.printed(amount, 500, y + 500 * slope, 20, confidence: 0.97))
        }
        let found = reader.nutrition(from: reader.page(of: TextReading(languages: ["en"], lines: lines)))?.basis.first
        #expect(
            [found?.fat, found?.carbohydrate, found?.protein, found?.salt].map { $0?.value }
                == ["17.3", "62.5", "7.2", "0.75"])
    }

    @Test func `the larger of two portions is the package where it is a whole number of them`() {
        func row(_ name: String, _ amount: Int, _ unit: String) -> String {
            [name, "\(amount)\(unit)", "\(2 * amount)\(unit)"].map {
                $0.padding(toLength: 24, withPad: " ", startingAt: 0)
            }
            .joined()
        }
        let lines = [
            "Nutrition Facts", "Serving size 1/2 pouch (150g)",
            "\(String(repeating: " ", count: 24))Per Serve (150g)        Per Pouch (300g)",
            row("Calories", 210, ""), row("Total Fat", 16, "g"), row("Saturated Fat", 3, "g"), row("Sodium", 600, "mg"),
            row("Total Carbohydrate", 9, "g"), row("Protein", 7, "g"),
        ]
        #expect(basis(lines, per: "serving")?.fat?.value == "16")
        #expect(basis(lines, per: "package")?.fat?.value == "32")
    }

    @Test func `Korean rows with several nutrients are named by the order of the law`() {
        let found = basis([
            "100 g 395 kcal", "270 mg 14 % 66 g 20 % 34 g 34 %", "13 g 24 % 0 g", "3.8 g 25 % 21 mg 7 %", "4 g 7 %",
        ])
        #expect(found?.carbohydrate?.value == "66" && found?.fat?.value == "13" && found?.protein?.value == "4")
    }
}
