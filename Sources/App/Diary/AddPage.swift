import Core
import Diary
import Foundation
import HTTP
import Meals

/// What the page Add shows and was asked for.
struct AddQuery: Sendable {
    var text = ""
    var meal: Meal?
    var day: Day?
    /// What was typed for a food that could not be added.
    var portion = ""

    init() {}

    init(_ form: FormBody) {
        text = String(form["q"].prefix(100))
        meal = Meal(rawValue: form["meal"])
        day = Day(form["day"])
        portion = String(form["portion"].prefix(100))
    }
}

/// Finding a food, or logging without one: search, number, photo, quick add, an earlier meal.
struct AddPage {
    let query: AddQuery
    let today: Day
    let usual: Meal
    let found: [FoundFood]
    let product: WebProduct
    let earlier: [EarlierMeal]
    let texts: PageTexts
    var error: Problem?
    /// What a photo showed; nil without one.
    var photo: PhotoFood?

    private var diary: DiaryText { DiaryText(texts) }

    func values() throws -> Values {
        let day = query.day ?? today
        var values: Values = [
            "q": query.text, "day": day.description, "isSearched": !query.text.isEmpty, "dayText": diary.date(day),
            "isOtherDay": day != today,
            "meals": Meal.allCases.map { meal -> Values in
                ["value": meal.rawValue, "text": diary.meal(meal), "isChosen": meal == (query.meal ?? usual)]
            },
            "meal": (query.meal ?? usual).rawValue, "results": try found.map(row), "isEmpty": found.isEmpty,
            "count": found.count == 1
                ? texts.text("diary.found.one") : texts.text("diary.found", ["n": "\(found.count)"]),
            "earlier": earlier.map { EarlierRow(meal: $0, today: today, diary: diary).values },
        ]
        switch product {
        case .noNumber, .found: values["none"] = texts.text("diary.none", ["q": query.text])
        case .unknown: values["none"] = texts.text("diary.norecord", ["q": query.text])
        case .noEnergy: values["none"] = texts.text("diary.noenergy", ["q": query.text])
        }
        if let error { values["error"] = Self.refusal(error, texts) }
        switch photo {
        case .product(let food)?, .label(let food)?:
            values["scanned"] = try row(FoundFood(food: food, serving: food.defaultServing, count: 0))
            values["scannedText"] = texts.text(photo?.isLabel == true ? "diary.photo.label" : "diary.photo.product")
        case .noRecord(let gtin)?:
            values["failed"] = texts.text("diary.norecord", ["q": gtin.normalised])
        case .unreadable?: values["failed"] = texts.text("diary.unreadable")
        case nil: break
        }
        return values
    }

    private func row(_ found: FoundFood) throws -> Values {
        let (food, serving) = (found.food, found.serving)
        return [
            "id": food.id, "name": food.name, "facts": diary.facts(food),
            "isOften": found.count > 1, "often": texts.text("diary.often", ["n": "\(found.count)"]),
            "portion": error != nil && !query.portion.isEmpty ? query.portion : serving.sizeLabel,
            "calories": diary.figures.whole(MacroTotals(of: food, serving).calories),
            "label": texts.text("diary.portion.of", ["name": food.name]),
            "add": texts.text("diary.add.name", ["name": food.name]),
            "servings": food.servings.map(\.sizeLabel),
            "food": String(decoding: try MealJSON.encode(food), as: UTF8.self),
        ]
    }

    /// The refusal in the reader's language where there is a text for it.
    static func refusal(_ problem: Problem, _ texts: PageTexts) -> String {
        let key = "refusal.\(problem.code)"
        guard texts.language != "en", texts.has(key) else { return problem.detail }
        return texts.text(key)
    }
}

extension PhotoFood {
    fileprivate var isLabel: Bool { if case .label = self { true } else { false } }
}

/// One entry, to change or to remove.
struct EntryPage {
    let entry: MealEntry
    let texts: PageTexts
    var error: Problem?

    func values() -> Values {
        let diary = DiaryText(texts)
        let totals = entry.totals
        var values: Values = [
            "entry": entry.id, "name": entry.food.name, "facts": diary.facts(entry.food),
            "portion": entry.serving.sizeLabel, "servings": entry.food.servings.map(\.sizeLabel),
            "day": entry.day?.description ?? "", "calories": diary.kilocalories(totals.calories),
            "meals": Meal.allCases.map { meal -> Values in
                ["value": meal.rawValue, "text": diary.meal(meal), "isChosen": meal == entry.meal]
            },
            "macros": [("protein", totals.protein), ("carbs", totals.carbs), ("fat", totals.fat)].map {
                name, value -> Values in
                ["name": texts.text("macro.\(name)").capitalizedFirst, "value": diary.figures.one(value)]
            },
        ]
        if let error { values["error"] = AddPage.refusal(error, texts) }
        return values
    }
}
