import Core
import Foundation

/// Which days of a log say how much a person eats: those with the meals that the person usually logs, and those that the
/// person closed.
package struct CompleteDays: Sendable {
    /// What is logged on one day.
    package struct Logged: Sendable, Hashable {
        package var meals: Set<Meal>
        /// Kilocalories.
        package var calories: Decimal

        package init(meals: Set<Meal>, calories: Decimal) {
            self.meals = meals
            self.calories = calories
        }
    }

    /// The days that are complete.
    package let days: Set<Day>
    /// Days with entries that are not.
    package let leftOut: Int
    /// The main meals that the person usually logs; empty for a person whose energy of a day decides.
    package let usual: Set<Meal>

    private static let mainMeals: [Meal] = [.breakfast, .lunch, .dinner]
    /// A person with fewer usual meals may log a day as one entry; its energy decides.
    private static let fewestUsual = 2

    /// - Parameters:
    ///   - logged: the days that have entries and are over.
    ///   - history: days from which the usual meals are known: main meals of at least half of them.
    ///   - closed: days of which the person says that nothing is missing.
    package init(_ logged: [Day: Logged], history: [Day: Logged], closed: Set<Day> = []) {
        let usual = Set(
            Self.mainMeals.filter { meal in
                history.values.count { $0.meals.contains(meal) } * 2 >= max(1, history.count)
            })
        days = Set(
            logged.filter { date, day in
                if closed.contains(date) { return true }
                return usual.count >= Self.fewestUsual
                    ? day.meals.isSuperset(of: usual)
                    : day.calories >= Decimal(Projector.Parameters.lowestIntake)
            }.keys)
        leftOut = logged.count - days.count
        self.usual = usual.count >= Self.fewestUsual ? usual : []
    }
}
