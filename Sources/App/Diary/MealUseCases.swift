import Core
import Diary
import Foundation
import HTTP
import Foods

/// A day with what the page Today shows beside it.
struct TodayContent: Sendable {
    var person: Diary.Person
    /// The person's current day.
    var today: Day
    var log: DayLog
    /// The day of ``log``.
    var day: Day
    var habits: [Habit]
    var earlier: [EarlierMeal]
    var projection: Projection?
    /// Nil for readers, and for who does not want it.
    var encouragement: Encouragement?
    var weight: (day: Day, kilograms: Decimal)?
    /// The person's hour of the day, 0…23.
    var hour: Int
    /// The zone of a diary in which nothing is logged yet: the phone's zone takes its place, because the daemon's is no
    /// more than a guess. Nil for others.
    var newZone: String?
    /// What was removed last, to add it again; nil if it was not asked for.
    var removed: MealEntry?
}

/// What the catalogue says about a searched text that may be a product number.
enum SearchedProduct: Sendable, Hashable { case noNumber, found, unknown, noEnergy }

// Days, entries and foods.
extension DiaryUseCases {
    // MARK: Days

    func day(_ day: Day, of opened: OpenDiary) throws -> DayLog { try diary.day(day, of: opened.person) }

    /// - Parameters:
    ///   - day: nil for today.
    ///   - removed: the id of the entry that was just removed; nil for none.
    func today(of opened: OpenDiary, on day: Day?, removed: String? = nil) throws -> TodayContent {
        let person = try person(opened.person)
        let today = Day(of: now, in: person.timeZone)
        let shown = day ?? today
        let projector = try diary.projector(of: person.name, today: today)
        return TodayContent(
            person: person, today: today, log: try diary.day(shown, of: person.name), day: shown,
            habits: try diary.habits(of: person.name, at: now, limit: 4),
            earlier: try diary.earlierMeals(of: person.name, before: shown),
            projection: projector?.projection(.asLogged),
            encouragement: shown == today ? try encouragement(for: opened, person, projector, today: today) : nil,
            weight: try newestWeight(of: person.name, on: today), hour: Calendar.hour(of: now, in: person.timeZone),
            newZone: try opened.level == .own && diary.extent(of: person.name).entries == 0 ? person.zone : nil,
            removed: lastRemoved[person.name].flatMap { $0.id == removed ? $0 : nil })
    }

    private static let mostDays = 366

    /// The entries of some days.
    ///
    /// - Parameters:
    ///   - first: nil for today.
    ///   - last: nil for today, or for `first` where that is later.
    func entries(of opened: OpenDiary, from first: Day?, to last: Day?) throws -> MealEntries {
        let today = Day(of: now, in: try person(opened.person).timeZone)
        let first = first ?? today
        let last = last ?? max(first, today)
        guard last >= first, last.number - first.number <= Self.mostDays else {
            throw Problem(400, "badRequest", "to must be at most \(Self.mostDays) days after from")
        }
        return MealEntries(entries: try diary.entries(of: opened.person, from: first, to: last))
    }

    // MARK: Entries

    func entry(_ id: String, of opened: OpenDiary) throws -> MealEntry {
        guard let entry = try diary.entry(id, of: opened.person) else { throw DiaryProblem.noEntry }
        return entry
    }

    func add(_ new: NewEntry, to opened: OpenDiary) throws -> MealEntry {
        try diary.add(new, of: opened.owned(), now: now)
    }

    /// As ``add(_:to:)-(NewEntry,_)``; what is there under this id stays as it is, because an answer may get lost on its way.
    func addOnce(_ new: NewEntry, to opened: OpenDiary) throws -> MealEntry {
        try new.id.flatMap { try diary.entry($0, of: opened.owned()) } ?? add(new, to: opened)
    }

    /// Adds what a client of the API names in one of five ways.
    func add(_ new: NewMealEntry, to opened: OpenDiary) throws -> MealEntries {
        let person = try opened.owned()
        if let meal = new.reuse {
            return MealEntries(entries: try reuse(meal, from: new.from, on: new.day, of: opened))
        }
        let food = try food(of: new, for: opened)
        if let id = new.id, try diary.entry(id, of: person) != nil {
            throw Problem(409, "conflict", "there is an entry with this id: change it with PUT")
        }
        let entry = NewEntry(
            food: food, portion: new.portion, meal: new.meal, day: new.day, id: new.id, at: new.at)
        return MealEntries(entries: [try add(entry, to: opened)])
    }

