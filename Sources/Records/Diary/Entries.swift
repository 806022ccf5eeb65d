import Core
import Foundation
import GRDB
import Foods
import Store

extension Diary {
    /// Stores a new entry, or replaces the one with its id.
    package func put(_ entry: MealEntry, of person: String) throws { try put([entry], of: person) }

    /// Stores entries in one transaction; either all or none.
    ///
    /// - Returns: how many are new or differ from the stored entry with their id.
    @discardableResult
    package func put(_ entries: [MealEntry], of person: String) throws -> Int {
        let rows = try entries.map { try NewRow($0) }
        return try store.write { database in
            guard let person = try Self.person(database, person)?.name else { throw DiaryProblem.noDiary }
            return try rows.reduce(0) { try $0 + ($1.put(database, person) ? 1 : 0) }
        }
    }

    /// - Returns: false if there was none.
    package func removeEntry(_ id: String, of person: String) throws -> Bool {
        try store.overwriteDeleted()
        return try store.execute(literal: "DELETE FROM diary_entry WHERE person = \(person) AND id = \(id)") > 0
    }

    package func entry(_ id: String, of person: String) throws -> MealEntry? {
        try entries("person = \(person) AND entry.id = \(id)").first
    }

    /// Entries of these days in the order of day, meal and time.
    package func entries(of person: String, from first: Day, to last: Day) throws -> [MealEntry] {
        try entries("person = \(person) AND day BETWEEN \(first.number) AND \(last.number)")
    }

    private func entries(_ condition: SQL) throws -> [MealEntry] { try store.read { try Self.entries($0, condition) } }

    static func entries(_ database: Database, _ condition: SQL) throws -> [MealEntry] {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT entry.*, json FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
                WHERE \(condition)
                ORDER BY day, instr('breakfast lunch dinner snack', meal), at, number
                """)
        var foods: [Int64: Food] = [:]
        return try rows.map { row in
            let key: Int64 = row["food"]
            let food = try foods[key] ?? JSONCoding.decode(Food.self, from: row["json"])
            foods[key] = food
            return MealEntry(
                id: row["id"], food: food, serving: try JSONCoding.decode(Serving.self, from: row["serving"]),
                meal: Meal(rawValue: row["meal"]) ?? .snack,
                timestamp: Date(timeIntervalSince1970: Double(row["at"] as Int64) / 1000), zone: row["zone"])
        }
    }

    /// The day with its entries; without entries if nothing was logged.
    package func day(_ day: Day, of name: String) throws -> DayLog {
        try store.read { database in
            guard let person = try Self.person(database, name) else { throw DiaryProblem.noDiary }
            let entries = try Self.entries(database, "person = \(person.name) AND day = \(day.number)")
            var totals = try Self.totals(database, person.name, day, day)[day] ?? MacroTotals()
            totals.unknown = try Self.unknown(database, person.name, day, day)[day]
            return DayLog(
                id: day, date: day.start(in: person.timeZone), entries: entries, totals: totals)
        }
    }

    /// Totals of the days that have entries, with what their foods do not state.
    func statedTotals(of person: String, from first: Day, to last: Day) throws -> [Day: MacroTotals] {
        try store.read { database in
            var totals = try Self.totals(database, person, first, last)
            for (day, unknown) in try Self.unknown(database, person, first, last) { totals[day]?.unknown = unknown }
            return totals
        }
    }

    /// How many foods of each day do not state a macronutrient.
    private static func unknown(
        _ database: Database, _ person: String, _ first: Day, _ last: Day
    ) throws -> [Day: [String: Int]] {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT day, unknown.value AS name, count(*) AS foods
                FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
                    JOIN json_each(CAST(diary_food.json AS TEXT), '$.unknown') AS unknown
                WHERE person = \(person) AND day BETWEEN \(first.number) AND \(last.number) GROUP BY day, name
                """)
        return rows.reduce(into: [:]) { found, row in
            found[Day(number: row["day"]), default: [:]][row["name"]] = row["foods"]
        }
    }

    /// Stored totals of the days that have entries, without what their foods do not state.
    package func totals(of person: String, from first: Day, to last: Day) throws -> [Day: MacroTotals] {
        try store.read { try Self.totals($0, person, first, last) }
    }

    static func totals(_ database: Database, _ person: String, _ first: Day, _ last: Day) throws -> [Day: MacroTotals] {
        let rows = try Row.fetchAll(
            database,
            literal:
                "SELECT * FROM diary_day WHERE person = \(person) AND day BETWEEN \(first.number) AND \(last.number)")
        func value(_ row: Row, _ name: String) -> Decimal { Decimal(thousandths: row[name]) }
        return rows.reduce(into: [:]) { totals, row in
            totals[Day(number: row["day"])] = MacroTotals(
                calories: value(row, "calories"), protein: value(row, "protein"), carbs: value(row, "carbs"),
                fat: value(row, "fat"))
        }
    }

    /// Name, meal and calories of the entries of these days, for the week.
    package func portions(
        of person: String, from first: Day, to last: Day
    ) throws -> [(name: String, meal: Meal, calories: Decimal)] {
        try store.read(
            Row.fetchAll,
            """
            SELECT json_extract(CAST(json AS TEXT), '$.name') AS name, meal, calories
            FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
            WHERE person = \(person) AND day BETWEEN \(first.number) AND \(last.number)
            """
        ).map { ($0["name"] ?? "", Meal(rawValue: $0["meal"]) ?? .snack, Decimal(thousandths: $0["calories"])) }
    }

    /// Copies the entries of a meal to another day, at the same time of day in the person's zone.
    ///
    /// - Returns: the new entries; empty if there was nothing to copy.
    package func reuse(_ meal: Meal, of day: Day, on other: Day, of name: String) throws -> [MealEntry] {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let found = try entries("person = \(name) AND day = \(day.number) AND meal = \(meal.rawValue)")
        let copies = found.map { entry in
            var copy = entry
            copy.id = UUID().uuidString.lowercased()
            copy.zone = person.zone
            let old = TimeZone(identifier: entry.zone) ?? person.timeZone
            copy.timestamp = other.start(in: person.timeZone) + entry.timestamp.secondsOfDay(in: old)
            return copy
        }
        try put(copies, of: name)
        return copies
    }
}

