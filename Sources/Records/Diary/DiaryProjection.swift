import Core
import Foundation
import Meals

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
        let weights = try weights(of: name, since: first).filter { $0.day <= today }
        let goal = person.goal
        guard let weight = weights.last?.kilograms ?? goal?.currentWeight else { return nil }
        let kilograms = weight.double
        return Projector(
            weight: kilograms, body: goal?.body(weight: kilograms, year: today.components.year),
            intake: totals.map { ($0.key.number, $0.value.calories.double) },
            weights: weights.map { ($0.day.number, $0.kilograms.double) }, goal: goal?.dailyCalories.double,
            target: goal?.targetWeight.map { ($0.double, goal?.targetDate.map { $0.number - today.number }) })
    }

    /// A week's summary.
    package func week(_ week: Week, of name: String, today: Day) throws -> WeekSummary {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let (first, last) = (week.days[0], week.days[6])
        let projector = try projector(of: name, today: today)
        let expenditure = projector?.expenditure?.mid
        return WeekSummary(
            week: week, totals: try totals(of: name, from: first, to: last),
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