    private func food(of new: NewMealEntry, for opened: OpenDiary) throws -> Food {
        let ways = [new.food != nil, new.barcode != nil, new.image != nil, new.quick != nil]
        guard ways.count(where: { $0 }) == 1 else {
            throw Problem(400, "badRequest", "send one of food, barcode, image, quick and reuse")
        }
        if let food = new.food { return food }
        if let quick = new.quick {
            return .quick(
                id: UUID().uuidString.lowercased(), name: quick.name ?? "Quick add", calories: quick.calories,
                protein: quick.protein, carbs: quick.carbs, fat: quick.fat)
        }
        if let code = new.barcode {
            guard let gtin = GTIN(typed: code) else {
                throw Problem(400, "badRequest", "\(code.prefix(30)) is not a product number with a valid check digit")
            }
            guard let food = try search.product(gtin) else { throw Self.noRecord(gtin) }
            return food
        }
        guard let id = new.image, let json = try store.outcomeJSON(forContent: id) else {
            throw Problem(404, "notFound", "no outcome for this image: POST /v1/images, then wait for its outcome")
        }
        try diary.count(.foodScanned, of: opened.person)
        switch try photo(try JSONCoding.decode(Outcome.self, from: json), name: "Label", for: opened) {
        case .product(let food, _), .label(let food): return food
        case .noRecord(let gtin): throw Self.noRecord(gtin)
        case .contradicted:
            throw Problem(
                422, "contradicted",
                "the figures of the nutrition table contradict each other: send the food with its figures")
        case .incomplete:
            throw Problem(
                422, "incomplete", "the energy of the nutrition table was not read: send the food with its figures")
        case .unreadable:
            throw Problem(
                422, "unreadable", "could not read a barcode or a nutrition table: use more light, or type it")
        }
    }

    private static func noRecord(_ gtin: GTIN) -> Problem {
        Problem(404, "noRecord", "no record of \(gtin.normalised) states its energy: use quick")
    }

    /// Stores an entry under its id.
    func put(_ edit: MealEntryEdit, as id: String, in opened: OpenDiary) throws -> (entry: MealEntry, isNew: Bool) {
        let person = try person(opened.owned())
        let entry = MealEntry(
            id: id, food: edit.food, serving: edit.serving ?? edit.food.defaultServing, meal: edit.meal,
            timestamp: edit.timestamp, zone: edit.zone ?? person.zone)
        let isNew = try diary.entry(id, of: person.name) == nil
        try diary.put(entry, of: person.name)
        if isNew { try diary.count(.mealAdded, of: person.name) }
        return (try diary.entry(id, of: person.name) ?? entry, isNew)
    }

    /// Nil and empty values stay.
    ///
    /// - Parameter name: of a food that is no record.
    func change(
        _ id: String, of opened: OpenDiary, portion: String?, meal: Meal?, day: Day?, name: String? = nil
    ) throws -> MealEntry {
        try diary.change(id, of: opened.owned(), portion: portion, meal: meal, day: day, name: name)
    }

    func removeEntry(_ id: String, of opened: OpenDiary) throws {
        let person = try opened.owned()
        let entry = try diary.entry(id, of: person)
        guard try diary.removeEntry(id, of: person) else { throw DiaryProblem.noEntry }
        lastRemoved[person] = entry
    }

    /// Copies a meal of an earlier day.
    ///
    /// - Parameters:
    ///   - from: nil for the newest day that has this meal.
    ///   - day: nil for today.
    @discardableResult
    func reuse(_ meal: Meal, from: Day?, on day: Day?, of opened: OpenDiary) throws -> [MealEntry] {
        let person = try person(opened.owned())
        let target = day ?? Day(of: now, in: person.timeZone)
        let source = try from ?? diary.earlierMeals(of: person.name, before: target).first { $0.meal == meal }?.day
        let copies = try source.map { try diary.reuse(meal, of: $0, on: target, of: person.name) } ?? []
        guard !copies.isEmpty else {
            throw Problem(404, "notFound", "there is no earlier \(meal.rawValue) to log again")
        }
        try diary.count(.reuseMeal, of: person.name)
        return copies
    }

    // MARK: Foods

    func foods(_ text: String, of opened: OpenDiary, limit: Int) throws -> [FoundFood] {
        try search.foods(text, of: opened.person, at: now, limit: limit)
    }

    /// Without an open diary only the catalogue is searched: own foods are part of a diary.
    func foods(_ text: String, for identity: Identity, limit: Int) throws -> FoundFoods {
        let owner = identity.isOpen ? identity.member?.name : nil
        return FoundFoods(items: try search.foods(text, of: owner ?? "", at: now, limit: limit))
    }

