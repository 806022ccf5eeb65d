import Catalogue
import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

/// Tables that spreadsheets saved again: each value is right, or the file is refused.
@Suite struct TableDialectTests {
    /// How a spreadsheet writes a table.
    struct Dialect: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var separator = ","
        var decimal = "."
        var thousands = ""
        var encoding = String.Encoding.utf8
        /// `y`, `m` and `d` in the order of dates, with their marks.
        var date = "y-m-d"
        var quotesAll = false
        var lineEnd = "\r\n"
        /// Written before the first row.
        var beginning = ""

        func number(_ text: String) -> String {
            let parts = text.split(separator: ".").map(String.init)
            guard let whole = parts.first else { return text }
            let grouped =
                whole.count > 3 && !thousands.isEmpty ? "\(whole.dropLast(3))\(thousands)\(whole.suffix(3))" : whole
            return ([grouped] + parts.dropFirst()).joined(separator: decimal)
        }

        func day(_ text: String) -> String {
            let parts = text.split(separator: "-").map(String.init)
            return date.map { ["y": parts[0], "m": parts[1], "d": parts[2]]["\($0)"] ?? "\($0)" }.joined()
        }

        func file(_ rows: [[String]]) throws -> Data {
            let text = rows.map { row in
                row.map { field in
                    let isQuoted = quotesAll || field.contains(separator) || field.contains("\"")
                    return isQuoted ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
                }.joined(separator: separator)
            }
            return try #require((beginning + text.map { $0 + lineEnd }.joined()).data(using: encoding))
        }
    }

    static let dialects = [
        Dialect(testDescription: "English", date: "m/d/y"),
        Dialect(testDescription: "British, thousands", thousands: ",", date: "d/m/y", beginning: "\u{FEFF}"),
        Dialect(testDescription: "German", separator: ";", decimal: ",", encoding: .windowsCP1252, date: "d.m.y"),
        Dialect(
            testDescription: "German, thousands", separator: ";", decimal: ",", thousands: ".", date: "d.m.y",
            beginning: "sep=;\r\n"),
        Dialect(testDescription: "Unicode text", separator: "\t", decimal: ",", encoding: .utf16, date: "d.m.y"),
        Dialect(testDescription: "French, tabs", separator: "\t", decimal: ",", thousands: "\u{202F}", date: "d/m/y"),
        Dialect(testDescription: "quoted commas", decimal: ",", thousands: ".", date: "d/m/y", quotesAll: true),
        Dialect(
            testDescription: "old Macintosh", separator: ";", decimal: ",", encoding: .windowsCP1252, date: "y-m-d",
            lineEnd: "\r"),
    ]

    private let folder: TemporaryFolder
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
    }

    /// `day name kcal protein` of each entry, sorted.
    private func entries() throws -> [String] {
        try diary.exported("Ada").entries.map { entry in
            "\(entry.day?.description ?? "") \(entry.food.name) \(entry.food.calories) \(entry.food.protein)"
        }.sorted()
    }

    private static let days = ["2026-03-04", "2026-03-28"]

    @Test(arguments: dialects) func `our own table is read as it was written`(dialect: Dialect) throws {
        for (day, calories, name) in [
            (Self.days[0], "412.5", "Käse \"Alp\""), (Self.days[1], "1412.5", "Crème; brûlée"),
        ] {
            let food = testFood(name, calories: Decimal(string: calories) ?? 0)
            try diary.put(
                MealEntry(
                    id: name, food: food, serving: food.defaultServing, meal: .lunch,
                    timestamp: try Date("\(day)T11:30:00Z", strategy: .iso8601), zone: "Europe/Berlin"), of: "Ada")
        }
        try diary.setWeight(Decimal(string: "73.25"), on: try #require(Day(Self.days[0])), of: "Ada")
        let (before, times) = (try entries(), try diary.exported("Ada").entries.map(\.timestamp))
        let table = try #require(CSVTable(try diary.exportedCSV("Ada")))
        let rows = table.rows.map { row in
            zip(table.columns, row).map { column, field in
                switch column {
                case _ where field.isEmpty: ""
                case "day": dialect.day(field)
                case "timestamp" where dialect.date != "y-m-d":
                    dialect.day(String(field.prefix(10))) + " " + field.dropFirst(11).prefix(8)
                case "grams", "calories", "protein", "carbs", "fat", "weight": dialect.number(field)
                default: field
                }
            }
        }
        try diary.save(.init(name: "Ben", zone: "Europe/Berlin"))
        let report = try diary.importFile(try dialect.file([table.columns] + rows), into: "Ben")
        #expect(report.entries == 2 && report.weights == 1 && report.rejected == 0, "\(report)")
        let ben = try diary.exported("Ben")
        #expect(ben.entries.map(\.timestamp) == times)
        #expect(ben.weights.map(\.weight) == [Decimal(string: "73.25")])
        #expect(
            ben.entries.map { "\($0.day?.description ?? "") \($0.food.name) \($0.food.calories) \($0.food.protein)" }
                .sorted() == before)
    }

    @Test(arguments: dialects) func `MyFitnessPal's table is read as it was written`(dialect: Dialect) throws {
        let rows = [["Date", "Meal", "Calories", "Fat (g)", "Carbohydrates (g)", "Protein (g)", "Note"]]
        let values = [
            (Self.days[0], "Frühstück", "1050", "25.5", "95", "48.125"), (Self.days[1], "Lunch", "820", "1", "2", "3"),
        ]
        let table =
            rows
            + values.map { day, meal, kcal, fat, carbs, protein in
                [dialect.day(day), meal] + [kcal, fat, carbs, protein].map(dialect.number) + ["gut, \"sehr\""]
            }
        let report = try diary.importFile(try dialect.file(table), into: "Ada")
        #expect(report.entries == 2 && report.rejected == 0, "\(report)")
        #expect(
            try entries() == [
                "2026-03-04 Frühstück (MyFitnessPal) 1050 48.125", "2026-03-28 Lunch (MyFitnessPal) 820 3",
            ])
    }

    @Test(arguments: dialects) func `Cronometer's table is read as it was written`(dialect: Dialect) throws {
        let table =
            [["Day", "Time", "Group", "Food Name", "Amount", "Energy (kcal)", "Protein (g)", "Carbs (g)", "Fat (g)"]]
            + [(Self.days[0], "Käse", "1250.00", "2274.03"), (Self.days[1], "Oats", "80.00", "311.00")].map {
                day, food, grams, kcal in
                [dialect.day(day), "08:14 AM", "Breakfast", food, "\(dialect.number(grams)) g"]
                    + [kcal, "10.7", "54.8", "5.3"].map(dialect.number)
            }
        let report = try diary.importFile(try dialect.file(table), into: "Ada")
        #expect(report.entries == 2 && report.rejected == 0, "\(report)")
        #expect(try entries() == ["2026-03-04 Käse 2274.03 10.7", "2026-03-28 Oats 311 10.7"])
        #expect(try diary.exported("Ada").entries.map(\.serving.grams) == [1250, 80])
    }

    @Test(arguments: dialects) func `a scale's table is read as it was written`(dialect: Dialect) throws {
        let table =
            [["Datum", "Gewicht (kg)", "Bemerkung"]]
            + zip(Self.days, ["72.5", "72.355"]).map { [dialect.day($0), dialect.number($1), "Über"] }
        let report = try diary.importFile(try dialect.file(table), into: "Ada")
        #expect(report.weights == 2 && report.rejected == 0, "\(report)")
        #expect(
            try diary.weights(of: "Ada").map { "\($0.day) \($0.kilograms)" } == [
                "2026-03-04 72.5", "2026-03-28 72.355",
            ])
    }

    @Test(arguments: dialects) func `a table of products is read as it was written, or refused`(dialect: Dialect) throws
    {
        let table = [
            ["code", "product_name", "energy-kcal_100g", "proteins_100g", "salt_100g"],
            ["4002359640469", "Käse \"Alp\"", dialect.number("412.5"), dialect.number("3.125"), dialect.number("0.6")],
        ]
        let file = folder.url.appending(path: "products.csv")
        try dialect.file(table).write(to: file)
        let home = folder.url.appending(path: "catalogue")
        guard dialect.encoding != .utf16 else {
            #expect(throws: StartupError.self) {
                try CatalogueImport(folder: home, format: .offCSV).run(file.path) { _, _, _ in }
            }
            return
        }
        _ = try CatalogueImport(folder: home, format: .offCSV).run(file.path) { _, _, _ in }
        let number = try #require(GTIN("4002359640469"))
        let product = try #require(try Catalogue(folder: home).product(number))
        #expect(product.name == "Käse \"Alp\"")
        #expect(product.nutrients.energyKcal == 412.5 && product.nutrients.protein == 3.125)
        #expect(product.nutrients.salt == 0.6)
    }

    private func refusal(_ text: String) throws -> String {
        let problem = try #require(throws: DiaryProblem.self) { try diary.importFile(Data(text.utf8), into: "Ada") }
        #expect(try entries() == [])
        return problem.detail
    }

    private static let head = "Date;Meal;Calories;Fat (g);Protein (g)\n"

    @Test func `numbers that nothing decides are refused with their row`() throws {
        #expect(
            try refusal(Self.head + "2026-03-04;Lunch;820;1;2\n2026-03-05;Lunch;1,050;1;2\n")
                == "“1,050” (row 3) can be 1050 or a number with decimals, and no other number decides: "
                + "write 1050 without a separator")
        #expect(
            try refusal(Self.head + "2026-03-04;Lunch;820;1,5;2\n2026-03-05;Lunch;1050;1.5;2\n")
                == "“1,5” (row 2) has a decimal comma and “1.5” (row 3) a decimal point: write all numbers in one way")
    }

    @Test func `the file decides the order of its dates`() throws {
        let row = ";Lunch;820;1;2\n"
        let reason = try refusal(Self.head + "03/04/2026\(row)05/04/2026\(row)")
        #expect(reason.contains("(row 2)"))
        _ = try diary.importFile(Data((Self.head + "03/04/2026\(row)28/04/2026\(row)").utf8), into: "Ada")
        #expect(try entries().map { $0.prefix(10) } == ["2026-04-03", "2026-04-28"])
    }
}
