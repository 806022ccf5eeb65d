import Core
import Diary
import Foundation
import Foods

/// A day: the goal, the meals, what may be logged next, and where it leads.
struct TodayPage: Page {
    static let template = "today"
    static let styles = ["form", "diary"]
    static let scripts = ["diary"]

    struct Goal { let arc, calories, of, label, text: String }

    struct Macro {
        struct Wanted { let max, now, text, share: String }

        let name, value: String
        let wanted: Wanted?
        /// How many foods do not state it; nil where all do.
        let without: String?
    }

    struct LoggedMeal {
        let key, name, sum, log, photo: String
        let entries: [Entry]
    }

    struct Entry { let id, name, facts, calories, edit: String }
    struct Usual { let name, serving, food: String }
    struct Weight { let text, when: String }

    let heading, day, date, person, suffix, query, before, beforeText: String
    /// The member whose diary it is; nil for the reader's own.
    let owner: String?
    /// Nil for today.
    let after, afterText: String?
    let week: String
    /// How far the day is: `empty`, `open` or `complete`.
    let state: String
    /// False for a diary that its owner only lets read.
    let mayWrite: Bool
    let isEmpty: Bool
    let added: String?
    let goal: Goal?
    /// What goes well; nil if there is nothing to say, or nobody wants to read it.
    let praise: String?
    let sum: String
    let macros: [Macro]
    let habits: [Usual]
    let earlier: [EarlierRow]
    let meals: [LoggedMeal]
    /// Says that the day does not count, and asks whether anything is missing.
    let unfinished: String?
    let projection: ProjectionPart?
    let weight: Weight?

    /// For the time without a network; nil where nothing is kept.
    let kept: KeptPage?
    /// See ``TodayContent/newZone``.
    let newZone: String?

    /// - Parameters:
    ///   - added: id of the entry that was just added.
    init(
        _ content: TodayContent, _ texts: PageTexts, place: DiaryPlace, mayWrite: Bool, added: String?,
        kept: KeptPage? = nil
    ) throws {
        self.kept = kept
        newZone = content.newZone
        let (diary, log, shown) = (DiaryText(texts), content.log, content.day)
        let isToday = shown == content.today
        func name(_ day: Day) -> String { diary.relative(day, to: content.today).capitalizedFirst }
        heading = isToday ? texts.text("nav.today") : name(shown)
        day = shown.description
        date = diary.date(shown)
        person = content.person.name
        (suffix, query, owner) = (place.suffix, place.query, place.owner)
        before = shown.adding(-1).description
        beforeText = name(shown.adding(-1))
        after = isToday ? nil : shown.adding(1).description
        afterText = isToday ? nil : name(shown.adding(1))
        week = Week(of: shown).description
        state = content.missing == nil ? Self.state(log, isToday: isToday) : "open"
        self.mayWrite = mayWrite
        isEmpty = log.entries.isEmpty
        self.added = log.entries.first { $0.id == added }.map { entry in
            texts.text(
                "diary.added", ["name": entry.food.name, "n": diary.figures.whole(entry.totals.calories)])
        }
        let (wanted, isComplete) = (content.person.goal, state == "complete")
        goal = (wanted?.dailyCalories).flatMap { calories in
            calories > 0 ? Self.goal(calories, log.totals.calories, isComplete: isComplete, diary) : nil
        }
        praise = content.encouragement.map(diary.praise)
        sum = diary.kilocalories(log.totals.calories)
        macros = Self.macros(log.totals, wanted, diary)
        habits = mayWrite ? try content.habits.map { try Self.usual($0) } : []
        earlier = mayWrite ? Self.earlier(content, diary) : []
        meals = Meal.allCases.map { meal in Self.meal(meal, log.entries.filter { $0.meal == meal }, diary) }
        unfinished = content.missing.map { missing in
            let names = Meal.allCases.filter(missing.contains).map(diary.meal)
            return names.isEmpty
                ? texts.text("diary.unfinished.low")
                : texts.text("diary.unfinished", ["meals": texts.list(names)])
        }
        projection = content.projection.flatMap { diary.projection($0, from: content.today) }
        weight = content.weight.map { weight in
            Weight(
                text: diary.figures.one(weight.kilograms), when: diary.relative(weight.day, to: content.today))
        }
    }

