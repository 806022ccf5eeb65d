/// Projects a person's weight. All figures are kilocalories, kilograms and days.
package struct Projector: Sendable {
    /// Constants with their origin.
    package enum Parameters {
        /// kcal/kg: 3,500 kcal a pound, a rule of thumb (Aimnofsky 1958). It ignores that expenditure falls with weight.
        package static let ruleOfThumb = 7700.0
        /// People log up to this share too little (OPEN study, Subar 2003: 12 to 20 % against doubly labelled water).
        package static let underreporting = 0.15
        /// Likely error of formula and activity level together (Mifflin 1990; Frankenfield 2005: most within 10 %).
        package static let formulaError = 0.10
        /// Likely error of the dynamic model, as a share of the change of weight.
        package static let modelError = 0.10
        /// Likely error of the rule of thumb on the same scale.
        package static let ruleError = 0.30
        /// Kilograms by which the weight of one morning varies.
        package static let dailyWeight = 0.5
        /// kcal by which people miss a goal that they mean to reach.
        package static let goalTolerance = 100.0
        /// kcal a day: a lower intake needs medical supervision (NIH clinical guidelines 1998).
        package static let lowestIntake = 1200.0
        /// Share of the body weight a week (NIH clinical guidelines 1998: 0.5 to 1 kg).
        package static let fastestLoss = 0.01
    }

    /// The weight now.
    package var weight: Double
    /// Nil if sex, age, height or activity is unknown, or if the formula has no figure for such a body.
    package var body: Body?
    /// Days with entries that are not in ``intake``, because they are not complete.
    package var leftOut: Int
    /// kcal of the complete logged days, by day number, and weights by day number.
    package var intake: [(day: Int, value: Double)]
    package var weights: [(day: Int, value: Double)]
    /// The goal's kcal a day.
    package var goal: Double?
    /// The weight to reach, and in how many days if there is a day for it.
    package var target: (weight: Double, days: Int?)?

    /// The newest logged days that count as the person's habit.
    private static let habitDays = 28
    private static let fewestHabitDays = 3

    package init(
        weight: Double, body: Body?, intake: [(day: Int, value: Double)], leftOut: Int = 0,
        weights: [(day: Int, value: Double)], goal: Double?, target: (weight: Double, days: Int?)?
    ) {
        self.weight = weight
        // The formula falls below nothing for somebody very old, small and light.
        self.body = body.flatMap { $0.restingExpenditure > 0 ? $0 : nil }
        self.intake = intake
        self.leftOut = leftOut
        self.weights = weights
        self.goal = goal
        self.target = target
    }

    /// The estimate from weights and meals; nil with too few of them.
    package var measured: MeasuredExpenditure? {
        let density = body.map { HallModel.tissueDensity(fat: $0.fat) } ?? Parameters.ruleOfThumb
        return MeasuredExpenditure(intake: intake, weights: weights, density: density)
    }

    /// kcal a day; nil without body data and without enough weights and meals.
    package var expenditure: Interval? {
        if let measured {
            return Interval(
                low: measured.value - measured.uncertainty, mid: measured.value,
                high: measured.value + measured.uncertainty)
        }
        return body.map {
            let error = $0.expenditure * Parameters.formulaError
            return Interval(low: $0.expenditure - error, mid: $0.expenditure, high: $0.expenditure + error)
        }
    }

    /// The kilocalories that were probably eaten where the log says `logged`. The projection and the week count with them.
    /// An estimate of the expenditure from the log has the log's own bias, so it is compared with the log.
    package func likelyIntake(_ logged: Double) -> Double {
        measured == nil ? logged * (1 + Parameters.underreporting / 2) : logged
    }

    /// Projects one scenario over this number of weeks.
    ///
    /// - Returns: nil without an expenditure, without a goal, or with fewer than three logged days.
    package func projection(_ scenario: Projection.Scenario, weeks: Int = 12) -> Projection? {
        guard let expenditure, let eaten = eaten(scenario) else { return nil }
        let weeks = max(1, min(weeks, Self.mostWeeks))
        let days = weeks * 7
        let all = points(eaten.interval, expenditure, weeks: target == nil ? weeks : Self.mostWeeks)
        let points = Array(all.prefix(weeks + 1))
        let middle = course(eaten.interval.mid, expenditure.mid, days)
        let rule =
            weight + (eaten.interval.mid.rounded() - expenditure.mid.rounded()) * Double(days) / Parameters.ruleOfThumb
        var models = ["ruleOfThumb": rule]
        if body != nil, measured == nil {
            models["dynamic"] = middle[days]
        } else if let body {
            models["dynamic"] =
                HallModel(body, balance: body.expenditure).weights(intake: eaten.trueMid, days: days)[days]
        }
        if measured != nil { models["fromData"] = middle[days] }
        let needed = neededIntake
        return Projection(
            scenario: scenario, model: measured != nil ? .fromData : .dynamic, start: weight,
            intake: eaten.interval, expenditure: expenditure, points: points, models: models,
            target: target.map { Projection.Target(of: $0.weight, wantedIn: $0.days, all) },
            steps: steps(
                scenario, eaten, expenditure, rule: rule, points: points, days: days, needed: needed),
            warnings: warnings(eaten.interval.mid, middle, needed: needed))
    }

    private static let mostWeeks = 104

    /// The ranges of week 0 to `weeks`.
    private func points(_ eaten: Interval, _ expenditure: Interval, weeks: Int) -> [Projection.Point] {
        let days = weeks * 7
        let middle = course(eaten.mid, expenditure.mid, days)
        // One source of uncertainty after the other; they are independent, so their squares add.
        let sources = [
            (course(eaten.low, expenditure.mid, days), course(eaten.high, expenditure.mid, days)),
            (course(eaten.mid, expenditure.high, days), course(eaten.mid, expenditure.low, days)),
        ]
        let share = body == nil ? Parameters.ruleError : Parameters.modelError
        return (0...weeks).map { week in
            let day = week * 7
            let own = abs(middle[day] - middle[0]) * share
            var (below, above) = (own * own, own * own)
            for (low, high) in sources {
                below += Self.square(middle[day] - low[day])
                above += Self.square(high[day] - middle[day])
            }
            if week > 0 {
                below += Self.square(Parameters.dailyWeight)
                above += Self.square(Parameters.dailyWeight)
            }
            return .init(
                week: week,
                weight: Interval(
                    low: middle[day] - below.squareRoot(), mid: middle[day], high: middle[day] + above.squareRoot()))
        }
    }

    // MARK: Intake

    private struct Eaten {
        var interval: Interval
        /// As logged, or as the goal says.
        var stated: Double
        /// What a formula for the expenditure must be compared with.
        var trueMid: Double
        var days: Int
    }

    private func eaten(_ scenario: Projection.Scenario) -> Eaten? {
        let bias = Parameters.underreporting
        // An estimate from the log has the log's own bias, so it cancels out.
        let isBiased = measured == nil
        switch scenario {
        case .asGoal:
            guard let goal else { return nil }
            let tolerance = Parameters.goalTolerance
            let interval =
                isBiased
                ? Interval(low: goal - tolerance, mid: likelyIntake(goal), high: goal * (1 + bias) + tolerance)
                : Interval(low: goal - tolerance, mid: goal, high: goal + tolerance)
            return Eaten(interval: interval, stated: goal, trueMid: goal * (1 + bias / 2), days: 0)
        case .asLogged:
            let recent = intake.sorted { $0.day < $1.day }.suffix(Self.habitDays).map(\.value)
            guard recent.count >= Self.fewestHabitDays else { return nil }
            let mean = Mean(recent)
            let error = 2 * mean.error
            let interval =
                isBiased
                ? Interval(
                    low: mean.value - error, mid: likelyIntake(mean.value), high: mean.value * (1 + bias) + error)
                : Interval(low: mean.value - error, mid: mean.value, high: mean.value + error)
            return Eaten(
                interval: interval, stated: mean.value, trueMid: mean.value * (1 + bias / 2), days: recent.count)
        }
    }

    // MARK: Weight

    /// Weights of day 0 to `days` by the best model that the data allow.
    private func course(_ intake: Double, _ expenditure: Double, _ days: Int) -> [Double] {
        guard let body else {
            return (0...days).map { weight + (intake - expenditure) * Double($0) / Parameters.ruleOfThumb }
        }
        return HallModel(body, balance: expenditure).weights(intake: intake, days: days)
    }

    private static func square(_ value: Double) -> Double { value * value }

    /// The daily intake that reaches the target in time; nil without a target, body data, or a solution, and for a target that is more than ten years
    /// away.
    var neededIntake: Double? {
        guard let target, let days = target.days, (1...Self.mostTargetDays).contains(days), let expenditure
        else { return nil }
        func end(_ intake: Double) -> Double { course(intake, expenditure.mid, days)[days] }
        var (low, high) = (0.0, 3 * expenditure.mid)
        guard end(high) > target.weight else { return nil }
        for _ in 0..<Self.halvings {
            let middle = (low + high) / 2
            if end(middle) < target.weight { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private static let halvings = 14
    /// A target further away says nothing about what to eat now, and each day of it is computed about fifty times.
    static let mostTargetDays = 3653

    private func warnings(_ intake: Double, _ middle: [Double], needed: Double?) -> [Projection.Warning] {
        var warnings: [Projection.Warning] = []
        let lowest = [goal, needed].compactMap { $0 }.min() ?? intake
        if lowest < Parameters.lowestIntake { warnings.append(.tooLow) }
        var rate = 0.0
        if let target, let days = target.days, days > 0 { rate = (weight - target.weight) / Double(days) * 7 / weight }
        // The first weeks lose water too; the weeks after them show the pace.
        if middle.count > 28 { rate = max(rate, (middle[7] - middle[28]) / 3 / weight) }
        if rate > Parameters.fastestLoss { warnings.append(.tooFast) }
        return warnings
    }

    // MARK: Arithmetic

    private func steps(
        _ scenario: Projection.Scenario, _ eaten: Eaten, _ expenditure: Interval, rule: Double,
        points: [Projection.Point], days: Int, needed: Double?
    ) -> [Projection.Step] {
        var steps: [Projection.Step] = []
        let range = [
            "stated": eaten.stated, "low": eaten.interval.low, "mid": eaten.interval.mid, "high": eaten.interval.high,
        ]
        if scenario == .asGoal {
            steps.append(.init(kind: .eatenGoal, values: range))
        } else {
            steps.append(.init(kind: .eatenLogged, values: range.merging(["days": Double(eaten.days)]) { $1 }))
            if leftOut > 0 { steps.append(.init(kind: .leftOut, values: ["days": Double(leftOut)])) }
        }
        if let measured {
            steps.append(
                .init(
                    kind: .usedData,
                    values: [
                        "value": measured.value, "uncertainty": measured.uncertainty,
                        "days": Double(measured.loggedDays), "weights": Double(measured.weights),
                        "trend": measured.trend * 7, "density": measured.density,
                    ]))
        } else if let body {
            steps.append(
                .init(
                    kind: .restingFormula,
                    values: [
                        "value": body.restingExpenditure, "weight": body.weight, "height": body.height,
                        "age": body.age, "offset": body.isMale ? 5 : -161,
                    ]))
            steps.append(
                .init(
                    kind: .usedFormula,
                    values: [
                        "value": body.expenditure, "resting": body.restingExpenditure, "activity": body.activity,
                        "low": expenditure.low, "high": expenditure.high,
                    ]))
        }
        // Whole kilocalories, so that the lines agree with each other as they are shown.
        let (counted, used) = (eaten.interval.mid.rounded(), expenditure.mid.rounded())
        let difference = counted - used
        steps.append(
            .init(
                kind: .difference,
                values: ["value": difference, "eaten": counted, "used": used]))
        steps.append(
            .init(
                kind: .ruleOfThumb,
                values: ["value": rule, "difference": difference, "days": Double(days), "start": weight]))
        if let end = points.last?.weight {
            if body == nil {
                steps.append(.init(kind: .measuredRule, values: ["value": end.mid]))
            } else {
                steps.append(.init(kind: .dynamic, values: ["value": end.mid]))
                // Hall 2011: 100 kJ (24 kcal) a day for each kilogram in the long run, half of it within a year.
                steps.append(
                    .init(kind: .longRun, values: ["value": difference / 24, "difference": difference]))
            }
            steps.append(.init(kind: .uncertainty, values: ["low": end.low, "high": end.high]))
        }
        if let target, let days = target.days, let needed {
            steps.append(
                .init(kind: .needed, values: ["value": needed, "weight": target.weight, "days": Double(days)]))
        }
        return steps
    }
}
