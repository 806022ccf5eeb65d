import Catalogue
import Core
import Foundation
import GRDB
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

@Suite struct DiaryTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        diary = Diary(store)
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
    }

    private func entry(_ name: String, _ time: String, _ meal: Meal = .breakfast, calories: Decimal = 200) throws
        -> MealEntry
    {
        let food = testFood(name, calories: calories)
        return MealEntry(
            id: UUID().uuidString, food: food, serving: food.defaultServing, meal: meal,
            timestamp: try Date(time, strategy: .iso8601), zone: "Europe/Berlin")
    }

    @Test func `a deleted diary leaves no bytes in the files`() throws {
        func files(with text: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
                try Data(contentsOf: folder.url.appending(path: name)).range(of: Data(text.utf8)) != nil
            }
        }
        try diary.put((0..<40).map { try entry("Quincecake \($0)", "2026-11-22T08:00:00Z") }, of: "Ada")
        #expect(try store.emptyLog())
        #expect(try files(with: "Quincecake") == ["tablesight.sqlite"])
        #expect(try diary.remove("Ada"))
        #expect(try store.emptyLog())
        #expect(try files(with: "Quincecake") == [])
    }

    // MARK: Access

    @Test func `only a member can be let in, and no longer`() throws {
        #expect(throws: DiaryProblem.self) { try diary.setReader("Ben", of: "Ada", isAllowed: true) }
        try store.write {
            try $0.execute(
                sql:
                    "INSERT INTO member (name, key, role, colour, json, created) VALUES ('Ben', 'ben', 'adult', 1, x'', 0)"
            )
        }
        try diary.setReader("BEN", of: "Ada", isAllowed: true)
        #expect(try diary.readers(of: "Ada") == ["Ben"])
        #expect(try diary.shared(with: "Ben") == ["Ada"])
        try diary.setReader("ben", of: "Ada", isAllowed: false)
        #expect(try diary.readers(of: "Ada").isEmpty)
    }

    @Test func `foods of one person are not found by another`() throws {
        try diary.save(.init(name: "Ben", zone: "GMT"))
        try diary.put(try entry("Secret soup", "2026-11-22T08:00:00Z"), of: "Ada")
        let search = FoodSearch(diary, catalogue: Catalogue(folder: folder.url.appending(path: "none")))
        let now = try Date("2026-11-22T09:00:00Z", strategy: .iso8601)
        #expect(try search.foods("secret", of: "Ada", at: now).count == 1)
        #expect(try search.foods("secret", of: "Ben", at: now).isEmpty)
        #expect(try diary.entry("1", of: "Ben") == nil)
    }

    // MARK: Habit

    @Test func `what is usual at this hour comes first`() throws {
        for day in 10...20 {
            try diary.put(try entry("Porridge", "2026-11-\(day)T07:00:00Z"), of: "Ada")
            try diary.put(try entry("Pasta", "2026-11-\(day)T19:00:00Z", .dinner), of: "Ada")
        }
        let morning = try Date("2026-11-21T07:10:00Z", strategy: .iso8601)
        let evening = try Date("2026-11-21T18:40:00Z", strategy: .iso8601)
        #expect(try diary.habits(of: "Ada", at: morning).map(\.food.name) == ["Porridge", "Pasta"])
        #expect(try diary.habits(of: "Ada", at: evening).map(\.food.name) == ["Pasta", "Porridge"])
    }

    @Test func `last night's dinner is not of the same weekday`() throws {
        // A Saturday's dinner, 13 hours before Sunday's morning, and one on the Sunday a week before.
        try diary.put(try entry("Pasta", "2026-11-21T18:00:00Z", .dinner), of: "Ada")
        try diary.put(try entry("Pasta", "2026-11-14T18:00:00Z", .dinner), of: "Ada")
        try diary.put(try entry("Soup", "2026-11-21T18:00:00Z", .dinner), of: "Ada")
        try diary.put(try entry("Soup", "2026-11-15T18:00:00Z", .dinner), of: "Ada")
        let now = try Date("2026-11-22T07:00:00Z", strategy: .iso8601)
        #expect(try diary.habits(of: "Ada", at: now).map(\.food.name) == ["Soup", "Pasta"])
        let last = HabitRank.weight(age: 13 / 24, hours: 11, sameWeekday: false)
        let first = try #require(try diary.habits(of: "Ada", at: now).last)
        #expect(abs(first.score - last - HabitRank.weight(age: 7 + 13.0 / 24, hours: 11, sameWeekday: false)) < 0.001)
    }

    @Test func `yesterday's breakfast is logged again at the same time of day`() throws {
        try diary.put(try entry("Porridge", "2026-11-21T07:00:00Z"), of: "Ada")
        try diary.put(try entry("Milk", "2026-11-21T07:05:00Z"), of: "Ada")
        let (yesterday, today) = (try #require(Day("2026-11-21")), try #require(Day("2026-11-22")))
        let earlier = try diary.earlierMeals(of: "Ada", before: today)
        #expect(earlier.map(\.meal) == [.breakfast])
        #expect(earlier.first?.names == ["Porridge", "Milk"])
        let copies = try diary.reuse(.breakfast, of: yesterday, on: today, of: "Ada")
        #expect(copies.map { $0.timestamp.formatted(.iso8601) } == ["2026-11-22T07:00:00Z", "2026-11-22T07:05:00Z"])
        #expect(try diary.day(today, of: "Ada").totals.calories == 400)
        #expect(try diary.day(yesterday, of: "Ada").entries.count == 2)
    }

    // MARK: Counters

    @Test func `events are counted without content`() throws {
        try diary.count(.mealAdded, of: "Ada")
        try diary.count(.mealAdded, of: "Ada")
        try diary.count(.weekOpened, of: "Nobody")
        let counts = try diary.counts(of: "Ada")
        #expect(counts["meal_added"] == 2)
        #expect(counts["week_opened"] == 0)
        #expect(counts.count == Diary.Event.allCases.count)
    }

    // MARK: Bad values

    @Test func `entries with wrong values are refused`() throws {
        var wrong = try entry("x", "2026-11-22T08:00:00Z")
        wrong.zone = "Nowhere/City"
        #expect(throws: DiaryProblem.self) { try diary.put(wrong, of: "Ada") }
        wrong.zone = "GMT"
        wrong.serving.multiplier = -1
        #expect(throws: DiaryProblem.self) { try diary.put(wrong, of: "Ada") }
        wrong.serving.multiplier = 1
        wrong.timestamp = .distantFuture
        #expect(throws: DiaryProblem.self) { try diary.put(wrong, of: "Ada") }
        #expect(throws: DiaryProblem.noDiary) { try diary.put(try entry("x", "2026-11-22T08:00:00Z"), of: "Nobody") }
    }

    // MARK: Week

    @Test func `a week counts full days, and names the most eaten food`() throws {
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin", goal: UserGoal(dailyCalories: 1800)))
        for day in 16...20 {
            try diary.put(try entry("Oats", "2026-11-\(day)T07:00:00Z", calories: 800), of: "Ada")
            try diary.put(try entry("Pasta", "2026-11-\(day)T18:00:00Z", .dinner, calories: 950), of: "Ada")
        }
        try diary.put(try entry("Oats", "2026-11-22T07:00:00Z", calories: 800), of: "Ada")
        let today = try #require(Day("2026-11-22"))
        let week = try diary.week(try #require(Week("2026-W47")), of: "Ada", today: today)
        #expect(week.points.map(\.calories) == [1750, 1750, 1750, 1750, 1750, 0, 800])
        #expect(week.fullDays == 5)
        #expect(week.average?.calories == 1750)
        #expect(week.daysWithinGoal == 5)
        #expect(week.averageDeficit == 50)
        #expect(week.topFoods.map(\.name) == ["Oats", "Pasta"])
        #expect(week.topFoods.map(\.count) == [6, 5])
        #expect(week.mostLoggedMeal == .breakfast)
    }

    @Test func `days without the usual meals do not count`() throws {
        var goal = UserGoal(dailyCalories: 1800)
        (goal.sex, goal.birthYear, goal.height, goal.activity) = (.female, 1990, 168, .light)
        goal.currentWeight = 73
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin", goal: goal))
        let (today, week) = (try #require(Day("2026-11-22")), try #require(Week("2026-W47")))
        func projected() throws -> Projection? {
            try diary.projector(of: "Ada", today: today)?.projection(.asLogged)
        }
        // Three breakfasts say nothing about the day.
        for day in 16...18 {
            try diary.put(try entry("Oats", "2026-11-\(day)T07:00:00Z", calories: 400), of: "Ada")
        }
        #expect(try projected() == nil)
        #expect(try diary.week(week, of: "Ada", today: today).average == nil)
        // The same days with dinners, and others with breakfast only
        for day in 14...18 {
            try diary.put(try entry("Milk", "2026-11-\(day)T07:30:00Z", calories: 300), of: "Ada")
            try diary.put(try entry("Pasta", "2026-11-\(day)T18:00:00Z", .dinner, calories: 900), of: "Ada")
        }
        for day in 19...20 {
            try diary.put(try entry("Oats", "2026-11-\(day)T07:00:00Z", calories: 1400), of: "Ada")
        }
        let steps = try #require(try projected()).steps
        #expect(steps.first { $0.kind == .eatenLogged }?.values["days"] == 5)
        #expect(steps.first { $0.kind == .leftOut }?.values["days"] == 2)
        let summary = try diary.week(week, of: "Ada", today: today)
        #expect(summary.fullDays == 3 && summary.average?.calories == 1600)
    }

    @Test func `a stored weight that no door accepts is left out`() throws {
        try store.write { database in
            for (day, grams) in [(20_700, Int64.min), (20_701, 72_000), (20_702, Int64.max)] {
                try database.execute(
                    sql: "INSERT INTO diary_weight VALUES ('Ada', ?, ?)", arguments: [day, grams])
            }
        }
        #expect(try diary.weights(of: "Ada").map(\.kilograms) == [72])
        #expect(throws: DiaryProblem.self) { try diary.setWeight(9_000_000, on: Day(number: 20_703), of: "Ada") }
        #expect(throws: DiaryProblem.self) { try diary.setWeight(70, on: Day(number: 2_900_000), of: "Ada") }
    }

    @Test func `the week and the projection count with the same figures`() throws {
        var goal = UserGoal(dailyCalories: 1800)
        (goal.sex, goal.birthYear, goal.height, goal.activity) = (.female, 1990, 168, .light)
        goal.currentWeight = 73
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin", goal: goal))
        for day in 16...20 { try diary.put(try entry("Oats", "2026-11-\(day)T07:00:00Z", calories: 1600), of: "Ada") }
        let today = try #require(Day("2026-11-22"))
        let week = try diary.week(try #require(Week("2026-W47")), of: "Ada", today: today)
        let projection = try #require(try diary.projector(of: "Ada", today: today)?.projection(.asLogged))
        let difference = try #require(projection.steps.first { $0.kind == .difference }?.values["value"])
        #expect(week.deficitAgainst == .expenditure)
        #expect(week.averageDeficit?.double == -difference)
    }
}
