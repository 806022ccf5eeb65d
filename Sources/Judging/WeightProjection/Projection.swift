/// A likely range.
public struct Interval: Sendable, Hashable, Codable {
    public var low, mid, high: Double

    public init(low: Double, mid: Double, high: Double) {
        self.low = low
        self.mid = mid
        self.high = high
    }
}

/// How the weight develops if a person eats a certain amount every day.
public struct Projection: Sendable, Hashable, Codable {
    public enum Model: String, Sendable, Hashable, Codable, CaseIterable {
        /// 7,700 kcal a kilogram.
        case ruleOfThumb
        /// Hall 2011 from the expenditure of a formula.
        case dynamic
        /// Hall 2011, or 7,700 kcal a kilogram without body data, from the expenditure that weights and meals show.
        case fromData
    }

    /// What the person eats.
    public enum Scenario: String, Sendable, Hashable, Codable, CaseIterable {
        /// As on the logged days.
        case asLogged
        /// As the goal says.
        case asGoal
    }

    /// The weight after some weeks, kilograms.
    public struct Point: Sendable, Hashable, Codable {
        public var week: Int
        public var weight: Interval
    }

    /// Something that a person should know before following a goal.
    public enum Warning: String, Sendable, Hashable, Codable, CaseIterable {
        /// The goal, or the way to the target, is below 1,200 kcal a day.
        case tooLow
        /// More than 1 % of the body weight a week.
        case tooFast
    }

    /// One line of the arithmetic.
    public struct Step: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case eatenLogged, eatenGoal, restingFormula, usedFormula, usedData, difference, ruleOfThumb, dynamic,
                longRun,
                measuredRule, uncertainty, needed
        }

        public var kind: Kind
        /// The numbers of the line by name.
        public var values: [String: Double]
    }

    public var scenario: Scenario
    public var model: Model
    /// The weight now, kilograms.
    public var start: Double
    /// kcal a day.
    public var intake, expenditure: Interval
    public var points: [Point]
    /// What each model says for the end, kilograms.
    public var models: [String: Double]
    public var steps: [Step]
    public var warnings: [Warning]
}
