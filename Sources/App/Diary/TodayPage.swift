import HTTP
import Diary
import Foundation
import Meals

/// A day: the goal, the meals, what may be logged next, and where it leads.
struct TodayPage {
    let content: WebDay
    let texts: PageTexts
    /// False for a diary that its owner only lets read.
    let mayWrite: Bool
    /// The part of an address that names a diary other than the first; empty for the first.
    let suffix: String
    /// Id of the entry that was just added.
    let added: String?

    private var diary: DiaryText { DiaryText(texts) }
    private var log: DayLog { content.log }
    private var goal: UserGoal? { content.person.goal }
    private var isToday: Bool { content.day == content.today }

    var title: String {
        isToday ? texts.text("nav.today") : diary.relative(content.day, to: content.today).capitalizedFirst
    }

    func values() throws -> Values {
        var values: Values = [
            "title": title, "day": content.day.description, "date": diary.date(content.day),
            "person": content.person.name, "mayWrite": mayWrite, "suffix": suffix,
            "isEmpty": log.entries.isEmpty, "before": content.day.adding(-1).description,
            "beforeText": diary.relative(content.day.adding(-1), to: content.today).capitalizedFirst,
            "week": Week(of: content.day).description, "state": state.rawValue,
            "sum": diary.kilocalories(log.totals.calories), "meals": Meal.allCases.map(meal),
            "macros": macros,
        ]
        if !isToday {
            values["after"] = content.day.adding(1).description
            values["afterText"] = diary.relative(content.day.adding(1), to: content.today).capitalizedFirst
        }
        if let goal, goal.dailyCalories > 0 { values["goal"] = against(goal.dailyCalories) }
        if let entry = added.flatMap({ id in log.entries.first { $0.id == id } }) {
            values["added"] = texts.text(
                "diary.added",
                ["name": entry.food.name, "n": diary.figures.whole(entry.totals.calories)])
        }
        if mayWrite {
            values["habits"] = try content.habits.map { habit -> Values in
                [
                    "name": habit.food.name, "serving": habit.serving.sizeLabel,
                    "food": String(decoding: try MealJSON.encode(habit.food), as: UTF8.self),
                ]
            }
            values["earlier"] = earlierMeals
        }
        if let projection = content.projection { values["projection"] = diary.projection(projection) }
        if let weight = content.weight {
            values["weight"] =
                [
                    "text": diary.figures.one(weight.kilograms),
                    "when": diary.relative(weight.day, to: content.today),
                ] as Values
        }
        return values
    }

    /// How far the day is.
    enum State: String { case empty, open, complete }

    /// A day is complete when it is over, or when breakfast, lunch and dinner are logged.
    var state: State {
        if log.entries.isEmpty { return .empty }
        let logged = Set(log.entries.map(\.meal))
        return !isToday || logged.isSuperset(of: [.breakfast, .lunch, .dinner]) ? .complete : .open
    }

    private func against(_ goal: Decimal) -> Values {
        let calories = log.totals.calories
        let sentence = diary.against(goal, calories)
        return [
            "arc": DiaryPlots.arc((calories / goal).double), "calories": diary.figures.whole(calories),
            "of": texts.text("diary.of", ["n": diary.figures.whole(goal)]), "label": sentence,
            "text": (state == .complete ? texts.text("diary.complete") + " " : "")
                + diary.left(goal, calories) + " " + sentence + ".",
        ]
    }

    private var macros: [Values] {
        let totals = log.totals
        let all = [
            ("protein", totals.protein, goal?.protein), ("carbs", totals.carbs, goal?.carbs),
            ("fat", totals.fat, goal?.fat),
        ]
        return all.map { name, value, wanted in
            var values: Values = [
                "name": texts.text("macro.\(name)").capitalizedFirst, "value": diary.figures.whole(value),
            ]
            if let wanted, wanted > 0 {
                values["wanted"] =
                    [
                        "max": "\(wanted)", "now": "\(min(value, wanted).rounded(places: 0))",
                        "text": texts.text("diary.grams.of", ["n": diary.figures.whole(wanted)]),
                        "share": "\(diary.figures.whole(value * 100 / wanted)) %",
                    ] as Values
            }
            return values
        }
    }

    private func meal(_ meal: Meal) -> Values {
        let own = log.entries.filter { $0.meal == meal }
        let sum = own.reduce(Decimal(0)) { $0 + $1.totals.calories }
        return [
            "key": meal.rawValue, "name": diary.meal(meal), "hasEntries": !own.isEmpty,
            "sum": own.isEmpty ? texts.text("diary.nothing") : diary.kilocalories(sum),
            "log": texts.text("diary.log.\(meal.rawValue)"), "entries": own.map(entry),
        ]
    }

    private func entry(_ entry: MealEntry) -> Values {
        var facts = [entry.serving.sizeLabel]
        if entry.food.source == .scanned { facts.append(diary.facts(entry.food)) }
        return [
            "id": entry.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? "",
            "name": entry.food.name, "facts": facts.joined(separator: ", "),
            "calories": diary.figures.whole(entry.totals.calories),
            "edit": texts.text("diary.edit", ["name": entry.food.name]),
        ]
    }

    /// The meals of earlier days that are not logged yet; the one of this hour comes first.
    private var earlierMeals: [Values] {
        let logged = Set(log.entries.map(\.meal))
        let usual = isToday ? Meal.usual(at: content.hour) : nil
        return content.earlier.filter { !logged.contains($0.meal) }
            .sorted { ($0.meal == usual ? 0 : 1) < ($1.meal == usual ? 0 : 1) }
            .map { EarlierRow(meal: $0, today: content.today, diary: diary).values }
    }
}

/// An earlier meal that can be logged again.
struct EarlierRow {
    let meal: EarlierMeal
    let today: Day
    let diary: DiaryText

    var values: Values {
        [
            "meal": meal.meal.rawValue, "from": meal.day.description,
            "text": diary.texts.text(
                "diary.again",
                ["meal": diary.meal(meal.meal), "day": diary.relative(meal.day, to: today)]),
            "names": meal.names.prefix(4).joined(separator: ", "), "calories": diary.kilocalories(meal.calories),
        ]
    }
}

extension String {
    /// With a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
