import HTTP
import Core
import Diary
import Foundation
import Meals
import WeightProjection

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
    /// `Sunday`
    func weekday(_ day: Day) -> String { shown(day) { $0.weekday(.wide) } }
    /// `Sun 22`
    func mark(_ day: Day) -> String { shown(day) { $0.weekday(.abbreviated) } + " \(day.components.day)" }

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
        let rest = (goal - calories).rounded(places: 0)
        if abs(rest) <= WeekSummary.tolerance {
            return texts.text("diary.within", ["n": figures.whole(WeekSummary.tolerance)])
        }
        return texts.text(rest > 0 ? "diary.left" : "diary.above", ["n": figures.whole(abs(rest))])
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
            parts.append(
                texts.text("diary.unknown", ["names": texts.list(unknown.map { texts.text("macro.\($0)") })]))
        }
        return parts.joined(separator: ", ")
    }

    /// The macronutrients with their names, grams, and the goal for each.
    func macros(_ totals: MacroTotals, _ goal: UserGoal?) -> [(name: String, value: Decimal, wanted: Decimal?)] {
        [
            ("protein", totals.protein, goal?.protein), ("carbs", totals.carbs, goal?.carbs),
            ("fat", totals.fat, goal?.fat),
        ].map { (texts.text("macro.\($0)").capitalizedFirst, $1, $2) }
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
    func projection(_ projection: Projection) -> ProjectionPart? {
        guard let end = projection.points.last else { return nil }
        let (low, high) = (figures.one(end.weight.low), figures.one(end.weight.high))
        let (weeks, start) = ("\(end.week)", figures.one(projection.start))
        return ProjectionPart(
            head: texts.text("projection.\(projection.scenario.rawValue)"),
            range: texts.text("projection.range", ["low": low, "high": high]),
            after: texts.text("projection.after", ["n": weeks, "start": start]),
            label: texts.text("projection.label", ["n": weeks, "start": start, "low": low, "high": high]),
            plot: DiaryPlots.projection(projection, figures: figures) { week in
                week == 0 ? texts.text("projection.now") : texts.text("projection.weeks", ["n": "\(week)"])
            }, steps: projection.steps.map { step($0) },
            warnings: projection.warnings.map { texts.text("warning.\($0.rawValue)") })
    }
}

/// A projection with its plot, its arithmetic and its warnings.
struct ProjectionPart {
    let head, range, after, label: String
    let plot: ProjectionPlot?
    let steps, warnings: [String]
}

extension String {
    /// With a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
