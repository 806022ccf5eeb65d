import Core
import Diary
import Foundation
import Foods
import TestSupport
import Testing

/// A year of invented meals, and every place where its numbers are shown.
@Suite(.serialized) struct DiaryYearTests {
    private let house: House
    private let ada: String
    private let today: Day
    /// Kilocalories, protein, carbohydrate and fat of each entry, by day; summed here without the program's code.
    private var eaten: [Day: [[Decimal]]] = [:]

    init() async throws {
        house = try await House.furnished().house
        ada = try house.device(of: "Ada", opens: true)
        let diary = Diary(house.store)
        _ = try diary.remove("Ada")
        let goal = UserGoal(
            dailyCalories: 1900, currentWeight: 73, targetWeight: 70, sex: .female, birthYear: 1990, height: 168,
            activity: .light, protein: 90)
        try diary.save(.init(name: "Ada", zone: "GMT", goal: goal))
        today = Day(of: house.clock.date, in: .gmt)
        var random = SplitMix(seed: 44)
        var entries: [MealEntry] = []
        for ago in 0..<365 where random.below(9) > 0 {
            let day = today.adding(-ago)
            if ago % 5 == 0 {
                try diary.setWeight(Decimal(73_000 + random.below(900) - ago) / 1000, on: day, of: "Ada")
            }
            // Some days have a breakfast only.
            for number in 0..<(ago % 11 == 3 ? 1 : 3 + random.below(3)) {
                let figures = (0..<4).map { Decimal(random.below($0 == 0 ? 60_000 : 4_000)) / 100 }
                let food = Food(
                    id: "own:\(ago)-\(number)", name: "Food \(random.below(30))", calories: figures[0],
                    protein: figures[1], carbs: figures[2], fat: figures[3],
                    defaultServing: Serving(sizeLabel: "100 g", grams: 100, multiplier: 1), source: .userCreated)
                // Half of the entries are of another portion than the usual one.
                let times = number % 2 == 0 ? Decimal(1) : Decimal(random.below(300)) / 100 + Decimal(0.25)
                entries.append(
                    MealEntry(
                        id: food.id, food: food,
                        serving: Serving(sizeLabel: "\(times * 100) g", grams: times * 100, multiplier: times),
                        meal: Meal.allCases[number < 3 ? number : random.below(4)],
                        timestamp: day.start(in: .gmt) + Double(random.below(86_400)), zone: "GMT"))
                eaten[day, default: []].append(figures.map { $0 * times })
            }
        }
        try diary.put(entries, of: "Ada")
    }

    private func sums(of days: [Day]) -> [Decimal] {
        days.flatMap { eaten[$0] ?? [] }.reduce([0, 0, 0, 0]) { sums, entry in zip(sums, entry).map(+) }
    }

    /// `1,234`, rounded half away from zero.
    private func whole(_ value: Decimal) -> String {
        var (rounded, exact) = (Decimal(), value)
        NSDecimalRound(&rounded, &exact, 0, .plain)
        let digits = "\(rounded)"
        return digits.count > 3 ? digits.dropLast(3) + "," + digits.suffix(3) : digits
    }

    private func json(_ path: String) async throws -> [String: Any] {
        try await house.call("GET", "/v1/people/Ada/\(path)", nil, as: ada).json
    }

    private func figure(_ json: Any?, _ name: String) throws -> Decimal {
        try #require((json as? [String: Any])?[name] as? NSNumber).decimalValue
    }

    private func command(_ arguments: String...) throws -> String {
        let database = house.folder.url.appending(path: "out/tablesight.sqlite").path
        let result = try Program("tablesight").run(
            ["diary"] + arguments + ["--person", "Ada", "--database", database])
        try #require(result.exitCode == 0, "\(result.errors)")
        return result.output
    }

    /// Thousandths: the database keeps three decimals of each entry.
    private func isNear(_ one: Decimal, _ other: Decimal, entries: Int) -> Bool {
        abs(one - other) <= Decimal(entries + 1) / 1000
    }