    /// A day is complete when it is over, or when breakfast, lunch and dinner are logged.
    private static func state(_ log: DayLog, isToday: Bool) -> String {
        if log.entries.isEmpty { return "empty" }
        let logged = Set(log.entries.map(\.meal))
        return !isToday || logged.isSuperset(of: [.breakfast, .lunch, .dinner]) ? "complete" : "open"
    }

    private static func goal(_ goal: Decimal, _ calories: Decimal, isComplete: Bool, _ diary: DiaryText) -> Goal {
        let sentence = diary.against(goal, calories)
        return Goal(
            arc: DiaryPlots.arc((calories / goal).double), calories: diary.figures.whole(calories),
            of: diary.texts.text("diary.of", ["n": diary.figures.whole(goal)]), label: sentence,
            text: (isComplete ? diary.texts.text("diary.complete") + " " : "") + diary.left(goal, calories) + " "
                + sentence + ".")
    }

    private static func macros(_ totals: MacroTotals, _ goal: UserGoal?, _ diary: DiaryText) -> [Macro] {
        let figures = diary.figures
        return diary.macros(totals, goal).map { macro in
            Macro(
                name: macro.name, value: diary.grams(macro.known, figures.whole),
                wanted: macro.grams.flatMap { grams in
                    macro.wanted.map { wanted in
                        .init(
                            max: "\(wanted)", now: "\(min(grams, wanted).rounded(places: 0))",
                            text: diary.texts.text("diary.grams.of", ["n": figures.whole(wanted)]),
                            share: "\(figures.whole(grams * 100 / wanted)) %")
                    }
                }, without: diary.without(macro.known))
        }
    }

    private static func usual(_ habit: Habit) throws -> Usual {
        Usual(
            name: habit.food.name, serving: habit.serving.sizeLabel,
            food: String(decoding: try JSONCoding.encode(habit.food), as: UTF8.self))
    }

    private static func meal(_ meal: Meal, _ entries: [MealEntry], _ diary: DiaryText) -> LoggedMeal {
        LoggedMeal(
            key: meal.rawValue, name: diary.meal(meal),
            sum: entries.isEmpty
                ? diary.texts.text("diary.nothing")
                : diary.kilocalories(entries.reduce(0) { $0 + $1.totals.calories }),
            log: diary.texts.text("diary.log.\(meal.rawValue)"),
            photo: diary.texts.text("diary.photo.of", ["meal": diary.meal(meal)]),
            entries: entries.map { entry in
                var facts = [entry.serving.sizeLabel]
                if entry.food.source == .scanned { facts.append(diary.facts(entry.food)) }
                return Entry(
                    id: entry.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? "",
                    name: entry.food.name, facts: facts.joined(separator: ", "),
                    calories: diary.figures.whole(entry.totals.calories),
                    edit: diary.texts.text("diary.edit", ["name": entry.food.name]))
            })
    }

    /// The meals of earlier days that are not logged yet; the one of this hour comes first.
    private static func earlier(_ content: TodayContent, _ diary: DiaryText) -> [EarlierRow] {
        let logged = Set(content.log.entries.map(\.meal))
        let usual = content.day == content.today ? Meal.usual(at: content.hour) : nil
        return content.earlier.filter { !logged.contains($0.meal) }
            .sorted { ($0.meal == usual ? 0 : 1) < ($1.meal == usual ? 0 : 1) }
            .map { EarlierRow($0, today: content.today, diary) }
    }
}

struct EarlierRow {
    let meal, from, text, calories: String

    init(_ meal: EarlierMeal, today: Day, _ diary: DiaryText) {
        self.meal = meal.meal.rawValue
        from = meal.day.description
        text = diary.texts.text(
            "diary.again", ["meal": diary.meal(meal.meal), "day": diary.relative(meal.day, to: today)])
        calories = diary.kilocalories(meal.calories)
    }
}
