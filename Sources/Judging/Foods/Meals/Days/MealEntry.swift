import Core
import Foundation

/// A meal of the day.
package enum Meal: String, Sendable, Hashable, Codable, CaseIterable {
    case breakfast, lunch, dinner, snack

    /// The usual meal at an hour of the day, 0…23.
    package static func usual(at hour: Int) -> Meal {
        switch hour {
        case 4..<11: .breakfast
        case 11..<15: .lunch
        case 17..<22: .dinner
        default: .snack
        }
    }
}

/// Kilocalories and grams of the three macronutrients, exact to a thousandth.
package struct MacroTotals: Sendable, Hashable, Codable {
    package enum Macro: String, Sendable, Hashable, CaseIterable { case protein, carbs, fat }

    /// What is known of the grams of a macronutrient.
    package enum Known: Sendable, Hashable {
        case exact(Decimal)
        /// So much, without these foods, which do not state it.
        case atLeast(Decimal, without: Int)
        /// No food states it.
        case nothing
    }

    package var calories, protein, carbs, fat: Decimal
    /// How many foods do not state a macronutrient, by its name; they add 0 above. Nil if all state all.
    package var unknown: [String: Int]?

    package init(
        calories: Decimal = 0, protein: Decimal = 0, carbs: Decimal = 0, fat: Decimal = 0,
        unknown: [String: Int]? = nil
    ) {
        self.calories = calories
        self.protein = protein
        self.carbs = carbs
        self.fat = fat
        self.unknown = unknown
    }

    /// Grams; what no food states is not 0.
    package func known(_ macro: Macro) -> Known {
        let grams =
            switch macro {
            case .protein: protein
            case .carbs: carbs
            case .fat: fat
            }
        guard let missing = unknown?[macro.rawValue], missing > 0 else { return .exact(grams) }
        return grams == 0 ? .nothing : .atLeast(grams, without: missing)
    }

    /// The figures of a serving, each rounded to a thousandth, so that sums do not depend on their order.
    package init(of food: Food, _ serving: Serving) {
        func value(_ figure: Decimal) -> Decimal { (figure * serving.multiplier).rounded(places: 3) }
        self.init(
            calories: value(food.calories), protein: value(food.protein), carbs: value(food.carbs),
            fat: value(food.fat),
            unknown: food.unknown.map { Dictionary($0.map { ($0, 1) }) { first, _ in first } })
    }

    package static func + (one: MacroTotals, other: MacroTotals) -> MacroTotals {
        MacroTotals(
            calories: one.calories + other.calories, protein: one.protein + other.protein,
            carbs: one.carbs + other.carbs, fat: one.fat + other.fat,
            unknown: one.unknown.map { $0.merging(other.unknown ?? [:], uniquingKeysWith: +) } ?? other.unknown)
    }
}

/// One logged serving.
package struct MealEntry: Sendable, Hashable, Codable {
    package var id: String
    package var food: Food
    package var serving: Serving
    package var meal: Meal
    /// ISO 8601 in UTC, to the second.
    package var timestamp: Date
    /// IANA name of the time zone where it was eaten; it decides the day.
    package var zone: String

    package init(id: String, food: Food, serving: Serving, meal: Meal, timestamp: Date, zone: String) {
        self.id = id
        self.food = food
        self.serving = serving
        self.meal = meal
        self.timestamp = timestamp
        self.zone = zone
    }

    package var totals: MacroTotals { MacroTotals(of: food, serving) }

    /// The day of the entry in its own zone; nil for an unknown zone.
    package var day: Day? { TimeZone(identifier: zone).map { Day(of: timestamp, in: $0) } }
}

/// A day with its entries, in the order of the meals and of time.
package struct DayLog: Sendable, Hashable, Codable {
    package var id: Day
    /// The beginning of the day in the person's zone.
    package var date: Date
    package var entries: [MealEntry]
    package var totals: MacroTotals

    package init(id: Day, date: Date, entries: [MealEntry], totals: MacroTotals) {
        self.id = id
        self.date = date
        self.entries = entries
        self.totals = totals
    }
}

