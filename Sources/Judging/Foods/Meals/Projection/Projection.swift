/// A likely range.
package struct Interval: Sendable, Hashable, Codable {
    package var low, mid, high: Double

    package init(low: Double, mid: Double, high: Double) {
        self.low = low
        self.mid = mid
        self.high = high
    }
}

/// How the weight develops if a person eats a certain amount every day.
package struct Projection: Sendable, Hashable, Codable {
    package enum Model: String, Sendable, Hashable, Codable, CaseIterable {
        /// 7,700 kcal a kilogram.
        case ruleOfThumb
        /// Hall 2011 from the expenditure of a formula.
        case dynamic
        /// Hall 2011, or 7,700 kcal a kilogram without body data, from the expenditure that weights and meals show.
        case fromData
    }

    /// What the person eats.
    package enum Scenario: String, Sendable, Hashable, Codable, CaseIterable {
        /// As on the logged days.
        case asLogged
        /// As the goal says.
        case asGoal
    }

    /// The weight after some weeks, kilograms.
    package struct Point: Sendable, Hashable, Codable {
        package var week: Int
        package var weight: Interval
    }

    /// When a weight is reached, by the same arithmetic as the points.
    package struct Target: Sendable, Hashable, Codable {
        /// Kilograms.
        package var weight: Double
        /// Days from now until the nearer edge of the range, its middle and its other edge are there; nil where they are
        /// not within two years.
        package var earliest, likely, latest: Int?
        /// The range on the day by which the weight is wanted, kilograms; nil without a day within two years.
        package var wanted: Interval?
    }

    /// Something that a person should know before following a goal.
    package enum Warning: String, Sendable, Hashable, Codable, CaseIterable {
        /// The goal, or the way to the target, is below 1,200 kcal a day.
        case tooLow
        /// More than 1 % of the body weight a week.
        case tooFast
    }

    /// One line of the arithmetic.
    package struct Step: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case eatenLogged, leftOut, eatenGoal, restingFormula, usedFormula, usedData, difference, ruleOfThumb,
                dynamic,
                longRun,
                measuredRule, uncertainty, needed
        }

        package var kind: Kind
        /// The numbers of the line by name.
        package var values: [String: Double]
    }

    package var scenario: Scenario
    package var model: Model
    /// The weight now, kilograms.
    package var start: Double
    /// kcal a day.
    package var intake, expenditure: Interval
    package var points: [Point]
    /// What each model says for the end, kilograms.
    package var models: [String: Double]
    /// When the goal's weight is reached; nil without one.
    package var target: Target?
    package var steps: [Step]
    package var warnings: [Warning]
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
