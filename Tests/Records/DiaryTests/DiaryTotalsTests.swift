import Core
import Foundation
import GRDB
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

/// Random numbers that are the same in every run.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(sides))
    }

    mutating func pick<Value>(_ all: [Value]) -> Value { all[roll(all.count)] }
}

extension Diary {
    /// Imports a file in memory.
    func importFile(_ data: Data, into name: String) throws -> ImportReport {
        try importFile(in: ImportSource(data), into: name)
    }
}

extension DiaryProblem {
    /// What is wrong with a file; empty for other problems.
    var detail: String { if case .badFile(let detail, _) = self { detail } else { "" } }
}

func testFood(_ name: String, calories: Decimal = 250, id: String? = nil) -> Food {
    Food(
        id: id ?? "own:\(name)", name: name, calories: calories, protein: 10, carbs: 20, fat: 5,
        defaultServing: Serving(sizeLabel: "100 g", grams: 100, multiplier: 1), source: .verified)
}

@Suite struct DiaryTotalsTests {
    private let folder: TemporaryFolder
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
    }

    @Test func `what a food does not state is unknown in its day, its week and the file, and never 0`() throws {
        try diary.save(.init(name: "Ada", zone: "GMT", goal: UserGoal(dailyCalories: 1800)))
        let day = try #require(Day("2026-11-22"))
        for (number, protein) in [nil, nil, Decimal(4)].enumerated() {
            var food = testFood("Nuts \(number)")
            food.setMacros(protein, 20, nil)
            try diary.put(
                MealEntry(
                    id: "e\(number)", food: food, serving: food.defaultServing, meal: .snack,
                    timestamp: day.start(in: .gmt) + 36_000, zone: "GMT"), of: "Ada")
        }
        let totals = try diary.day(day, of: "Ada").totals
        #expect(totals.known(.protein) == .atLeast(4, without: 2))
        #expect(totals.known(.carbs) == .exact(60) && totals.known(.fat) == .nothing)
        try diary.setClosed(true, day, of: "Ada")
        let week = try diary.week(Week(of: day), of: "Ada", today: day.adding(1))
        #expect(week.average?.known(.protein) == .atLeast(4, without: 2) && week.average?.known(.fat) == .nothing)
        let csv = String(decoding: try diary.exportedCSV("Ada"), as: UTF8.self)
        #expect(csv.contains(",250,,20,,") && csv.contains(",250,4,20,,"), "\(csv)")
    }

    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Africa/Cairo",
        "Australia/Lord_Howe", "GMT",
    ]

    /// Totals computed from entries that the test itself keeps.
    private func expected(_ entries: [String: MealEntry]) -> [Day: MacroTotals] {
        var totals: [Day: MacroTotals] = [:]
        for entry in entries.values {
            guard let day = entry.day else { continue }
            totals[day] = (totals[day] ?? MacroTotals()) + entry.totals
        }
        return totals
    }

    @Test func `totals equal a recomputation after 10,000 random edits, deletions and changes of zone`() throws {
        var dice = Dice(21)
        let people = ["Ada", "Ben"]
        var own: [String: [String: MealEntry]] = ["Ada": [:], "Ben": [:]]
        for person in people { try diary.save(.init(name: person, zone: "Europe/Berlin")) }
        var changes = ["add": 0, "edit": 0, "delete": 0, "zone": 0, "person zone": 0]
        for step in 1...10_000 {
            let person = dice.pick(people)
            let ids = (own[person] ?? [:]).keys.sorted()
            let kind = ids.isEmpty ? 0 : dice.roll(10)
            switch kind {
            case 0..<4:
                let food = testFood("food \(dice.roll(30))", calories: Decimal(dice.roll(90_000)) / 100)
                let serving = Serving(
                    sizeLabel: "some", grams: nil, multiplier: Decimal(1 + dice.roll(4000)) / 777)
                let entry = MealEntry(
                    id: "e\(step)", food: food, serving: serving, meal: dice.pick(Meal.allCases),
                    timestamp: Date(timeIntervalSince1970: 1_760_000_000 + Double(dice.roll(5_000_000))),
                    zone: dice.pick(Self.zones))
                try diary.put(entry, of: person)
                own[person]?[entry.id] = entry
                changes["add", default: 0] += 1
            case 4..<7:
                let id = dice.pick(ids)
                guard var entry = own[person]?[id] else { continue }
                entry.serving.multiplier = Decimal(1 + dice.roll(3000)) / 1000
                entry.timestamp += Double(dice.roll(400_000) - 200_000)
                if dice.roll(3) == 0 { entry.food = testFood("other \(dice.roll(9))", calories: 123) }
                try diary.put(entry, of: person)
                own[person]?[id] = entry
                changes["edit", default: 0] += 1
            case 7:
                let id = dice.pick(ids)
                guard var entry = own[person]?[id] else { continue }
                entry.zone = dice.pick(Self.zones)
                try diary.put(entry, of: person)
                own[person]?[id] = entry
                changes["zone", default: 0] += 1
            case 8:
                try diary.save(.init(name: person, zone: dice.pick(Self.zones)))
                changes["person zone", default: 0] += 1
            default:
                let id = dice.pick(ids)
                #expect(try diary.removeEntry(id, of: person))
                own[person]?[id] = nil
                changes["delete", default: 0] += 1
            }
            if step % 500 == 0 {
                for person in people {
                    let stored = try diary.totals(of: person, from: Day(number: 0), to: Day(number: 99_999))
                    #expect(stored == expected(own[person] ?? [:]), "after \(step) changes")
                }
                #expect(try diary.faults().isEmpty)
            }
        }
        #expect(changes.values.allSatisfy { $0 > 500 }, "\(changes)")
    }

    @Test func `a total that differs from its entries is found`() throws {
        try diary.save(.init(name: "Ada", zone: "GMT"))
        let entry = MealEntry(
            id: "1", food: testFood("a"), serving: testFood("a").defaultServing, meal: .lunch,
            timestamp: Date(timeIntervalSince1970: 0), zone: "GMT")
        try diary.put(entry, of: "Ada")
        #expect(try diary.faults() == [])
        try diary.store.write { try $0.execute(sql: "UPDATE diary_day SET fat = fat + 1") }
        #expect(try diary.faults() == ["the diary's totals of 1970-01-01 differ from its entries"])
        try diary.store.write { try $0.execute(sql: "DELETE FROM diary_day") }
        #expect(try diary.faults().count == 1)
    }

    @Test func `a change of the person's zone moves no past entry`() throws {
        try diary.save(.init(name: "Ada", zone: "America/New_York"))
        let late = try Date("2026-11-22T03:30:00Z", strategy: .iso8601)
        let entry = MealEntry(
            id: "1", food: testFood("a"), serving: testFood("a").defaultServing, meal: .dinner, timestamp: late,
            zone: "America/New_York")
        try diary.put(entry, of: "Ada")
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
        let day = try #require(Day("2026-11-21"))
        #expect(try diary.day(day, of: "Ada").entries.map(\.id) == ["1"])
    }

    @Test func `a deleted diary leaves no row, and other diaries stay`() throws {
        for person in ["Ada", "Ben"] {
            try diary.save(.init(name: person, zone: "GMT"))
            try diary.put(
                MealEntry(
                    id: "1", food: testFood(person), serving: testFood("a").defaultServing, meal: .lunch,
                    timestamp: Date(timeIntervalSince1970: 0), zone: "GMT"), of: person)
            try diary.setWeight(70, on: Day(number: 1), of: person)
            try diary.count(.mealAdded, of: person)
        }
        #expect(try diary.remove("Ada"))
        #expect(try diary.remove("Ada") == false)
        for table in ["diary_person", "diary_entry", "diary_day", "diary_weight", "diary_count", "diary_food"] {
            let rows = try diary.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
            #expect(rows == 1, "\(table)")
        }
        #expect(try diary.faults() == [])
    }
}
