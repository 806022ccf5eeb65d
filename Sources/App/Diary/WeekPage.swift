import HTTP
import Diary
import Foundation
import Meals

/// A week against the goal.
struct WeekPage {
    let content: WebWeek
    let texts: PageTexts
    let suffix: String

    private var summary: WeekSummary { content.summary }

    var title: String { texts.text("week.title", ["n": "\(content.week.number.week)"]) }

    func values() -> Values {
        let diary = DiaryText(texts)
        let figures = diary.figures
        let goal = content.person.goal
        let days = content.week.days
        var values: Values = [
            "title": title, "person": content.person.name, "suffix": suffix,
            "span": "\(diary.short(days[0])) – \(diary.short(days[6])) \(days[6].components.year)",
            "before": content.week.before.description,
            "beforeText": texts.text("week.title", ["n": "\(content.week.before.number.week)"]),
            "isEmpty": summary.points.allSatisfy { $0.calories == 0 },
            "plot": DiaryPlots.week(
                summary.points.map { (diary.mark($0.date), $0.calories, $0.date < content.today) },
                goal: goal?.dailyCalories, figures: figures),
            "label": texts.text("week.plot")
                + ": "
                + summary.points.map { "\(diary.mark($0.date)) \(figures.whole($0.calories))" }
                .joined(separator: ", "),
            "rows": summary.points.map { point -> Values in
                [
                    "day": point.date.description, "text": diary.mark(point.date),
                    "calories": figures.whole(point.calories),
                    "goal": goal.map { figures.whole($0.dailyCalories) } ?? "–",
                ]
            },
            "hasFoods": !summary.topFoods.isEmpty,
            "foods": summary.topFoods.map { food -> Values in
                ["name": food.name, "calories": diary.kilocalories(food.calories), "count": "\(food.count) ×"]
            },
            "stats": stats(diary),
        ]
        if content.week.after.monday <= content.today {
            values["after"] = content.week.after.description
            values["afterText"] = texts.text("week.title", ["n": "\(content.week.after.number.week)"])
        }
        if let goal {
            values["key"] = texts.text(
                "week.key",
                ["goal": figures.whole(goal.dailyCalories), "n": figures.whole(WeekSummary.tolerance)])
        }
        if let average = summary.average {
            let all = [
                ("protein", average.protein, goal?.protein), ("carbs", average.carbs, goal?.carbs),
                ("fat", average.fat, goal?.fat),
            ]
            values["macros"] = all.map { name, value, wanted -> Values in
                let of = wanted.map { " " + texts.text("diary.grams.of", ["n": figures.whole($0)]) } ?? " g"
                return ["name": texts.text("macro.\(name)").capitalizedFirst, "value": figures.whole(value) + of]
            }
            values["hasMacros"] = true
        }
        return values
    }

    private func stats(_ diary: DiaryText) -> [Values] {
        let figures = diary.figures
        guard let average = summary.average else { return [] }
        let n = ["n": "\(summary.fullDays)"]
        var all: [(String, String)] = [
            (
                figures.whole(average.calories),
                texts.text(summary.fullDays == 1 ? "week.mean.one" : "week.mean", n)
            )
        ]
        if let within = summary.daysWithinGoal {
            all.append(
                (
                    texts.text("week.of", ["n": "\(within)", "all": "\(summary.fullDays)"]),
                    texts.text("week.within", ["n": figures.whole(WeekSummary.tolerance)])
                ))
        }
        if let deficit = summary.averageDeficit, let reference = summary.deficitAgainst {
            let way = deficit < 0 ? "above" : "below"
            all.append((figures.whole(abs(deficit)), texts.text("week.\(way).\(reference)")))
        }
        if let meal = summary.mostLoggedMeal { all.append((diary.meal(meal), texts.text("week.most"))) }
        return all.map { ["figure": $0.0, "text": $0.1] }
    }
}

/// The goal with what the projection needs, and the projection with its arithmetic.
struct GoalPage {
    let content: WebProjections
    let texts: PageTexts
    let mayWrite: Bool
    var error: String?
    var message: String?

    func values() -> Values {
        let diary = DiaryText(texts)
        let goal = content.person.goal
        func typed(_ value: Decimal?) -> String { value.map { "\($0)" } ?? "" }
        func options(_ names: [String], _ prefix: String, _ chosen: String?) -> [Values] {
            [["value": "", "text": texts.text("goal.unset"), "isChosen": chosen == nil]]
                + names.map { ["value": $0, "text": texts.text("\(prefix).\($0)"), "isChosen": $0 == chosen] }
        }
        var values: Values = [
            "person": content.person.name, "mayWrite": mayWrite,
            "calories": typed(goal?.dailyCalories), "protein": typed(goal?.protein), "carbs": typed(goal?.carbs),
            "fat": typed(goal?.fat), "weight": typed(content.weight?.kilograms ?? goal?.currentWeight),
            "target": typed(goal?.targetWeight), "by": goal?.targetDate?.description ?? "",
            "born": goal?.birthYear.map(String.init) ?? "", "height": typed(goal?.height),
            "sexes": options(["female", "male"], "sex", goal?.sex?.rawValue),
            "activities": options(
                UserGoal.Activity.allCases.map(\.rawValue), "activity", goal?.activity?.rawValue),
            "projections": content.all.map { diary.projection($0) }, "isEmpty": content.all.isEmpty,
        ]
        if let error { values["error"] = error }
        if let message { values["message"] = message }
        return values
    }
}
