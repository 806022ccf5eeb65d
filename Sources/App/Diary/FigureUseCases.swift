import Diary
import Foundation
import HTTP
import Meals
import WeightProjection

/// A week against the goal.
struct WeekContent: Sendable {
    var person: Diary.Person
    var today: Day
    var week: Week
    var summary: WeekSummary
}

/// The goal and where it leads.
struct GoalContent: Sendable {
    var person: Diary.Person
    /// As the goal says, then as logged; those that the data allow.
    var projections: [Projection]
    var weight: (day: Day, kilograms: Decimal)?
}

// Weeks, goals, weights and counts.
extension DiaryUseCases {
    /// - Parameter week: nil for this week.
    func week(_ week: Week?, of opened: OpenDiary) throws -> WeekContent {
        let person = try person(opened.person)
        let today = Day(of: now, in: person.timeZone)
        let shown = week ?? Week(of: today)
        try diary.count(.weekOpened, of: person.name)
        return WeekContent(
            person: person, today: today, week: shown, summary: try diary.week(shown, of: person.name, today: today))
    }

    // MARK: Goal

    func goal(of opened: OpenDiary) throws -> UserGoal {
        guard let goal = try person(opened.person).goal else {
            throw Problem(404, "noGoal", "\(opened.person) has set no goal")
        }
        return goal
    }

    /// Sets the goal; its weight becomes the weight of today.
    @discardableResult
    func setGoal(_ goal: UserGoal, of opened: OpenDiary) throws -> UserGoal {
        var person = try person(opened.owned())
        let today = Day(of: now, in: person.timeZone)
        if let fault = goal.fault(on: today) { throw Problem(400, "badRequest", fault) }
        person.goal = goal
        try diary.save(person)
        if let weight = goal.currentWeight { try diary.setWeight(weight, on: today, of: person.name) }
        return goal
    }

    func projections(of opened: OpenDiary, weeks: Int = 12) throws -> GoalContent {
        let person = try person(opened.person)
        let today = Day(of: now, in: person.timeZone)
        let projector = try diary.projector(of: person.name, today: today)
        try diary.count(.projectionViewed, of: person.name)
        return GoalContent(
            person: person,
            projections: [Projection.Scenario.asGoal, .asLogged].compactMap { projector?.projection($0, weeks: weeks) },
            weight: try newestWeight(of: person.name, on: today))
    }

    // MARK: Weights

    func weights(of opened: OpenDiary) throws -> [DayWeight] {
        try diary.weights(of: opened.person).map { DayWeight(date: $0.day, weight: $0.kilograms) }
    }

    /// - Parameters:
    ///   - kilograms: nil removes the weight.
    ///   - day: nil for today.
    func setWeight(_ kilograms: Decimal?, on day: Day?, of opened: OpenDiary) throws {
        let person = try person(opened.owned())
        try diary.setWeight(kilograms, on: day ?? Day(of: now, in: person.timeZone), of: person.name)
    }

    /// The newest weight of the last year.
    func newestWeight(of person: String, on today: Day) throws -> (day: Day, kilograms: Decimal)? {
        try diary.weights(of: person, since: today.adding(-365)).last { $0.day <= today }
    }

    // MARK: Counts

    /// How often something was done; no content.
    func events(of opened: OpenDiary) throws -> [String: Int] { try diary.counts(of: opened.owned()) }
}

struct DayWeight: Sendable, Codable {
    let date: Day
    /// Kilograms.
    let weight: Decimal
}

extension UserGoal: Documented {
    package static var example: String? { #"{"dailyCalories":1800}"# }

    package static var fields: [String: Field] {
        let (weight, grams) = (Field(range: 20...400), Field(range: 0 ... .infinity))
        return [
            "dailyCalories": Field(range: 300...10_000), "currentWeight": weight, "targetWeight": weight,
            "birthYear": Field(range: 1900...2100), "height": Field(range: 80...250), "protein": grams, "carbs": grams,
            "fat": grams,
        ]
    }
}