/// An entry as a row, checked.
private struct NewRow {
    let entry: MealEntry
    let day: Day
    let food: Data
    let serving: Data

    private static let oldest = Date(timeIntervalSince1970: 0)
    private static let newest = Date(timeIntervalSince1970: 4_102_444_800)  // 2100

    init(_ entry: MealEntry) throws {
        if let fault = entry.food.fault ?? entry.serving.fault { throw DiaryProblem.badEntry(fault) }
        guard (1...60).contains(entry.id.count) else { throw DiaryProblem.badEntry("id has 1 to 60 characters") }
        guard entry.timestamp >= Self.oldest, entry.timestamp < Self.newest else {
            throw DiaryProblem.badEntry("timestamp must be from 1970 to 2099")
        }
        guard let day = entry.day else {
            throw DiaryProblem.badEntry("\(entry.zone) is not a time zone such as Europe/Berlin")
        }
        var entry = entry
        entry.food.barcode = entry.food.barcode.map(GTIN.normalised(typed:))
        self.entry = entry
        self.day = day
        food = try JSONCoding.encode(entry.food)
        serving = try JSONCoding.encode(entry.serving)
    }

    /// - Returns: false if the same entry was stored.
    func put(_ database: Database, _ person: String) throws -> Bool {
        let at = Int64(nearest: entry.timestamp.timeIntervalSince1970 * 1000)
        let isStored = try Bool.fetchOne(
            database,
            literal: """
                SELECT EXISTS (SELECT 1 FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
                    WHERE person = \(person) AND entry.id = \(entry.id) AND at = \(at) AND zone = \(entry.zone)
                        AND meal = \(entry.meal.rawValue) AND serving = \(serving) AND json = \(food))
                """)
        guard isStored != true else { return false }
        // Delete and insert, so that one trigger each keeps the totals.
        let totals = entry.totals
        try database.execute(
            literal: """
                DELETE FROM diary_entry WHERE person = \(person) AND id = \(entry.id);
                INSERT OR IGNORE INTO diary_food (words, json) VALUES (\(entry.food.words), \(food));
                INSERT INTO diary_entry (person, id, day, at, zone, meal, food, serving, calories, protein, carbs, fat)
                SELECT \(person), \(entry.id), \(day.number), \(at), \(entry.zone), \(entry.meal.rawValue), id, \(serving),
                    \(totals.calories.thousandths), \(totals.protein.thousandths), \(totals.carbs.thousandths),
                    \(totals.fat.thousandths)
                FROM diary_food WHERE json = \(food)
                """)
        return true
    }
}
