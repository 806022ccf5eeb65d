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

    /// When a weight is reached, by the same arithmetic as the points.
    public struct Target: Sendable, Hashable, Codable {
        /// Kilograms.
        public var weight: Double
        /// Days from now until the nearer edge of the range, its middle and its other edge are there; nil where they are
        /// not within two years.
        public var earliest, likely, latest: Int?
        /// The range on the day by which the weight is wanted, kilograms; nil without a day within two years.
        public var wanted: Interval?
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
    /// When the goal's weight is reached; nil without one.
    public var target: Target?
    public var steps: [Step]
    public var warnings: [Warning]
}

extension Projection.Target {
    /// - Parameters:
    ///   - points: one for each week, from now.
    ///   - days: until the day by which the weight is wanted.
    init(of weight: Double, wantedIn days: Int?, _ points: [Projection.Point]) {
        let isLoss = weight < points[0].weight.mid
        func day(_ edge: (Interval) -> Double) -> Int? {
            let rest = points.map { isLoss ? edge($0.weight) - weight : weight - edge($0.weight) }
            guard let week = rest.firstIndex(where: { $0 <= 0 }) else { return nil }
            guard week > 0 else { return 0 }
            return Int(((Double(week) - rest[week] / (rest[week] - rest[week - 1])) * 7).rounded(.up))
        }
        self.init(
            weight: weight, earliest: day { isLoss ? $0.low : $0.high }, likely: day(\.mid),
            latest: day { isLoss ? $0.high : $0.low },
            wanted: days.flatMap { days in
                guard days > 0, days < (points.count - 1) * 7 else { return nil }
                let (one, two, share) = (points[days / 7].weight, points[days / 7 + 1].weight, Double(days % 7) / 7)
                func between(_ edge: (Interval) -> Double) -> Double { edge(one) + (edge(two) - edge(one)) * share }
                return Interval(low: between(\.low), mid: between(\.mid), high: between(\.high))
            })
    }
}
