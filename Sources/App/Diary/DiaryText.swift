import Core
import Foundation
import Foods

/// Numbers, dates and sentences of the diary's pages in the reader's language.
struct DiaryText {
    let texts: PageTexts
    let figures: FigureText
    private let locale: Locale

    init(_ texts: PageTexts) {
        self.texts = texts
        figures = FigureText(language: texts.language)
        // Day before month.
        locale = Locale(identifier: texts.language == "en" ? "en_GB" : texts.language)
    }

    // MARK: Dates

    /// A day is shown as noon of UTC.
    private func shown(_ day: Day, _ format: (Date.FormatStyle) -> Date.FormatStyle) -> String {
        let style = Date.FormatStyle(locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
        return Date(timeIntervalSince1970: Double(day.number) * 86_400 + 43_200).formatted(format(style))
    }

    /// `Sunday, 22 November 2026`
    func date(_ day: Day) -> String { shown(day) { $0.weekday(.wide).day().month(.wide).year() } }
    /// `22 November`
    func short(_ day: Day) -> String { shown(day) { $0.day().month(.wide) } }
    /// `22 Nov`
    func brief(_ day: Day) -> String { shown(day) { $0.day().month(.abbreviated) } }
    /// `22 November 2026`
    func dated(_ day: Day) -> String { shown(day) { $0.day().month(.wide).year() } }
    /// `Sunday`
    func weekday(_ day: Day) -> String { shown(day) { $0.weekday(.wide) } }
    /// `Sun`
    func weekdayMark(_ day: Day) -> String { shown(day) { $0.weekday(.abbreviated) } }
    /// `Sun 22`
    func mark(_ day: Day) -> String { weekdayMark(day) + " \(day.components.day)" }

    /// `today`, `yesterday`, or the weekday of the last week, or the date.
    func relative(_ day: Day, to today: Day) -> String {
        switch today.number - day.number {
        case 0: texts.text("diary.today.word")
        case 1: texts.text("diary.yesterday")
        case 2...6: weekday(day)
        default: short(day)
        }
    }

    // MARK: Figures

    func meal(_ meal: Meal) -> String { texts.text("meal.\(meal.rawValue)") }

    func meals(chosen: Meal) -> [Choice] {
        Choice.all(Meal.allCases, chosen: chosen) { texts.text("meal.\($0)") }
    }

    func kilocalories(_ value: Decimal) -> String { "\(figures.whole(value)) kcal" }

    /// `1,320 of 1,800 calories, 73 %`
    func against(_ goal: Decimal, _ calories: Decimal) -> String {
        texts.text(
            "diary.against",
            [
                "n": figures.whole(calories), "goal": figures.whole(goal),
                "share": figures.whole(calories * 100 / goal),
            ])
    }

    /// What is left or too much, or that the day is complete.
    func left(_ goal: Decimal, _ calories: Decimal) -> String {
        let rest = FigureText.rest(of: goal, after: calories)
        if abs(rest) <= WeekSummary.tolerance {
            return texts.text("diary.within", ["n": figures.whole(WeekSummary.tolerance)])
        }
        return texts.text(rest > 0 ? "diary.left" : "diary.above", ["n": figures.whole(abs(rest))])
    }

    /// One sentence about what goes well.
    func praise(_ encouragement: Encouragement) -> String {
        switch encouragement {
        case .days(let days): texts.text("praise.days", ["n": "\(days)"])
        case .nearGoal(let near, let all):
            texts.text(
                "praise.near",
                ["n": "\(near)", "all": "\(all)", "kcal": figures.whole(WeekSummary.tolerance)])
        }
    }

    /// Brand, record and missing figures of a food.
    func facts(_ food: Food) -> String {
        var parts = [food.brand, texts.text("source.\(food.source.rawValue)")].compactMap { $0 }
        if let confidence = food.confidence {
            parts.append(
                texts.text(
                    "result.confidence", ["level": texts.text("level.\(Confidence(confidence).level.rawValue)")]))
        }
        if let unknown = food.unknown, !unknown.isEmpty {
            // A table may print what was not read; its food has an id of its own.
            let key = food.source == .scanned && food.id.hasPrefix("own:") ? "diary.unread" : "diary.unknown"
            parts.append(
                texts.text(key, ["names": texts.list(unknown.map { texts.text("macro.\($0)") })]))
        }
        return parts.joined(separator: ", ")
    }

    /// The macronutrients with their names, grams, and the goal for each.
    func macros(_ totals: MacroTotals, _ goal: UserGoal?) -> [MacroFigure] {
        zip(MacroTotals.Macro.allCases, [goal?.protein, goal?.carbs, goal?.fat]).map { macro, wanted in
            MacroFigure(
                name: texts.text("macro.\(macro.rawValue)").capitalizedFirst, known: totals.known(macro),
                wanted: wanted.flatMap { $0 > 0 ? $0 : nil })
        }
    }

    /// The grams of a macronutrient; a dash where no food states them.
    func grams(_ known: MacroTotals.Known, _ figure: (Decimal) -> String) -> String {
        switch known {
        case .exact(let grams): figure(grams)
        case .atLeast(let grams, _): texts.text("macro.atleast", ["n": figure(grams)])
        case .nothing: "–"
        }
    }

    /// How many foods do not state it; nil where all do.
    func without(_ known: MacroTotals.Known) -> String? {
        switch known {
        case .exact: nil
        case .atLeast(_, let without):
            texts.text("macro.without", ["n": "\(without)"])
        case .nothing: texts.text("macro.unknown")
        }
    }

    // MARK: Projection

    /// Values that are kilograms or another small number in these lines.
    private static let fine: Set<Projection.Step.Kind> = [
        .ruleOfThumb, .dynamic, .longRun, .measuredRule, .uncertainty,
    ]

    /// One line of the arithmetic.
    func step(_ step: Projection.Step) -> String {
        var values: [String: String] = [:]
        for (name, value) in step.values {
            switch name {
            case "offset": values[name] = added(value)
            case "difference" where step.kind == .ruleOfThumb: values[name] = added(value)
            case "weight", "height", "start": values[name] = figures.one(value)
            case "trend", "activity": values[name] = figures.two(value)
            case "value", "low", "high":
                values[name] = Self.fine.contains(step.kind) ? figures.one(value) : figures.whole(value)
            default: values[name] = figures.whole(value)
            }
        }
        return texts.text("step.\(step.kind.rawValue)", values)
    }

    /// A summand with its sign before it: `+ 5`, `− 161`.
    private func added(_ value: Double) -> String { (value < 0 ? "− " : "+ ") + figures.whole(abs(value)) }

    /// Nil for a projection without points.
    ///
    /// - Parameter today: the day on which it starts.
    func projection(_ projection: Projection, from today: Day) -> ProjectionPart? {
        guard let end = projection.points.last else { return nil }
        let (low, high) = (figures.one(end.weight.low), figures.one(end.weight.high))
        let (weeks, start) = ("\(end.week)", figures.one(projection.start))
        return ProjectionPart(
            head: texts.text("projection.\(projection.scenario.rawValue)"),
            range: texts.text("projection.range", ["low": low, "high": high]),
            after: texts.text("projection.after", ["n": weeks, "start": start]),
            label: texts.text("projection.label", ["n": weeks, "start": start, "low": low, "high": high]),
            days: days(of: projection.steps),
            target: projection.target.map { target($0, from: today) },
            plot: DiaryPlots.projection(projection, figures: figures) { day in
                day == 0 ? texts.text("projection.now") : brief(today.adding(day))
            },
            rows: projection.points.filter { $0.week % max(1, end.week / 12) == 0 }.map { point in
                .init(
                    day: short(today.adding(point.week * 7)), low: figures.one(point.weight.low),
                    mid: figures.one(point.weight.mid), high: figures.one(point.weight.high))
            },
            steps: projection.steps.map { step($0) },
            warnings: projection.warnings.map { texts.text("warning.\($0.rawValue)") })
    }

    private func days(of steps: [Projection.Step]) -> String? {
        func count(_ kind: Projection.Step.Kind) -> String? {
            steps.first { $0.kind == kind }?.values["days"].map(figures.whole)
        }
        guard let whole = count(.eatenLogged) else { return nil }
        guard let left = count(.leftOut) else { return texts.text("projection.days", ["n": whole]) }
        return texts.text("projection.days.left", ["n": whole, "m": left])
    }

    /// When a weight is reached, and what the range says for the day by which it is wanted.
    private func target(_ target: Projection.Target, from today: Day) -> ProjectionPart.Target {
        func date(_ days: Int) -> String { dated(today.adding(days)) }
        let when =
            target.likely.map {
                $0 == 0 ? texts.text("target.reached") : texts.text("target.around", ["day": date($0)])
            }
            ?? texts.text("target.never")
        let span: String? =
            switch (target.earliest, target.latest) {
            case (0?, _): nil
            case (let first?, let last?): texts.text("target.between", ["a": date(first), "b": date(last)])
            case (let first?, nil): texts.text("target.earliest", ["a": date(first)])
            case (nil, _): nil
            }
        return ProjectionPart.Target(
            head: texts.text("target.head", ["weight": figures.one(target.weight)]), when: when, span: span,
            wanted: target.wanted.map { wanted in
                texts.text("target.wanted", ["low": figures.one(wanted.low), "high": figures.one(wanted.high)])
            })
    }
}

/// A projection with its target, its plot, its figures, its arithmetic and its warnings.
struct ProjectionPart {
    /// When the goal's weight is reached.
    struct Target {
        let head, when: String
        let span, wanted: String?
    }

    /// Kilograms on a day.
    struct Row { let day, low, mid, high: String }

    let head, range, after, label: String
    /// How many days it is from; nil for a goal.
    let days: String?
    let target: Target?
    let plot: ProjectionPlot?
    let rows: [Row]
    let steps, warnings: [String]
}

/// A macronutrient of a day, a week or an entry.
struct MacroFigure {
    let name: String
    let known: MacroTotals.Known
    /// Nil without a goal.
    let wanted: Decimal?

    /// Nil where no food states it.
    var grams: Decimal? {
        switch known {
        case .exact(let grams), .atLeast(let grams, _): grams
        case .nothing: nil
        }
    }
}

extension String {
    /// With a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
