import Core
import Foundation
import HTTP
import Foods
import TestSupport
import Testing

@testable import App
@testable import Diary

@Suite struct DiaryPagesTests {
    private let today: Day

    init() throws { today = try #require(Day("2026-11-22")) }

    private func entry(_ name: String, _ meal: Meal, _ calories: Decimal) -> MealEntry {
        let food = Food(
            id: "own:\(name)", name: name, calories: calories, protein: 10, carbs: 20, fat: 5,
            defaultServing: Serving(sizeLabel: "100 g", grams: 100, multiplier: 1), source: .verified)
        return MealEntry(
            id: name, food: food, serving: food.defaultServing, meal: meal,
            timestamp: today.start(in: .gmt) + 36_000, zone: "GMT")
    }

    private func day(
        _ entries: [MealEntry], goal: UserGoal? = UserGoal(dailyCalories: 1800, protein: 90), of other: Day? = nil
    ) -> TodayContent {
        let log = DayLog(
            id: today, date: today.start(in: .gmt), entries: entries,
            totals: entries.reduce(MacroTotals()) { $0 + $1.totals })
        return TodayContent(
            person: .init(name: "Ada", zone: "GMT", goal: goal), today: today, log: log, day: other ?? today,
            habits: entries.prefix(1).map { Habit(food: $0.food, serving: $0.serving, score: 1, count: 3, day: today) },
            earlier: [EarlierMeal(meal: .breakfast, day: today.adding(-1), names: ["Oats"], calories: 412)],
            projection: nil, weight: (today, 73.2), hour: 8)
    }

    private func page(_ content: TodayContent, mayWrite: Bool = true, _ language: String = "en") throws -> TodayPage {
        try TodayPage(content, PageRendering.texts(language), place: DiaryPlace(), mayWrite: mayWrite, added: nil)
    }

    // MARK: A child's diary

    @Test func `on a child's pages every form and every link of the diary names the child`() throws {
        let oats = Food.quick(id: "o", name: "Oats", calories: 100, protein: 1, carbs: 1, fat: 1)
        let entry = MealEntry(
            id: "e", food: oats, serving: oats.defaultServing, meal: .lunch, timestamp: Date(timeIntervalSince1970: 0),
            zone: "GMT")
        let place = DiaryPlace(owner: "Leo & Mia")
        let found = [FoundFood(food: oats, serving: oats.defaultServing, count: 0)]
        let pages = [
            try PageRendering.html(
                TodayPage(day([entry]), PageRendering.texts(), place: place, mayWrite: true, added: nil)),
            try PageRendering.html(
                AddPage(
                    AddQuery(), beside: day([]), found: found, product: .noNumber, PageRendering.texts(), place: place)),
            try PageRendering.html(EntryPage(entry, PageRendering.texts(), place: place)),
        ]
        for page in pages {
            let main = try #require(page.firstRange(of: "<main").map { page[$0.lowerBound...] })
            let addresses = main.matches(of: /(?:href|action)="(\/(?:today|goal|week)[^"]*)"/).map { String($0.1) }
            #expect(addresses.count >= 3)
            for address in addresses where !address.contains("person=Leo") {
                // The search sends the name as a field.
                #expect(
                    address == "/today/add" && main.contains("name=\"person\" value=\"Leo &amp; Mia\""), "\(address)")
            }
        }
    }

    // MARK: Today

    @Test func `a day is empty, open or complete`() throws {
        let meals = [entry("Oats", .breakfast, 400), entry("Pie", .lunch, 600), entry("Pasta", .dinner, 790)]
        #expect(try page(day([])).state == "empty")
        #expect(try page(day(Array(meals.prefix(2)))).state == "open")
        #expect(try page(day(meals)).state == "complete")
        #expect(try page(day(Array(meals.prefix(1)), of: today.adding(-1))).state == "complete")
        #expect(try PageRendering.html(page(day([]))).contains("Log your first meal"))
        let full = try PageRendering.html(page(day(meals)))
        #expect(full.contains("The day is complete. Within 100 kcal of the goal. 1,790 of 1,800 calories, 99 %."))
        #expect(full.contains("stroke-dasharray=\"437.4 440\""))
    }

    @Test func `a day says what is left, in the reader's language and number form`() throws {
        let content = day([entry("Oats", .breakfast, 1320)])
        let english = try PageRendering.html(page(content))
        #expect(english.contains("480 kcal are left. 1,320 of 1,800 calories, 73 %."))
        #expect(english.contains("Sunday") && english.contains("22 November 2026"))
        let german = try PageRendering.html(page(content, mayWrite: true, "de"), "de")
        #expect(german.contains("480 kcal sind übrig. 1.320 von 1.800 Kalorien, 73 %."))
        #expect(german.contains("Sonntag, 22. November 2026"))
        // A macronutrient without a goal has no bar.
        #expect(english.matches(of: /<progress/).count == 1)
    }

    @Test func `what is eaten and what is left make the goal, whatever is rounded`() throws {
        let text = DiaryText(try PageRendering.texts())
        for tenth in 0...10 {
            for (goal, eaten) in [(1900, 1090), (2000.4, 3100.5), (1800.5, 900.5)] as [(Decimal, Decimal)] {
                let calories = eaten + Decimal(tenth) / 10
                let shown = [goal, calories].map { $0.rounded }
                #expect(text.left(goal, calories).contains(text.figures.whole(abs(shown[0] - shown[1]))), "\(calories)")
            }
        }
    }

    @Test func `who may only read gets no form`() throws {
        let content = day([entry("Oats", .breakfast, 400)])
        #expect(try PageRendering.html(page(content)).contains("<form"))
        let other = try PageRendering.html(page(content, mayWrite: false))
        #expect(!other.contains("<form") && !other.contains("/today/entries") && !other.contains("href=\"/goal\""))
    }

    @Test func `names of foods cannot become markup, also in the hidden field`() throws {
        let content = day([entry("<script>alert(1)</script>\"", .lunch, 400)])
        let page = try PageRendering.html(page(content))
        #expect(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"))
        let field = try #require(page.firstMatch(of: /name="food" value="([^"]*)"/)).1
        let json = field.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        #expect(try JSONCoding.decode(Food.self, from: Data(json.utf8)) == content.log.entries[0].food)
    }

    // MARK: Add

    private func add(
        _ query: String, _ found: [FoundFood], _ product: SearchedProduct = .noNumber, photo: PhotoFood? = nil
    ) throws -> String {
        var (asked, content) = (AddQuery(), day([]))
        asked.text = query
        (content.earlier, content.hour) = ([], 12)
        return try PageRendering.html(
            AddPage(
                asked, beside: content, found: found, product: product, PageRendering.texts(), place: DiaryPlace(),
                photo: photo))
    }

    @Test func `a search without a result leads to quick add, and says what a number lacks`() throws {
        #expect(try add("zzz", []).contains("Nothing matches “zzz”"))
        #expect(try add("9520100001048", [], .unknown).contains("No record of 9520100001048"))
        #expect(try add("9520100001048", [], .noEnergy).contains("states no energy"))
        #expect(try !add("", []).contains("No foods found"))
        #expect(try add("", [], photo: .unreadable).contains("Use more light and hold still, or type the number"))
    }

    @Test func `a table without its energy says which figures were not read, and has fields for them`() throws {
        let serving = Serving(sizeLabel: "100 g", grams: 100, multiplier: 1)
        let food = Food(
            id: "own:1", name: "Oats", calories: 0, protein: 0, carbs: 61, fat: 8, defaultServing: serving,
            source: .scanned, unknown: ["protein"], confidence: 0)
        let page = try add("", [], photo: .incomplete(food))
        #expect(page.contains("Not read in this nutrition table: Energy, Protein. Type the figures"))
        #expect(!page.contains("Nothing to log") && !page.contains("Photograph the nutrition table"))
        for (field, value) in [("calories", ""), ("protein", ""), ("carbs", "61"), ("fat", "8")] {
            let input = try Regex("name=\"\(field)\" inputmode=\"decimal\"( required)?\\s+value=\"\(value)\"")
            #expect(page.firstMatch(of: input) != nil, "\(field)")
        }
    }

    @Test func `a page of eight foods with its files stays below 60,000 bytes`() throws {
        let long = String(repeating: "Wholegrain oat flakes with honey ", count: 3)
        let found = (0..<8).map { number in
            let food = Food(
                id: "off:\(number)", name: long, brand: "Tafelhof", barcode: "9520100001048", calories: 370,
                protein: 13, carbs: 60, fat: 7,
                defaultServing: Serving(sizeLabel: "1 serving (40 g)", grams: 40, multiplier: 0.4),
                altServings: [Serving(sizeLabel: "100 g", grams: 100, multiplier: 1)], source: .verified)
            return FoundFood(food: food, serving: food.defaultServing, count: 4)
        }
        let page = try add("oat", found)
        let files = try (["app.css", "diary.js"] + AddPage.styles.map { $0 + ".css" }).map {
            try Data(contentsOf: Repository.models.appending(path: "web/static/\($0)")).count
        }
        #expect(page.utf8.count + files.reduce(0, +) < 60_000)
        #expect(page.matches(of: /class="item item--food"/).count == 8)
    }

    // MARK: Projection and week

    private func projections(_ calories: Double) throws -> [Projection] {
        let body = Body(isMale: false, age: 36, height: 168, weight: 73, activity: 1.55)
        let projector = Projector(
            weight: 73, body: body, intake: (0..<20).map { ($0, 1790) }, weights: [], goal: calories,
            target: (69, 120))
        return [Projection.Scenario.asGoal, .asLogged].compactMap { projector.projection($0) }
    }

    @Test(arguments: ["en", "de"]) func `every line of the arithmetic is written out`(_ language: String) throws {
        let diary = DiaryText(try PageRendering.texts(language))
        for projection in try projections(1000) {
            let part = try #require(diary.projection(projection, from: today))
            let steps = part.steps
            #expect(steps.count == projection.steps.count)
            #expect(steps.allSatisfy { !$0.contains("{") && !$0.hasPrefix("step.") }, "\(steps)")
            #expect(part.warnings.allSatisfy { !$0.hasPrefix("warning.") })
        }
        #expect(try projections(1000)[0].warnings.contains(.tooLow))
    }

    @Test func `the range on the page is that of the projection, and moves with the goal`() throws {
        let diary = DiaryText(try PageRendering.texts())
        var ranges: [String] = []
        for goal in [1500.0, 2100] {
            let projection = try #require(try projections(goal).first)
            let end = try #require(projection.points.last).weight
            let text = try #require(diary.projection(projection, from: today)?.range)
            #expect(text == "\(diary.figures.one(end.low)) to \(diary.figures.one(end.high)) kg")
            ranges.append(text)
        }
        #expect(ranges[0] != ranges[1])
    }

    @Test func `the plot of a projection keeps its points inside the frame, widest at the end`() throws {
        let diary = DiaryText(try PageRendering.texts())
        for projection in try projections(1500) {
            let plot = DiaryPlots.projection(projection, figures: diary.figures) { "\($0)" }
            let range = try #require(plot).range
            let points = range.split(separator: " ").map { $0.split(separator: ",").compactMap { Double($0) } }
            #expect(points.count == 2 * projection.points.count)
            #expect(points.allSatisfy { (0...1000).contains($0[0]) && (11.9...162.1).contains($0[1]) }, "\(range)")
        }
    }

    @Test func `a week shows seven bars against the goal, and today as not over`() throws {
        let monday = Week(of: today)
        let totals = Dictionary(
            uniqueKeysWithValues: monday.days.map { ($0, MacroTotals(calories: $0 == today ? 1320 : 1750)) })
        let goal = UserGoal(dailyCalories: 1800)
        let summary = WeekSummary(
            week: monday, totals: totals, complete: Set(totals.keys), entries: [("Oats", .breakfast, 400)],
            today: today, goal: goal,
            expenditure: nil)
        let content = WeekContent(
            person: .init(name: "Ada", zone: "GMT", goal: goal), today: today, week: monday, summary: summary)
        let page = try PageRendering.html(WeekPage(content, PageRendering.texts(), place: DiaryPlace()))
        #expect(page.matches(of: /<rect [^>]*class="f1"/).count == 6)
        #expect(page.matches(of: /<rect [^>]*class="now"/).count == 1)
        #expect(!page.contains("class=\"f1s\""))
        #expect(page.contains("6 of 6") && page.contains("1,750") && page.contains("Sun 22"))
        #expect(page.contains("kcal a day below the goal"))
    }

    @Test func `a day that does not count has a light bar, with a word for it`() throws {
        let monday = Week(of: today)
        let totals = Dictionary(uniqueKeysWithValues: monday.days.map { ($0, MacroTotals(calories: 900)) })
        let summary = WeekSummary(
            week: monday, totals: totals, complete: Set(totals.keys.filter { $0 != monday.days[1] }), entries: [],
            today: today, goal: nil, expenditure: nil)
        #expect(summary.leftOut == [monday.days[1]])
        let content = WeekContent(
            person: .init(name: "Ada", zone: "GMT"), today: today, week: monday, summary: summary)
        let page = try PageRendering.html(WeekPage(content, PageRendering.texts(), place: DiaryPlace()))
        #expect(page.matches(of: /class="f1s"/).count == 1 && page.contains("a day that is not complete"))
    }

    @Test func `what no food states is a dash, and a sum says which foods it lacks`() throws {
        let goal = UserGoal(dailyCalories: 1800, protein: 95, carbs: 200, fat: 60)
        var nuts = entry("Nuts", .snack, 600)
        nuts.food.setMacros(nil, 20, nil)
        var oats = entry("Oats", .breakfast, 400)
        oats.food.setMacros(nil, 60, 8)
        let page = try page(day([nuts, oats], goal: goal))
        #expect(page.macros.map(\.value) == ["–", "80", "at least 8"])
        #expect(page.macros.map { $0.wanted != nil } == [false, true, true], "nothing is 0 of 95 g")
        #expect(page.macros.map { $0.without != nil } == [true, false, true])
        #expect(page.macros[2].without == "without 1 food that does not state it")
        let own = EntryPage(nuts, try PageRendering.texts(), place: DiaryPlace())
        #expect(own.macros.map(\.value) == ["not stated", "20 g", "not stated"])
        let summary = WeekSummary(
            week: Week(of: today), totals: [today: nuts.totals + oats.totals], complete: [today], entries: [],
            today: today.adding(1), goal: goal, expenditure: nil)
        let week = WeekContent(
            person: .init(name: "Ada", zone: "GMT", goal: goal), today: today.adding(1), week: Week(of: today),
            summary: summary)
        let values = WeekPage(week, try PageRendering.texts(), place: DiaryPlace()).macros.map(\.value)
        #expect(
            values == ["–, not stated", "80 of 200 g", "at least 8 of 60 g, without 1 food that does not state it"])
    }

    @Test(arguments: ["en", "de"]) func `every value of the diary has a word`(_ language: String) throws {
        let texts = try PageRendering.texts(language)
        var keys = Meal.allCases.flatMap { ["meal.\($0.rawValue)", "diary.log.\($0.rawValue)"] }
        keys += UserGoal.Activity.allCases.map { "activity.\($0.rawValue)" }
        keys += ["verified", "userCreated", "scanned"].map { "source.\($0)" }
        keys += ["ruleOfThumb", "dynamic", "fromData"].map { "model.\($0)" }
        keys += ["notUnderstood", "noWeight", "noDensity", "noSuchServing", "outOfRange"].map { "refusal.\($0)" }
        for key in keys { #expect(texts.has(key), "\(key)") }
    }
}
