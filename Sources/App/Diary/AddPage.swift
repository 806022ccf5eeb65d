import Core
import Diary
import Foundation
import HTTP
import Foods

struct AddQuery: Sendable {
    var text = ""
    var meal: Meal?
    var day: Day?
    /// What was typed for a food that could not be added.
    var portion = ""

    init() {}

    init(_ form: FormBody) throws {
        text = String(form["q"].prefix(100))
        meal = form.choice("meal")
        day = try form.day("day")
        portion = String(form["portion"].prefix(100))
    }
}

/// Finding a food, or logging without one: search, number, photo, quick add, an earlier meal.
struct AddPage: Page {
    static let template = "add"
    static let styles = ["form", "diary"]
    static let scripts = ["diary"]

    /// A food with its portion, ready to be added.
    struct FoodRow {
        let id, name, facts: String
        /// How often it was logged; nil for at most once.
        let often: String?
        let portion, calories, label, add: String
        let servings: [String]
        let food: String
        let isFavourite: Bool
        /// What the button does that marks the food.
        let mark: String
    }

    /// A food of a photo, and where it comes from.
    struct Scanned {
        let text: String
        let row: FoodRow
        /// The figures of a table, to look at before they are added; nil for a record.
        let check: Check?
    }

    /// What was read from a table.
    struct Check { let name, calories, protein, carbs, fat, basis: String }

    /// An earlier meal with its foods.
    struct NamedRow {
        let row: EarlierRow
        let names: String
    }

    let heading, day, dayText, suffix, query: String
    /// The member whose diary it is; nil for the reader's own.
    let owner: String?
    let q, meal: String
    let meals: [Choice]
    let isSearched, isEmpty: Bool
    /// True if the results are favourites and recent foods, because nothing was searched.
    let hasOwn: Bool
    let results: [FoodRow]
    let count, none: String
    let earlier: [NamedRow]
    /// The foods of a photo; a second one where the table differs from the record.
    let scanned: [Scanned]
    /// Their photo, which gets the name that is typed; nil without one.
    let photo: String?
    /// Why a photo shows nothing to log.
    let failed: String?
    /// For the time without a network; nil where nothing is kept.
    let kept: KeptPage?
    /// See ``TodayContent/newZone``.
    let newZone: String?

    /// - Parameters:
    ///   - content: the day that gets the food.
    ///   - product: what the catalogue says about the text of the query.
    ///   - photo: what a photo showed; nil without one.
    ///   - id: of the photo.
    ///   - refused: a form whose portion, and whose figures of a table, stay as they were typed.
    init(
        _ query: AddQuery, beside content: TodayContent, found: [FoundFood], product: SearchedProduct,
        _ texts: PageTexts, place: DiaryPlace, photo: PhotoFood? = nil, of id: String? = nil,
        refused: FormBody? = nil, kept: KeptPage? = nil
    ) throws {
        self.kept = kept
        newZone = content.newZone
        let diary = DiaryText(texts)
        let chosen = query.meal ?? Meal.usual(at: content.hour)
        // What was typed for a food that was refused stays in its field.
        let typed = refused == nil || query.portion.isEmpty ? nil : query.portion
        heading = texts.text("diary.add")
        (suffix, self.query, owner) = (place.suffix, place.query, place.owner)
        day = (query.day ?? content.today).description
        dayText = diary.date(query.day ?? content.today)
        q = query.text
        meal = chosen.rawValue
        meals = diary.meals(chosen: chosen)
        isSearched = !query.text.isEmpty
        isEmpty = found.isEmpty
        hasOwn = query.text.isEmpty && !found.isEmpty
        results = try found.map { try FoodRow($0, typed: typed, diary) }
        count = texts.text("diary.found", ["n": "\(found.count)"])
        let words =
            switch product {
            case .noNumber, .found: "diary.none"
            case .unknown: "diary.norecord"
            case .noEnergy: "diary.noenergy"
            }
        none = texts.text(words, ["q": query.text])
        earlier = content.earlier.map { meal in
            NamedRow(
                row: EarlierRow(meal, today: content.today, diary),
                names: meal.names.prefix(4).joined(separator: ", "))
        }
        self.photo = id
        scanned = try photo.map { try Self.scanned($0, typed: typed, refused, diary) } ?? []
        switch photo {
        case .noRecord(let gtin)?: failed = texts.text("diary.norecord", ["q": gtin.normalised])
        case .unreadable?: failed = texts.text("diary.unreadable")
        case .product?, .label?, .contradicted?, .incomplete?, nil: failed = nil
        }
    }