/// What a person wants, and what the better models of the projection need. All but the calories may be missing.
package struct UserGoal: Sendable, Hashable, Codable {
    package enum Sex: String, Sendable, Hashable, Codable, CaseIterable { case female, male }

    /// Physical activity, with the level that multiplies the resting expenditure.
    package enum Activity: String, Sendable, Hashable, Codable, CaseIterable {
        case low, light, moderate, high

        /// FAO/WHO/UNU 2004: sedentary 1.40–1.69, active 1.70–1.99, vigorous 2.00–2.40.
        package var level: Double {
            switch self {
            case .low: 1.4
            case .light: 1.55
            case .moderate: 1.75
            case .high: 2.0
            }
        }
    }

    package var dailyCalories: Decimal
    /// Kilograms.
    package var currentWeight, targetWeight: Decimal?
    /// `yyyy-MM-dd`.
    package var targetDate: Day?
    package var sex: Sex?
    package var birthYear: Int?
    /// Centimetres.
    package var height: Decimal?
    package var activity: Activity?
    /// Grams a day; nil sets no goal.
    package var protein, carbs, fat: Decimal?

    package init(
        dailyCalories: Decimal, currentWeight: Decimal? = nil, targetWeight: Decimal? = nil, targetDate: Day? = nil,
        sex: Sex? = nil, birthYear: Int? = nil, height: Decimal? = nil, activity: Activity? = nil,
        protein: Decimal? = nil, carbs: Decimal? = nil, fat: Decimal? = nil
    ) {
        self.dailyCalories = dailyCalories
        self.currentWeight = currentWeight
        self.targetWeight = targetWeight
        self.targetDate = targetDate
        self.sex = sex
        self.birthYear = birthYear
        self.height = height
        self.activity = activity
        self.protein = protein
        self.carbs = carbs
        self.fat = fat
    }

    /// The problem of a goal that a person typed; nil if it is valid. A low goal is valid and gets a warning.
    package var fault: String? {
        func isOutside(_ value: Decimal?, _ range: ClosedRange<Decimal>) -> Bool {
            value.map { !range.contains($0) } ?? false
        }
        if isOutside(dailyCalories, 300...10_000) { return "dailyCalories must be from 300 to 10,000 kcal" }
        if let fault = [currentWeight, targetWeight].compactMap({ $0.flatMap(Weight.fault) }).first { return fault }
        if let targetDate, targetDate >= Day.end { return "targetDate must be before \(Day.end)" }
        if isOutside(height, 80...250) { return "height must be from 80 to 250 cm" }
        if let birthYear, !(1900...2100).contains(birthYear) { return "birthYear must have four digits" }
        for value in [protein, carbs, fat] where isOutside(value, 0...2000) {
            return "a goal in grams must be 0 to 2,000"
        }
        return nil
    }
}

extension UserGoal {
    /// Days in which a target has to be reached: ten years.
    package static let mostTargetDays = 3653

    /// As ``fault``, for a goal that is set on this day.
    package func fault(on today: Day) -> String? {
        if let fault { return fault }
        guard let targetDate, targetDate.number - today.number > Self.mostTargetDays else { return nil }
        return "targetDate must be within ten years"
    }
}

/// What every door of the diary accepts as a weight.
package enum Weight {
    /// Kilograms.
    package static let range: ClosedRange<Decimal> = 20...400

    /// The problem of a weight; nil if it is valid.
    package static func fault(_ kilograms: Decimal) -> String? {
        range.contains(kilograms) ? nil : "a weight must be from \(range.lowerBound) to \(range.upperBound) kg"
    }
}

/// The calories of one day, for plots.
package struct DailyCaloriesPoint: Sendable, Hashable, Codable {
    package var date: Day
    package var calories: Decimal
}
