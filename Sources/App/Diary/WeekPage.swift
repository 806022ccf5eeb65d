import Diary
import Foundation
import Foods

struct WeekPage: Page {
    static let template = "week"
    static let styles = ["table", "diary"]

    struct Stat { let figure, text: String }
    struct Row { let day, text, calories, goal: String }
    struct Food { let name, calories, count: String }
    struct Macro { let name, value: String }

    let heading, span, person, suffix, query, before, beforeText: String
    /// Nil for a week after which none has begun.
    let after, afterText: String?
    let isEmpty: Bool
    /// What goes well; nil if there is nothing to say, or nobody wants to read it.
    let praise: String?
    let stats: [Stat]
    let plot: WeekPlot
    let label: String
    /// What the lines and light bars of the plot are; nil without them.
    let key: String?
    let rows: [Row]
    /// Where weeks like the last ones lead; nil for past weeks.
    let projection: ProjectionPart?
    let foods: [Food]
    let hasMacros: Bool
    let macros: [Macro]

    init(_ content: WeekContent, _ texts: PageTexts, place: DiaryPlace) {
        let (diary, summary, goal) = (DiaryText(texts), content.summary, content.person.goal)
        let (figures, days) = (diary.figures, content.week.days)
        func name(_ week: Week) -> String { texts.text("week.title", ["n": "\(week.number.week)"]) }
        let next = content.week.after.monday <= content.today ? content.week.after : nil
        heading = name(content.week)
        span = "\(diary.short(days[0])) – \(diary.short(days[6])) \(days[6].components.year)"
        person = content.person.name
        (suffix, query) = (place.suffix, place.query)
        before = content.week.before.description
        beforeText = name(content.week.before)
        after = next?.description
        afterText = next.map(name)
        isEmpty = summary.points.allSatisfy { $0.calories == 0 }
        praise = content.encouragement.map(diary.praise)
        stats = Self.stats(summary, diary)
        plot = DiaryPlots.week(
            summary.points.map { point in
                let isCounted = summary.leftOut?.contains(point.date) != true
                return (diary.weekdayMark(point.date), point.calories, point.date < content.today, isCounted)
            }, goal: goal?.dailyCalories, figures: figures)
        label =
            texts.text("week.plot") + ": "
            + summary.points.map { "\(diary.mark($0.date)) \(figures.whole($0.calories))" }.joined(separator: ", ")
        let goalKey = goal.map { goal in
            texts.text(
                "week.key",
                ["goal": figures.whole(goal.dailyCalories), "n": figures.whole(WeekSummary.tolerance)])
        }
        let keys = [goalKey, summary.leftOut.map { _ in texts.text("week.leftout") }].compactMap { $0 }
        key = keys.isEmpty ? nil : keys.joined(separator: " ")
        rows = summary.points.map { point in
            Row(
                day: point.date.description, text: diary.mark(point.date), calories: figures.whole(point.calories),
                goal: goal.map { figures.whole($0.dailyCalories) } ?? "–")
        }
        projection = content.projection.flatMap { diary.projection($0, from: content.today) }
        foods = summary.topFoods.map {
            Food(name: $0.name, calories: diary.kilocalories($0.calories), count: "\($0.count) ×")
        }
        hasMacros = summary.average != nil
        macros =
            summary.average.map { diary.macros($0, goal) }?.map { macro in
                let of = macro.wanted.map { " " + texts.text("diary.grams.of", ["n": figures.whole($0)]) } ?? " g"
                let value = diary.grams(macro.known, figures.whole) + (macro.grams == nil ? "" : of)
                return Macro(
                    name: macro.name,
                    value: [value, diary.without(macro.known)].compactMap(\.self).joined(separator: ", "))
            } ?? []
    }

    private static func stats(_ summary: WeekSummary, _ diary: DiaryText) -> [Stat] {
        guard let average = summary.average else { return [] }
        let (texts, figures) = (diary.texts, diary.figures)
        let mean = summary.fullDays == 1 ? "week.mean.one" : "week.mean"
        var all = [
            Stat(
                figure: figures.whole(average.calories), text: texts.text(mean, ["n": "\(summary.fullDays)"]))
        ]
        if let within = summary.daysWithinGoal {
            all.append(
                Stat(
                    figure: texts.text("week.of", ["n": "\(within)", "all": "\(summary.fullDays)"]),
                    text: texts.text("week.within", ["n": figures.whole(WeekSummary.tolerance)])))
        }
        if let deficit = summary.shownDeficit, let reference = summary.deficitAgainst {
            let way = deficit < 0 ? "above" : "below"
            all.append(
                Stat(figure: figures.whole(abs(deficit)), text: texts.text("week.\(way).\(reference.rawValue)")))
        }
        if let meal = summary.mostLoggedMeal {
            all.append(Stat(figure: diary.meal(meal), text: texts.text("week.most")))
        }
        return all
    }
}
