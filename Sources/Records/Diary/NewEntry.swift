import Core
import Foundation
import Foods

/// What a person wants to log: a food with a portion, at a meal of a day.
package struct NewEntry: Sendable, Hashable {
    package var food: Food
    /// `150 g`; nil or empty for the food's usual serving.
    package var portion: String?
    /// Nil chooses the meal by the time of day.
    package var meal: Meal?
    /// Nil for today.
    package var day: Day?
    /// Nil draws an id.
    package var id: String?
    /// When it was eaten; nil for now. A day that is given beside it counts.
    package var at: Date?

    package init(
        food: Food, portion: String? = nil, meal: Meal? = nil, day: Day? = nil, id: String? = nil, at: Date? = nil
    ) {
        self.food = food
        self.portion = portion
        self.meal = meal
        self.day = day
        self.id = id
        self.at = at
    }
}

extension Diary {
    /// Stores a new entry. An entry of another day than that of its time has the same time of day.
    ///
    /// - Throws: ``DiaryProblem``; `PortionRefusal` with the reason.
    package func add(_ new: NewEntry, of name: String, now: Date) throws -> MealEntry {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let text = new.portion?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let serving = text.isEmpty ? new.food.defaultServing : try PortionText.parse(text, of: new.food)
        let now = new.at ?? now
        let today = Day(of: now, in: person.timeZone)
        let day = new.day ?? today
        let elapsed = min(max(now.timeIntervalSince(today.start(in: person.timeZone)), 0), Self.longestDay)
        let entry = MealEntry(
            id: new.id ?? UUID().uuidString.lowercased(), food: new.food, serving: serving,
            meal: new.meal ?? Meal.usual(at: Int(elapsed / 3600)),
            timestamp: day == today ? now : day.start(in: person.timeZone) + elapsed, zone: person.zone)
        try put(entry, of: name)
        try count(new.food.id.hasPrefix("quick:") ? .quickAddUsed : .mealAdded, of: name)
        return entry
    }

    /// Changes portion, meal and day of an entry; nil and empty values stay.
    ///
    /// - Throws: ``DiaryProblem``; `PortionRefusal` with the reason.
    package func change(
        _ id: String, of person: String, portion: String?, meal: Meal?, day: Day?, name: String? = nil
    ) throws -> MealEntry {
        guard var entry = try entry(id, of: person) else { throw DiaryProblem.noEntry }
        // The name of a record belongs to the record.
        if let name, !name.isBlank, entry.food.barcode == nil { entry.food.name = name }
        if let portion, !portion.isEmpty, portion != entry.serving.sizeLabel {
            entry.serving = try PortionText.parse(portion, of: entry.food)
        }
        if let meal { entry.meal = meal }
        if let day, let old = entry.day, day != old, let zone = TimeZone(identifier: entry.zone) {
            let elapsed = entry.timestamp.timeIntervalSince(old.start(in: zone))
            entry.timestamp = day.start(in: zone) + min(max(elapsed, 0), Self.longestDay)
        }
        try put(entry, of: person)
        return entry
    }

    /// Seconds since midnight that every day has; a day with a change of time is an hour shorter.
    private static let longestDay = 82_799.0
}
