import Core
import Foundation
import GRDB
import Foods
import Household
import Store

/// People's diaries in the daemon's database. Each method is one transaction.
///
/// A person is named as in the household. Nothing here checks who asks.
package struct Diary: MemberData {
    package let store: OutcomeStore

    package init(_ store: OutcomeStore) { self.store = store }

    package struct Person: Sendable, Hashable {
        package var name: String
        /// IANA name; new entries have it.
        package var zone: String
        package var goal: UserGoal?
        /// Whether the pages may say that something goes well.
        package var isEncouraged: Bool

        package init(name: String, zone: String, goal: UserGoal? = nil, isEncouraged: Bool = true) {
            self.name = name
            self.zone = zone
            self.goal = goal
            self.isEncouraged = isEncouraged
        }

        package var timeZone: TimeZone { TimeZone(identifier: zone) ?? .gmt }
    }

    package func people() throws -> [Person] {
        try store.read(Person.fetchAll, "SELECT * FROM diary_person ORDER BY person")
    }

    /// Nil if the person has no diary. The name may be spelled in another way: that of the result is the stored one, by
    /// which all other functions find the diary.
    package func person(_ name: String) throws -> Person? {
        try store.read { try Self.person($0, name) }
    }

    static func person(_ database: Database, _ name: String) throws -> Person? {
        try Person.fetchOne(database, literal: "SELECT * FROM diary_person WHERE key = \(DisplayName.key(of: name))")
    }

    /// Creates a diary, or replaces its settings. Entries keep the day and the zone that they had, and the name its
    /// spelling.
    ///
    /// - Throws: ``NameProblem`` for a new person whose name is refused.
    package func save(_ person: Person) throws {
        let goal = try person.goal.map { try JSONCoding.encode($0) }
        try store.write { database in
            let name = try Self.person(database, person.name)?.name ?? DisplayName(person.name).shown
            try database.execute(
                literal: """
                    INSERT INTO diary_person (person, key, zone, goal, isEncouraged)
                    VALUES (\(name), \(DisplayName.key(of: name)), \(person.zone), \(goal), \(person.isEncouraged))
                    ON CONFLICT (key) DO UPDATE SET
                        zone = excluded.zone, goal = excluded.goal, isEncouraged = excluded.isEncouraged
                    """)
        }
    }

    /// Deletes a diary with everything in it. SQLite overwrites the deleted rows; `OutcomeStore.emptyLog` removes the
    /// copies in the log.
    ///
    /// - Returns: false if there was none.
    package func remove(_ name: String) throws -> Bool {
        try store.overwriteDeleted()
        return try store.write { database in
            try database.execute(literal: "DELETE FROM diary_reader WHERE reader = \(name)")
            guard let name = try Self.person(database, name)?.name else { return false }
            // The trigger of each entry removes its food; a cascade would do the same in another order.
            try database.execute(literal: "DELETE FROM diary_entry WHERE person = \(name)")
            return try database.changes("DELETE FROM diary_person WHERE person = \(name)") > 0
        }
    }

    func extent(of person: String) throws -> (entries: Int, weights: Int) {
        try store.read { database in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, literal: "SELECT count(*) FROM \(sql: table) WHERE person = \(person)") ?? 0
            }
            return (try count("diary_entry"), try count("diary_weight"))
        }
    }

    package func count(_ member: Member, in report: inout Member.Report) throws {
        (report.diaryEntries, report.weights) = try extent(of: member.name)
    }

    package func erase(_ member: String) throws { _ = try remove(member) }

    // MARK: Weights

    /// Kilograms of a day; nil removes the weight.
    package func setWeight(_ kilograms: Decimal?, on day: Day, of person: String) throws {
        guard let kilograms else {
            try store.execute(literal: "DELETE FROM diary_weight WHERE person = \(person) AND day = \(day.number)")
            return
        }
        try setWeights([(day, kilograms)], of: person)
    }

    /// Stores weights in one transaction; either all or none.
    ///
    /// - Parameter keepsStored: true leaves days as they are that have a weight.
    /// - Returns: how many rows changed.
    @discardableResult
    package func setWeights(
        _ weights: [(day: Day, kilograms: Decimal)], of person: String, keepsStored: Bool = false
    ) throws -> Int {
        let conflict: SQL = keepsStored ? "NOTHING" : "UPDATE SET grams = excluded.grams WHERE grams <> excluded.grams"
        try Self.check(weights)
        return try store.write { database in
            try weights.reduce(0) { changed, weight in
                try changed
                    + database.changes(
                        """
                        INSERT INTO diary_weight (person, day, grams)
                        VALUES (\(person), \(weight.day.number), \(weight.kilograms.thousandths))
                        ON CONFLICT (person, day) DO \(conflict)
                        """)
            }
        }
    }

    static func check(_ weights: [(day: Day, kilograms: Decimal)]) throws {
        for (day, kilograms) in weights {
            if let fault = Weight.fault(kilograms, on: day) { throw DiaryProblem.badWeight(fault) }
        }
    }

    /// Kilograms by day, oldest first. A weight that was stored before weights were checked is left out.
    package func weights(of person: String, since day: Day? = nil) throws -> [(day: Day, kilograms: Decimal)] {
        try store.read(
            Row.fetchAll,
            """
            SELECT day, grams FROM diary_weight WHERE person = \(person) AND day >= \(day?.number ?? 0)
                AND grams BETWEEN \(Weight.range.lowerBound.thousandths) AND \(Weight.range.upperBound.thousandths)
            ORDER BY day
            """
        ).map { (Day(number: $0["day"]), Decimal(thousandths: $0["grams"])) }
    }

    // MARK: Counters

    /// What is counted; no content.
    package enum Event: String, Sendable, CaseIterable {
        case mealAdded = "meal_added", quickAddUsed = "quick_add_used", reuseMeal = "reuse_meal"
        case projectionViewed = "projection_viewed", weekOpened = "week_opened"
        case foodSearched = "food_searched", foodScanned = "food_scanned"
    }

    package func count(_ event: Event, of person: String) throws {
        try store.execute(
            literal: """
                INSERT INTO diary_count SELECT person, \(event.rawValue), 1 FROM diary_person WHERE person = \(person)
                ON CONFLICT (person, event) DO UPDATE SET count = count + 1
                """)
    }

    package func counts(of person: String) throws -> [String: Int] {
        let none = Dictionary(uniqueKeysWithValues: Event.allCases.map { ($0.rawValue, 0) })
        return none.merging(try store.counts("SELECT event, count FROM diary_count WHERE person = \(person)")) { $1 }
    }

    /// The counts of all diaries together.
    package func counts() throws -> [Event: Int] {
        let rows = try store.counts("SELECT event, sum(count) FROM diary_count GROUP BY event")
        return rows.reduce(into: [:]) { counts, row in Event(rawValue: row.key).map { counts[$0] = row.value } }
    }

    // MARK: Checks

    /// Days whose stored totals differ from their entries; empty if there are none.
    package func faults() throws -> [String] {
        try store.read { database in
            let rows = try Row.fetchAll(
                database,
                literal: """
                    WITH computed AS (
                        SELECT person, day, count(*) AS entries, sum(calories) AS calories, sum(protein) AS protein,
                            sum(carbs) AS carbs, sum(fat) AS fat
                        FROM diary_entry GROUP BY person, day)
                    SELECT day FROM (
                        SELECT * FROM (SELECT * FROM computed EXCEPT SELECT * FROM diary_day)
                        UNION SELECT * FROM (SELECT * FROM diary_day EXCEPT SELECT * FROM computed)) GROUP BY day
                    """)
            return rows.map { "the diary's totals of \(Day(number: $0["day"])) differ from its entries" }
        }
    }
}

extension Diary.Person: FetchableRecord {
    package init(row: Row) {
        let goal = (row["goal"] as Data?).flatMap { try? JSONCoding.decode(UserGoal.self, from: $0) }
        self.init(name: row["person"], zone: row["zone"], goal: goal, isEncouraged: row["isEncouraged"])
    }
}

extension Weight {
    /// As ``fault(_:)``, with the day that it is of.
    static func fault(_ kilograms: Decimal, on day: Day) -> String? {
        let isDated = (Day(number: 0)..<Day.end).contains(day)
        return fault(kilograms) ?? (isDated ? nil : "the day of a weight must be from 1970 to 2099")
    }
}

extension Decimal {
    init(thousandths: Int64) { self = Decimal(thousandths) / 1000 }

    /// Rounded; amounts of the diary are far below the range of 64 bits.
    var thousandths: Int64 {
        var (result, value) = (Decimal(), self * 1000)
        NSDecimalRound(&result, &value, 0, .plain)
        return NSDecimalNumber(decimal: result).int64Value
    }
}
