import Catalogue
import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

@Suite struct LabelFoodTests {
    private func outcome(_ basis: [Nutrition.Basis]) throws -> Outcome {
        var label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        label.nutrition = Nutrition(basis: basis)
        return Outcome(
            id: "sha256:1", source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            domains: [.label], confidence: Confidence(0.95), label: label, versions: .init(tablesight: "1"))
    }

    private func read(_ value: String, _ unit: String = "g", _ confidence: Double = 0.9) -> ReadValue {
        ReadValue(value: value, unit: unit, confidence: confidence)
    }

    @Test func `a food is no surer than its outcome`() throws {
        var hundred = Nutrition.Basis(per: "100g")
        hundred.energyKcal = read("377", "kcal")
        var outcome = try outcome([hundred])
        outcome.confidence = Confidence(0.3)
        #expect(Food(label: outcome, name: "Label")?.confidence == 0.3)
    }

    @Test func `the column of 100 g counts, and the serving is one of its size`() throws {
        var hundred = Nutrition.Basis(per: "100g")
        hundred.energyKcal = read("377", "kcal")
        hundred.protein = read("10.5")
        hundred.carbohydrate = read("61.0", "g", 0.7)
        hundred.fat = read("8.2")
        var serving = Nutrition.Basis(per: "serving")
        serving.servingSize = read("40 g", "")
        serving.energyKcal = read("151", "kcal")
        let food = try #require(Food(label: try outcome([serving, hundred]), name: "Label"))
        #expect(food.calories == 377 && food.carbs == 61)
        #expect(food.defaultServing.grams == 40)
        #expect(MacroTotals(of: food, food.defaultServing).calories == 150.8)
        #expect(food.source == .scanned && food.confidence == 0.7 && food.unknown == nil)
    }

    @Test func `kilojoules alone become kilocalories, and figures that are missing are named`() throws {
        var basis = Nutrition.Basis(per: "100ml")
        basis.energyKJ = read("180", "kJ")
        basis.fat = read("<0.5")
        let food = try #require(Food(label: try outcome([basis]), name: "Label"))
        #expect(food.calories == 43)
        #expect(food.fat == 0.5)
        #expect(food.unknown == ["protein", "carbs"])
        #expect(food.defaultServing.sizeLabel == "100 ml")
    }

    /// Kilocalories for 100 g, checks of the table, and whether they are logged without a person.
    @Test(
        arguments: [
            ("359", [], true), ("359", [("kilojoules", true)], true),
            ("359", [("kilojoules", false), ("macros", true)], true),
            ("359", [("kilojoules", true), ("macros", false)], true), ("359", [("parts", false)], true),
            ("359", [("macros", false)], false), ("1502", [("kilojoules", false)], false), ("1502", [], false),
            ("1502", [("kilojoules", false), ("macros", false), ("parts", true)], false), ("900", [], true),
        ] as [(String, [(String, Bool)], Bool)])
    func `energy that the table refutes is not logged`(
        kilocalories: String, checks: [(String, Bool)], isLogged: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        let search = FoodSearch(diary, catalogue: Catalogue(folder: folder.url))
        for per in ["100g", "serving"] {
            var basis = Nutrition.Basis(per: per)
            basis.energyKcal = read(kilocalories, "kcal")
            basis.servingSize = read("100 g", "")
            var photo = try outcome([basis])
            photo.label?.nutrition?.checks = checks.map { ArithmeticCheck(check: $0.0, holds: $0.1) }
            let food = try search.food(of: photo, name: "Label", for: "Ada")
            #expect((food.food != nil) == isLogged, "\(food)")
            if case .contradicted(let table) = food { #expect(table.calories == Decimal(string: kilocalories)) }
        }
    }

    @Test func `a table whose energy was not read is a table, whether its barcode has a record or not`() throws {
        let folder = try TemporaryFolder()
        let diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        let search = FoodSearch(diary, catalogue: Catalogue(folder: folder.url))
        var basis = Nutrition.Basis(per: "100g")
        basis.fat = read("8.2")
        basis.carbohydrate = read("61")
        for products in [nil, [Product(gtin: "9520100001048")]] {
            var photo = try outcome([basis])
            photo.products = products
            let food = try search.food(of: photo, name: "Label", for: "Ada")
            guard case .incomplete(let table) = food else {
                Issue.record("\(food)")
                continue
            }
            #expect(table.fat == Decimal(string: "8.2") && table.carbs == 61 && table.unknown == ["protein"])
            #expect(food.food == nil, "nothing is logged without a person")
        }
        let empty = try outcome([Nutrition.Basis(per: "100g")])
        #expect(try search.food(of: empty, name: "Label", for: "Ada") == .unreadable)
    }

    @Test func `a line of the table is no name`() throws {
        var basis = Nutrition.Basis(per: "100g")
        basis.energyKcal = read("377", "kcal")
        var photo = try outcome([basis])
        for (title, name) in [("je 100 g je Portion", "Label"), ("Energie 1577 kJ", "Label"), ("Muesli 7", "Muesli 7")]
        {
            photo.products = [.init(gtin: "9520100001048", name: title)]
            #expect(Food(label: photo, name: "Label")?.name == name)
        }
    }

    @Test func `a table without energy, and a photo without a table, are no food`() throws {
        var basis = Nutrition.Basis(per: "100g")
        basis.fat = read("8")
        #expect(Food(label: try outcome([basis]), name: "Label") == nil)
        #expect(Food(label: try outcome([]), name: "Label") == nil)
    }

    @Test func `an entry is stored at the time of day, a wrong portion is refused, and a change keeps the rest`() throws
    {
        let folder = try TemporaryFolder()
        let diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
        let now = try Date("2026-11-22T11:15:00Z", strategy: .iso8601)
        let first = try diary.add(testFood("Oats"), portion: "60 g", of: "Ada", now: now)
        #expect(first.meal == .lunch && first.timestamp == now && first.totals.calories == 150)
        let day = try #require(Day("2026-11-20"))
        let other = try diary.add(testFood("Oats"), at: .snack, on: day, of: "Ada", now: now)
        #expect(other.day == day)
        #expect(other.timestamp == now - 2 * 86_400)
        let refused = #expect(throws: DiaryProblem.self) {
            try diary.add(testFood("Oats"), portion: "1 cup", of: "Ada", now: now)
        }
        if case .portion? = refused {} else { Issue.record("\(String(describing: refused))") }
        let changed = try diary.change(other.id, of: "Ada", portion: "200 g", meal: nil, day: Day("2026-11-22"))
        #expect(changed.totals.calories == 500 && changed.meal == .snack && changed.timestamp == now)
        #expect(throws: DiaryProblem.noEntry("none", of: "Ada")) {
            try diary.change("none", of: "Ada", portion: nil, meal: nil, day: nil)
        }
        #expect(try diary.faults().isEmpty)
    }
}