    @Test func `days have the same numbers in the page, the API, the text output and the exports`() async throws {
        let file = try await house.call("GET", "/v1/people/Ada/export", nil, as: ada).json
        let exported = try #require(file["entries"] as? [[String: Any]])
        #expect(exported.count == eaten.values.reduce(0) { $0 + $1.count })
        let table = try await house.call("GET", "/v1/people/Ada/export?format=csv", nil, as: ada).text
        let rows = table.split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        for ago in stride(from: 0, to: 365, by: 9) {
            let day = today.adding(-ago)
            let (sum, count) = (sums(of: [day]), eaten[day]?.count ?? 0)
            let totals = try await json("days/\(day)")["totals"]
            for (name, wanted) in zip(["calories", "protein", "carbs", "fat"], sum) {
                let shown = try figure(totals, name)
                #expect(isNear(shown, wanted, entries: count), "\(day) \(name): \(shown), not \(wanted)")
            }
            let ofDay = rows.filter { $0[0] == "entry" && $0[2] == "\(day)" }
            let inTable = ofDay.compactMap { Decimal(string: $0[11]) }.reduce(0, +)
            #expect(
                ofDay.count == count && isNear(inTable, sum[0], entries: count), "\(day): \(inTable), not \(sum[0])")
            guard count > 0 else { continue }
            let words = "\(whole(sum[0])) of 1,900 calories"
            let page = try await house.browse("GET", "/today?day=\(day)", cookie: ada).text
            #expect(page.contains(words) && page.contains("<b>\(whole(sum[1]))</b>"), "\(day): no “\(words)”")
            let text = try command("day", "\(day)")
            #expect(text.contains(words), "\(day): \(text)")
        }
    }

    @Test func `weeks have the same numbers in the page, the API and the text output`() async throws {
        for ago in stride(from: 0, to: 52, by: 4) {
            let week = Week(of: today.adding(-7 * ago))
            let full = week.days.filter { $0 < today && (eaten[$0]?.count ?? 0) >= 3 }
            guard !full.isEmpty else { continue }
            let mean = sums(of: full).map { $0 / Decimal(full.count) }
            let near = full.count { abs(sums(of: [$0])[0] - 1900) <= 100 }
            let summary = try await json("week/\(week)")
            let average = try figure(summary["average"], "calories")
            #expect(isNear(average, mean[0], entries: 40), "\(week): \(average), not \(mean[0])")
            #expect(summary["daysWithinGoal"] as? Int == near)
            let page = try await house.browse("GET", "/week?week=\(week)", cookie: ada).text
            #expect(page.contains("<b>\(whole(mean[0]))</b>"), "\(week): no mean \(whole(mean[0]))")
            #expect(page.contains("<b>\(near) of \(full.count)</b>"))
            #expect(
                page.contains("<dd class=\"num\">\(whole(mean[1])) of 90 g</dd>"), "\(week): no \(whole(mean[1])) g")
            let text = try command("week", "\(week)")
            #expect(text.contains("mean of \(full.count) full days: \(whole(mean[0])) kcal"), "\(text)")
            #expect(text.contains("\(near) of \(full.count) days within 100 kcal"))
        }
    }

    @Test(arguments: [false, true])
    func `the projection is one on Today, Week, Goal, in the API and in the text output`(_ isWeekEmpty: Bool)
        async throws
    {
        if isWeekEmpty {
            let diary = Diary(house.store)
            for entry in try diary.entries(of: "Ada", from: Week(of: today).monday, to: today) {
                _ = try diary.removeEntry(entry.id, of: "Ada")
            }
        }
        let all = try await house.call("GET", "/v1/people/Ada/projection", nil, as: ada).array
        let logged = try #require(all.first { $0["scenario"] as? String == "asLogged" })
        let end = try #require((logged["points"] as? [[String: Any]])?.last?["weight"])
        func one(_ name: String) throws -> String {
            var (rounded, exact) = (Decimal(), try figure(end, name))
            NSDecimalRound(&rounded, &exact, 1, .plain)
            return "\(rounded)"
        }
        let range = "\(try one("low")) to \(try one("high")) kg"
        for path in ["/today", "/week", "/goal"] {
            let page = try await house.browse("GET", path, cookie: ada).text
            #expect(page.contains("<b>\(range)</b>"), "\(path): no “\(range)”")
            #expect(page.contains("Target 70 kg:"), "\(path)")
        }
        #expect(try command("project").contains("As logged so far: \(range) in 12 weeks"))
    }
}

/// Sebastiano Vigna's splitmix64: the same numbers on every machine.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ end: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(end))
    }
}
