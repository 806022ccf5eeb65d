import Core
import Foundation
import GRDB
import Foods

extension Diary {
    /// Days of meals and weights that a projection uses.
    private static let history = 84

    /// What the projection needs of a person; nil without any weight.
    ///
    /// - Parameter today: not over, so its meals do not count.
    package func projector(of name: String, today: Day) throws -> Projector? {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let first = today.adding(-Self.history)
        let totals = try totals(of: name, from: first, to: today.adding(-1))
        let complete = try completeDays(of: name, from: first, to: today.adding(-1), today: today)
        let weights = try weights(of: name, since: first).filter { $0.day <= today }
        let goal = person.goal
        guard let weight = weights.last?.kilograms ?? goal?.currentWeight else { return nil }
        let kilograms = weight.double
        return Projector(
            weight: kilograms, body: goal?.body(weight: kilograms, year: today.components.year),
            intake: totals.filter { complete.days.contains($0.key) }
                .map { ($0.key.number, $0.value.calories.double) }, leftOut: complete.leftOut,
            weights: weights.map { ($0.day.number, $0.kilograms.double) }, goal: goal?.dailyCalories.double,
            target: goal?.targetWeight.map { ($0.double, goal?.targetDate.map { $0.number - today.number }) })
    }

    /// The complete days from `first` to `last` that are over; the usual meals are those of the weeks before `last`.
    func completeDays(of name: String, from first: Day, to last: Day, today: Day) throws -> CompleteDays {
        let last = min(last, today.adding(-1))
        let history = try logged(of: name, from: last.adding(-Self.history), to: last)
        return CompleteDays(
            history.filter { (first...max(first, last)).contains($0.key) }, history: history,
            closed: try closedDays(of: name))
    }

    /// The days of which the person said that nothing is missing.
    package func closedDays(of name: String) throws -> Set<Day> {
        Set(
            try store.read { try Int.fetchAll($0, literal: "SELECT day FROM diary_closed WHERE person = \(name)") }
                .map { Day(number: $0) })
    }

    package func setClosed(_ isClosed: Bool, _ day: Day, of name: String) throws {
        try store.execute(
            literal: isClosed
                ? "INSERT OR IGNORE INTO diary_closed VALUES (\(name), \(day.number))"
                : "DELETE FROM diary_closed WHERE person = \(name) AND day = \(day.number)")
    }

    private func logged(of name: String, from first: Day, to last: Day) throws -> [Day: CompleteDays.Logged] {
        var days: [Day: CompleteDays.Logged] = [:]
        for (day, meal, calories) in try store.read({ database in
            try Row.fetchAll(
                database,
                literal: """
                    SELECT day, meal, sum(calories) AS calories FROM diary_entry
                    WHERE person = \(name) AND day BETWEEN \(first.number) AND \(last.number) GROUP BY day, meal
                    """
            ).map { (Day(number: $0["day"]), Meal(rawValue: $0["meal"]), Decimal(thousandths: $0["calories"])) }
        }) {
            var logged = days[day] ?? .init(meals: [], calories: 0)
            if let meal { logged.meals.insert(meal) }
            logged.calories += calories
            days[day] = logged
        }
        return days
    }

    package func week(_ week: Week, of name: String, today: Day) throws -> WeekSummary {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let (first, last) = (week.days[0], week.days[6])
        let projector = try projector(of: name, today: today)
        let expenditure = projector?.expenditure?.mid
        return WeekSummary(
            week: week, totals: try statedTotals(of: name, from: first, to: last),
            complete: try completeDays(of: name, from: first, to: last, today: today).days,
            entries: try portions(of: name, from: first, to: last), today: today, goal: person.goal,
            expenditure: expenditure.map { Decimal(Int(nearest: $0)) },
            likely: { logged in
                projector.map { Decimal(Int(nearest: $0.likelyIntake(logged.double))) } ?? logged
            })
    }
}

extension UserGoal {
    /// Nil if sex, birth year, height or activity is missing.
    package func body(weight: Double, year: Int) -> Body? {
        guard let sex, let birthYear, let height, let activity, birthYear < year else { return nil }
        return Body(
            isMale: sex == .male, age: Double(year - birthYear), height: height.double, weight: weight,
            activity: activity.level)
    }
}

extension Decimal {
    package var double: Double { NSDecimalNumber(decimal: self).doubleValue }
}
