import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

@Suite struct DiaryFilesTests {
    private let folder: TemporaryFolder
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        for name in ["Ada", "Ben"] { try diary.save(.init(name: name, zone: "Europe/Berlin")) }
    }

    private func fill() throws {
        var dice = Dice(3)
        for number in 0..<60 {
            let food = testFood(
                dice.pick(["Oats, rolled", "=SUM(A1)", "Brot \"rustikal\"", "Кефир", "Two\nlines"]),
                calories: Decimal(dice.roll(90_000)) / 100)
            try diary.put(
                MealEntry(
                    id: "e\(number)", food: food,
                    serving: Serving(sizeLabel: "½ pack", grams: 62.5, multiplier: Decimal(1 + dice.roll(3000)) / 777),
                    meal: dice.pick(Meal.allCases),
                    timestamp: Date(timeIntervalSince1970: 1_790_000_000 + Double(dice.roll(900_000))),
                    zone: dice.pick(["Europe/Berlin", "Asia/Kolkata"])), of: "Ada")
        }
        try diary.setWeight(Decimal(string: "73.2"), on: Day(number: 20_700), of: "Ada")
    }

    private var totals: (String) throws -> [Day: MacroTotals] {
        { try diary.totals(of: $0, from: Day(number: 0), to: Day(number: 99_999)) }
    }

    @Test func `JSON holds everything and restores it`() throws {
        try fill()
        let file = try JSONCoding.encode(try diary.exported("Ada"))
        for (new, known) in [(60, 0), (0, 61)] {
            let report = try diary.importFile(file, into: "Ben")
            #expect(report.entries == new && report.weights == min(new, 1) && report.unchanged == known, "\(report)")
            #expect(report.format == "tablesight-json")
        }
        let (ada, ben) = (try diary.exported("Ada"), try diary.exported("Ben"))
        #expect(ada.entries == ben.entries)
        #expect(try totals("Ada") == totals("Ben"))
    }

    @Test func `CSV restores the figures of each entry, and a second import changes nothing`() throws {
        try fill()
        let csv = try diary.exportedCSV("Ada")
        for (new, known) in [(60, 0), (0, 61)] {
            let report = try diary.importFile(csv, into: "Ben")
            #expect(report.entries == new && report.weights == min(new, 1) && report.unchanged == known, "\(report)")
            #expect(report.rejected == 0, "\(report.reasons)")
        }
        var file = try diary.exported("Ben")
        file.entries[0].serving.multiplier *= 2
        file.weights[0].weight += 1
        let report = try diary.importFile(try JSONCoding.encode(file), into: "Ben")
        #expect(report.entries == 1 && report.weights == 1 && report.unchanged == 59)
        try diary.put(try diary.exported("Ada").entries, of: "Ben")
        try diary.setWeights(try diary.weights(of: "Ada"), of: "Ben")
        _ = try diary.importFile(csv, into: "Ben")
        #expect(try totals("Ada") == totals("Ben"))
        let (ada, ben) = (try diary.exported("Ada"), try diary.exported("Ben"))
        #expect(ada.entries.map(\.food.name) == ben.entries.map(\.food.name))
        #expect(ada.entries.map(\.timestamp) == ben.entries.map(\.timestamp))
        #expect(!String(decoding: csv, as: UTF8.self).contains(",=SUM"), "a spreadsheet would run it")
    }

    @Test func `MyFitnessPal's nutrition summary is imported`() throws {
        let csv = """
            Date,Meal,Calories,Fat (g),Saturated Fat,Sodium (mg),Carbohydrates (g),Fiber,Sugar,Protein (g),Note\r
            2026-09-28,Breakfast,820,25.5,8,300,95,6,4,48,\r
            2026-09-28,Lunch,"1,050",30,10,300,120,8,4,70,"chicken, rice"\r
            09/29/2026,Snacks,150,1,0,50,30,1,20,2,\r
            2026-09-29,Dinner,many,1,0,50,30,1,20,2,\r
            Totals,,2020,,,,,,,,\r

            """
        let report = try diary.importFile(Data(csv.utf8), into: "Ada")
        #expect(report.format == "myfitnesspal" && report.entries == 3 && report.rejected == 1)
        #expect(report.reasons == ["row 5: calories “many” is not a number of 0 or more"])
        let day = try diary.day(try #require(Day("2026-09-28")), of: "Ada")
        #expect(day.totals == MacroTotals(calories: 1870, protein: 118, carbs: 215, fat: Decimal(string: "55.5") ?? 0))
        #expect(day.entries.map(\.meal) == [.breakfast, .lunch])
        #expect(try diary.day(try #require(Day("2026-09-29")), of: "Ada").entries.map(\.meal) == [.snack])
        let again = try diary.importFile(Data(csv.utf8), into: "Ada")
        #expect(again.entries == 0 && again.unchanged == 3 && again.rejected == 1)
        #expect(try diary.exported("Ada").entries.count == 3)
    }

    @Test func `Cronometer's servings are imported`() throws {
        let csv = """
            \u{FEFF}Day,Time,Group,Food Name,Amount,Energy (kcal),Protein (g),Carbs (g),Fat (g),Category
            2026-06-10,08:14 AM,Breakfast,"Oats, Rolled, Dry",80.00 g,311,10.7,54.8,5.3,Cereal Grains
            2026-06-10,01:02 PM,Lunch,Burrito,1.00 serving,625,42,58,22,Restaurant Foods
            2026-06-10,,Snacks,Banana,1.00 medium,105,,27,,
            2026-06-10,,Snacks,Banana,1.00 medium,105,,27,,
            """
        let report = try diary.importFile(Data(csv.utf8), into: "Ada")
        #expect(report.format == "cronometer" && report.entries == 4, "\(report)")
        let day = try diary.day(try #require(Day("2026-06-10")), of: "Ada")
        #expect(day.totals.calories == 1146)
        let oats = try #require(day.entries.first)
        #expect(oats.serving.grams == 80 && oats.timestamp.formatted(.iso8601) == "2026-06-10T06:14:00Z")
        #expect(day.entries.last?.food.unknown == ["protein", "fat"])
    }

    @Test(arguments: ["", "{}", "a,b\n1,2", "{\"schema\":\"tablesight.diary/1\"}", "no csv at all"])
    func `other files are refused`(text: String) {
        #expect(throws: DiaryProblem.self) { try diary.importFile(Data(text.utf8), into: "Ada") }
    }

    @Test func `damaged tables are read or refused, without a crash`() throws {
        var dice = Dice(5)
        let letters = Array("Day,Food Name,Energy (kcal)\n\"\r,,\"\"2026-06-10 ,1e9-'=\u{FEFF}")
        for _ in 0..<500 {
            let text = "Day,Food Name,Energy (kcal)\n" + String((0..<dice.roll(200)).map { _ in dice.pick(letters) })
            _ = try? diary.importFile(Data(text.utf8), into: "Ada")
        }
        #expect(try diary.faults() == [])
    }
}
