import Core
import Foundation
import Foods

extension Diary {
    /// Stores a new entry. An entry of another day than that of its time has the same time of day.
    ///
    /// - Parameters:
    ///   - portion: `150 g`; nil or empty for the food's usual serving.
    ///   - meal: nil chooses the meal by the time of day.
    ///   - day: nil for the day of `now`.
    ///   - id: nil draws an id.
    ///   - now: when it was eaten.
    package func add(
        _ food: Food, portion: String? = nil, at meal: Meal? = nil, on day: Day? = nil, id: String? = nil,
        of name: String, now: Date
    ) throws -> MealEntry {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        // Exports have whole seconds: what they hold is no change when it is imported again.
        let now = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        let today = Day(of: now, in: person.timeZone)
        let day = day ?? today
        let elapsed = now.secondsOfDay(in: person.timeZone)
        let entry = MealEntry(
            id: id ?? UUID().uuidString.lowercased(), food: food, serving: try food.portion(portion),
            meal: meal ?? Meal.usual(at: Int(elapsed / 3600)),
            timestamp: day == today ? now : day.start(in: person.timeZone) + elapsed, zone: person.zone)
        try put(entry, of: name)
        try count(food.id.hasPrefix("quick:") ? .quickAddUsed : .mealAdded, of: name)
        return entry
    }

    /// Changes portion, meal and day of an entry; nil and empty values stay.
    package func change(
        _ id: String, of person: String, portion: String?, meal: Meal?, day: Day?, name: String? = nil
    ) throws -> MealEntry {
        guard var entry = try entry(id, of: person) else { throw DiaryProblem.noEntry(id, of: person) }
        // The name of a record belongs to the record.
        if let name, !name.isBlank, entry.food.barcode == nil { entry.food.name = name }
        if let portion, !portion.isBlank, portion != entry.serving.sizeLabel {
            entry.serving = try entry.food.portion(portion)
        }
        if let meal { entry.meal = meal }
        if let day, let old = entry.day, day != old, let zone = TimeZone(identifier: entry.zone) {
            entry.timestamp = day.start(in: zone) + entry.timestamp.secondsOfDay(in: zone)
        }
        try put(entry, of: person)
        return entry
    }
}

extension Date {
    /// Seconds since midnight, at most those that every day has: a day with a change of time is an hour shorter.
    func secondsOfDay(in zone: TimeZone) -> Double {
        min(max(timeIntervalSince(Day(of: self, in: zone).start(in: zone)), 0), 82_799)
    }
}