    /// The record of a number, and whether there is one without energy.
    func product(_ text: String) throws -> SearchedProduct {
        guard let gtin = GTIN(typed: text) else { return .noNumber }
        if try search.product(gtin) != nil { return .found }
        return try search.isKnown(gtin) ? .noEnergy : .unknown
    }

    /// - Parameter name: of a label that names nothing.
    func photo(_ outcome: Outcome, name: String, for opened: OpenDiary) throws -> PhotoFood {
        try search.food(of: outcome, name: name, for: opened.person)
    }

    /// The person's favourites, then what they ate lately and fits this moment best.
    func own(of opened: OpenDiary, limit: Int) throws -> [FoundFood] {
        try search.own(of: opened.owned(), at: now, limit: limit)
    }

    /// - Parameter portion: `150 g`; empty for the food's usual serving.
    func mark(_ food: Food, portion: String, of opened: OpenDiary) throws {
        let person = try opened.owned()
        let serving = portion.isEmpty ? food.defaultServing : try PortionText.parse(portion, of: food)
        try diary.setFavourite(food, serving, of: person)
    }

    func unmark(_ food: String, of opened: OpenDiary) throws { _ = try diary.removeFavourite(food, of: opened.owned()) }

    func count(_ event: Diary.Event, of opened: OpenDiary) throws { try diary.count(event, of: opened.owned()) }
}

extension Calendar {
    /// Hour of the day, 0…23.
    fileprivate static func hour(of instant: Date, in zone: TimeZone) -> Int {
        let start = Day(of: instant, in: zone).start(in: zone)
        return min(23, max(0, Int(instant.timeIntervalSince(start) / 3600)))
    }
}

struct MealEntries: Sendable, Codable { let entries: [MealEntry] }

struct FoundFoods: Sendable, Codable { let items: [FoundFood] }

/// What a client wants to log.
struct NewMealEntry: Sendable, Decodable, Documented {
    struct Quick: Sendable, Decodable, Documented {
        let calories: Decimal
        var name: String?
        var protein, carbs, fat: Decimal?

        static let fields = Dictionary(
            uniqueKeysWithValues: ["calories", "protein", "carbs", "fat"].map { ($0, Field(range: 0 ... .infinity)) })
    }

    var food: Food?
    var barcode, image: String?
    var quick: Quick?
    var reuse: Meal?
    var from: Day?
    var portion: String?
    var meal: Meal?
    var day: Day?
    var id: String?
    var at: Date?

    static let about: String? = "One of food, barcode, image, quick and reuse."
    static let example: String? =
        #"{"food":{…}}, {"barcode":"…"}, {"image":"…"}, {"quick":{"calories":450}} or {"reuse":"breakfast"}"#
    static let fields = [
        "image": Field("Id of a photo with an outcome."), "from": Field("Day of the meal to reuse."),
        "portion": Field(lengths: 0...60), "id": Field(lengths: 1...60),
        "at": Field("When it was eaten, for an entry that waited for a network; the day that it is in counts."),
    ]
}

/// An entry as a client stores it.
struct MealEntryEdit: Sendable, Decodable, Documented {
    let food: Food
    /// Nil for the food's usual serving.
    var serving: Serving?
    let meal: Meal
    let timestamp: Date
    /// Nil for the diary's.
    var zone: String?

    static let example: String? = #"{"food":{…},"serving":{…},"meal":"lunch","timestamp":"…"}"#
}

/// A food to mark.
struct FavouriteEdit: Sendable, Decodable, Documented {
    let food: Food
    var portion: String?

    static let example: String? = #"{"food":{…},"portion":"60 g"}"#
    static let fields = ["portion": Field(lengths: 0...60)]
}

extension Food: Documented {
    package static var fields: [String: Field] {
        let figure = Field(range: 0 ... .infinity)
        return [
            "id": Field(lengths: 1...100), "name": Field(lengths: 1...200), "barcode": Field(lengths: 0...20),
            "calories": figure, "protein": figure, "carbs": figure, "fat": figure,
            "unknown": Field("Figures that the record does not state; they are 0."), "density": figure,
            "confidence": Field(range: 0...1),
        ]
    }
}

extension Serving: Documented {
    /// `Serving` is the one of a catalogue's food.
    package static var documentedName: String? { "MealsServing" }
    package static var fields: [String: Field] {
        [
            "sizeLabel": Field(lengths: 1...120), "grams": Field("Grams, or millilitres of a drink.", above: 0),
            "multiplier": Field(range: 0...1000, above: 0),
        ]
    }
}