    private static func scanned(
        _ photo: PhotoFood, typed: String?, _ checked: FormBody?, _ diary: DiaryText
    ) throws -> [Scanned] {
        func food(
            _ key: String, _ food: Food, isTable: Bool, values: [String: String] = [:], knowsEnergy: Bool = true
        ) throws -> Scanned {
            Scanned(
                text: diary.texts.text(key, values),
                row: try FoodRow(FoundFood(food: food, serving: food.defaultServing), typed: typed, diary),
                check: isTable ? Check(food, diary, knowsEnergy: knowsEnergy, checked) : nil)
        }
        return switch photo {
        case .product(let record, let table):
            try [food("diary.photo.product", record, isTable: false)]
                + (table.map { [try food("diary.photo.differs", $0, isTable: true)] } ?? [])
        case .label(let table): [try food("diary.photo.label", table, isTable: true)]
        case .contradicted(let table): [try food("diary.photo.contradicts", table, isTable: true)]
        case .incomplete(let table):
            try [
                food(
                    "diary.photo.incomplete", table, isTable: true, values: ["x": missing(of: table, diary.texts)],
                    knowsEnergy: false)
            ]
        case .noRecord, .unreadable: []
        }
    }

    /// The names of the figures that a person has to type, energy first.
    private static func missing(of table: Food, _ texts: PageTexts) -> String {
        let keys = ["protein": "protein", "carbs": "carbohydrate", "fat": "fat"]
        return (["energyKcal"] + (table.unknown ?? []).compactMap { keys[$0] }).map { texts.text("nutrient.\($0)") }
            .joined(separator: ", ")
    }
}

extension AddPage.FoodRow {
    fileprivate init(_ found: FoundFood, typed: String?, _ diary: DiaryText) throws {
        let (food, serving, texts) = (found.food, found.serving, diary.texts)
        id = food.id
        name = food.name
        facts = diary.facts(food)
        often = found.count > 1 ? texts.text("diary.often", ["n": "\(found.count)"]) : nil
        portion = typed ?? serving.sizeLabel
        calories = diary.figures.whole(MacroTotals(of: food, serving).calories)
        label = texts.text("diary.portion.of", ["name": food.name])
        add = texts.text("diary.add.name", ["name": food.name])
        servings = food.servings.map(\.sizeLabel)
        self.food = String(decoding: try JSONCoding.encode(food), as: UTF8.self)
        isFavourite = found.isFavourite
        mark = texts.text(found.isFavourite ? "diary.unmark" : "diary.mark", ["name": food.name])
    }
}

extension AddPage.Check {
    fileprivate init(_ food: Food, _ diary: DiaryText, knowsEnergy: Bool, _ checked: FormBody?) {
        func figure(_ key: String, _ value: Decimal) -> String {
            checked?[key] ?? (food.unknown?.contains(key) == true ? "" : "\(value)")
        }
        let basis = food.servings.first { $0.multiplier == 1 } ?? food.defaultServing
        self.init(
            name: checked?["name"] ?? food.name,
            calories: knowsEnergy ? figure("calories", food.calories) : "", protein: figure("protein", food.protein),
            carbs: figure("carbs", food.carbs), fat: figure("fat", food.fat),
            basis: diary.texts.text("diary.basis", ["amount": basis.sizeLabel]))
    }
}

/// One entry, to change or to remove.
struct EntryPage: Page {
    static let template = "entry"
    static let styles = ["form", "diary"]

    struct Macro { let name, value: String }

    let heading, entry, facts, portion, day, calories, suffix, query: String
    let servings: [String]
    let meals: [Choice]
    let macros: [Macro]
    /// False for the name of a record.
    let mayRename: Bool

    init(_ entry: MealEntry, _ texts: PageTexts, place: DiaryPlace) {
        let diary = DiaryText(texts)
        heading = entry.food.name
        mayRename = entry.food.barcode == nil
        (suffix, query) = (place.suffix, place.query)
        self.entry = entry.id
        facts = diary.facts(entry.food)
        portion = entry.serving.sizeLabel
        day = entry.day?.description ?? ""
        calories = diary.kilocalories(entry.totals.calories)
        servings = entry.food.servings.map(\.sizeLabel)
        meals = diary.meals(chosen: entry.meal)
        macros = diary.macros(entry.totals, nil).map { macro in
            Macro(
                name: macro.name,
                value: macro.grams.map { diary.figures.one($0) + " g" } ?? diary.without(macro.known) ?? "–")
        }
    }
}
