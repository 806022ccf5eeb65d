import Core
import Foundation

/// A week against the goal, with what the entries show.
package struct WeekSummary: Sendable, Hashable, Codable {
    /// A food with its share of the week.
    package struct TopFood: Sendable, Hashable, Codable {
        package var name: String
        package var calories: Decimal
        package var count: Int
    }

    /// What a deficit is measured against.
    package enum Reference: String, Sendable, Hashable, Codable, CaseIterable { case expenditure, goal }

    /// `yyyy-Www`.
    package var id: String
    /// The seven days, Monday first; a day without entries has 0 kcal.
    package var points: [DailyCaloriesPoint]
    /// Complete days that are over, so that their totals are final.
    package var fullDays: Int
    /// Days that are over and have entries, and do not count because they are not complete; nil without one.
    package var leftOut: [Day]?
    /// Mean of the full days; nil without one.
    package var average: MacroTotals?
    /// Full days within ``tolerance`` of the goal; nil without a goal.
    package var daysWithinGoal: Int?
    /// Mean of the full days below the expenditure, or below the goal; negative above it. Against the expenditure it counts
    /// what was probably eaten, as the projection does.
    package var averageDeficit: Decimal?
    package var deficitAgainst: Reference?
    /// The foods with the most calories, at most five.
    package var topFoods: [TopFood]
    package var mostLoggedMeal: Meal?

    /// ``averageDeficit`` in whole kilocalories, as the goal less the mean that are shown beside it.
    package var shownDeficit: Decimal? {
        guard let average, let averageDeficit, deficitAgainst == .goal else { return averageDeficit?.rounded }
        return FigureText.rest(of: averageDeficit + average.calories, after: average.calories)
    }

    /// Kilocalories around the goal that count as reaching it.
    package static let tolerance: Decimal = 100
    private static let mostFoods = 5

    /// - Parameters:
    ///   - totals: totals of the days that have entries.
    ///   - complete: days of ``CompleteDays``.
    ///   - today: the person's current day, which is not over.
    ///   - expenditure: kilocalories a day; nil if unknown.
    ///   - likely: what was probably eaten where the log says its argument.
    package init(
        week: Week, totals: [Day: MacroTotals], complete: Set<Day>,
        entries: [(name: String, meal: Meal, calories: Decimal)], today: Day,
        goal: UserGoal?, expenditure: Decimal?, likely: (Decimal) -> Decimal = { $0 }
    ) {
        id = week.description
        points = week.days.map { DailyCaloriesPoint(date: $0, calories: totals[$0]?.calories ?? 0) }
        let full = week.days.filter { $0 < today && complete.contains($0) }.compactMap { totals[$0] }
        fullDays = full.count
        let left = week.days.filter { $0 < today && !complete.contains($0) && (totals[$0]?.calories ?? 0) > 0 }
        leftOut = left.isEmpty ? nil : left
        average = full.isEmpty ? nil : full.reduce(MacroTotals(), +).divided(by: Decimal(full.count))
        daysWithinGoal = goal.map { goal in
            full.count { abs($0.calories - goal.dailyCalories) <= Self.tolerance }
        }
        if let average, let reference = expenditure ?? goal?.dailyCalories {
            averageDeficit = reference - (expenditure == nil ? average.calories : likely(average.calories))
            deficitAgainst = expenditure == nil ? .goal : .expenditure
        }
        topFoods = Dictionary(grouping: entries, by: \.name).map { name, all in
            TopFood(name: name, calories: all.reduce(0) { $0 + $1.calories }, count: all.count)
        }.sorted { ($1.calories, $0.name) < ($0.calories, $1.name) }.prefix(Self.mostFoods).map { $0 }
        let meals = Dictionary(grouping: entries, by: \.meal).mapValues(\.count)
        mostLoggedMeal = Meal.allCases.filter { meals[$0] != nil }.max { meals[$0, default: 0] < meals[$1, default: 0] }
    }
}

extension MacroTotals {
    func divided(by count: Decimal) -> MacroTotals {
        MacroTotals(
            calories: calories / count, protein: protein / count, carbs: carbs / count, fat: fat / count,
            unknown: unknown)
    }
}
