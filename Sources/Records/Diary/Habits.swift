import Core
import Foundation
import GRDB
import Foods
import Store

/// A food that a person logged before, with the serving of the last time.
package struct Habit: Sendable, Hashable {
    package var food: Food
    package var serving: Serving
    /// How well it fits the hour and the weekday; larger is better.
    package var score: Double
    package var count: Int
    /// The newest day on which it was logged.
    package var day: Day
}

/// A meal of an earlier day that can be logged again.
package struct EarlierMeal: Sendable, Hashable {
    package var meal: Meal
    package var day: Day
    package var names: [String]
    package var calories: Decimal
}

/// Ranks foods by hour, weekday and recency.
enum HabitRank {
    /// Older entries do not count.
    static let days = 120
    /// Days after which an entry counts half.
    private static let halfLife = 21.0
    /// Width of the hours that count as the same, in hours.
    private static let hourWidth = 2.0
    /// An entry of another weekday counts this much.
    private static let otherWeekday = 0.7

    /// - Parameters:
    ///   - age: days since the entry, from 0.
    ///   - hours: hours of the day between the entry and now, 0…12.
    static func weight(age: Double, hours: Double, sameWeekday: Bool) -> Double {
        let recency = exp2(-age / halfLife)
        let hour = exp(-hours * hours / (2 * hourWidth * hourWidth))
        return recency * (0.15 + 0.85 * hour) * (sameWeekday ? 1 : otherWeekday)
    }

    /// Hours of the day between two instants, 0…12.
    static func hours(_ one: Date, _ other: Date) -> Double {
        let apart = abs(one.timeIntervalSince(other)).truncatingRemainder(dividingBy: 86_400) / 3600
        return min(apart, 24 - apart)
    }
}

extension Diary {
    /// Foods of the person that fit this moment best, or that match words.
    ///
    /// - Parameters:
    ///   - words: the beginnings of words that name or brand must have; empty for all.
    ///   - isQuick: true includes amounts without a food.
    package func habits(
        of person: String, at now: Date, words: [String] = [], limit: Int = 8, isQuick: Bool = false
    ) throws -> [Habit] {
        let first = Int64((now.timeIntervalSince1970 - Double(HabitRank.days) * 86_400) * 1000)
        let rows = try store.read(
            Row.fetchAll,
            """
            SELECT food, at, day, serving, words FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
            WHERE person = \(person) AND day >= \(Int(first / 86_400_000) - 1) ORDER BY at DESC LIMIT 3000
            """)
        struct Seen {
            var serving: Data
            var day: Int
            var score = 0.0
            var count = 0
        }
        let today = try self.person(person).map { Day(of: now, in: $0.timeZone) }
        var seen: [Int64: Seen] = [:]
        for row in rows {
            guard SearchedWords.match(words, in: row["words"]) else { continue }
            let eaten = Date(timeIntervalSince1970: Double(row["at"] as Int64) / 1000)
            let age = max(0, now.timeIntervalSince(eaten) / 86_400)
            var own = seen[row["food"]] ?? Seen(serving: row["serving"], day: row["day"])
            own.score += HabitRank.weight(
                age: age, hours: HabitRank.hours(now, eaten),
                sameWeekday: today.map { ($0.number - (row["day"] as Int)) % 7 == 0 } ?? false)
            own.count += 1
            seen[row["food"]] = own
        }
        let best = seen.sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }.prefix(limit * 2)
        return try store.read { database in
            try best.compactMap { key, own in
                let json = try Data.fetchOne(database, literal: "SELECT json FROM diary_food WHERE id = \(key)")
                guard let json, let food = try? JSONCoding.decode(Food.self, from: json),
                    isQuick || !food.id.hasPrefix("quick:")
                else { return nil }
                return Habit(
                    food: food, serving: try JSONCoding.decode(Serving.self, from: own.serving), score: own.score,
                    count: own.count, day: Day(number: own.day))
            }
        }.prefix(limit).map { $0 }
    }

    /// The newest logged food with this product number; nil if there is none.
    package func food(_ gtin: GTIN, of person: String) throws -> Food? {
        try store.read(
            Data.fetchOne,
            """
            SELECT json FROM diary_entry AS entry JOIN diary_food ON diary_food.id = entry.food
            WHERE person = \(person) AND json_extract(CAST(json AS TEXT), '$.barcode') = \(gtin.normalised)
                ORDER BY at DESC LIMIT 1
            """
        ).map { try JSONCoding.decode(Food.self, from: $0) }
    }

    /// The newest logged day of each meal before this day, within two weeks.
    package func earlierMeals(of person: String, before day: Day) throws -> [EarlierMeal] {
        let rows = try entries(of: person, from: Day(number: day.number - 14), to: Day(number: day.number - 1))
        return Meal.allCases.compactMap { meal in
            let own = rows.filter { $0.meal == meal }
            guard let last = own.compactMap(\.day).max() else { return nil }
            let entries = own.filter { $0.day == last }
            return EarlierMeal(
                meal: meal, day: last, names: entries.map(\.food.name),
                calories: entries.reduce(0) { $0 + $1.totals.calories })
        }
    }
}

extension Food {
    /// Folded words of name and brand, for searches.
    var words: String { Folding.fold([name, brand ?? ""].joined(separator: " ")) }
}

package enum SearchedWords {
    private static let mostWords = 8

    package static func of(_ text: String) -> [String] { Array(Folding.words(of: text).prefix(mostWords)) }

    /// True if each word begins a word of the folded text.
    static func match(_ words: [String], in text: String) -> Bool {
        words.allSatisfy { text.hasPrefix($0) || text.contains(" " + $0) }
    }
}
