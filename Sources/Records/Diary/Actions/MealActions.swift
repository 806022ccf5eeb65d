import Core
import Foundation
import Foods
import Store

/// A day with what the page Today shows beside it.
package struct TodayContent: Sendable {
    package var person: Diary.Person
    /// The person's current day.
    package var today: Day
    package var log: DayLog
    /// The day of ``log``.
    package var day: Day
    package var habits: [Habit]
    package var earlier: [EarlierMeal]
    package var projection: Projection?
    /// Nil for readers, and for who does not want it.
    package var encouragement: Encouragement?
    package var weight: (day: Day, kilograms: Decimal)?
    /// The person's hour of the day, 0…22: those that every day has.
    package var hour: Int
    /// What keeps a day that is over out of the projection: the usual meals that are not logged. Nil for a day that counts.
    package var missing: Set<Meal>?
    /// The zone of a diary in which nothing is logged yet: the phone's zone takes its place, because the daemon's is no
    /// more than a guess. Nil for others.
    package var newZone: String?
}

/// What the catalogue says about a searched text that may be a product number.
package enum SearchedProduct: Sendable, Hashable { case noNumber, found, unknown, noEnergy }

/// What somebody wants to log, before it is a food.
package enum NewFood: Sendable {
    case food(Food)
    /// Energy without a food.
    case quick(calories: Decimal, protein: Decimal?, carbs: Decimal?, fat: Decimal?, name: String?)
    /// A product number as it was typed.
    case barcode(String)
    /// Words of a name or a brand; the best match counts.
    case words(String)
    /// The id of a stored photo.
    case image(String)
    case photo(Outcome)
}

// Days, entries and foods.
extension DiaryActions {
    // MARK: Days

    func today(for person: Diary.Person) -> Day { Day(of: now, in: person.timeZone) }

    /// - Parameter day: nil for today.
    package func day(_ day: Day?, of opened: OpenDiary) throws -> DayLog {
        try diary.day(day ?? today(for: person(of: opened)), of: opened.person)
    }

    /// - Parameter day: nil for today.
    package func today(of opened: OpenDiary, on day: Day?) throws -> TodayContent {
        let person = try person(of: opened)
        let today = today(for: person)
        let shown = day ?? today
        let projector = try diary.projector(of: person.name, today: today)
        return TodayContent(
            person: person, today: today, log: try diary.day(shown, of: person.name), day: shown,
            habits: try diary.habits(of: person.name, at: now, limit: 4),
            earlier: try diary.earlierMeals(of: person.name, before: shown),
            projection: projector?.projection(.asLogged),
            encouragement: shown == today ? try encouragement(for: opened, person, projector, today: today) : nil,
            weight: try newestWeight(of: person.name, on: today),
            hour: Int(now.secondsOfDay(in: person.timeZone) / 3600),
            missing: try missing(on: shown, of: person.name, today: today),
            newZone: try opened.level == .own && diary.extent(of: person.name).entries == 0 ? person.zone : nil)
    }

    /// What keeps a day that is over out of the projection: the usual meals that are not logged. Nil for a day that counts,
    /// and for one without entries.
    private func missing(on day: Day, of person: String, today: Day) throws -> Set<Meal>? {
        guard day < today else { return nil }
        let complete = try diary.completeDays(of: person, from: day, to: day, today: today)
        guard complete.leftOut > 0 else { return nil }
        return complete.usual.subtracting(try diary.day(day, of: person).entries.map(\.meal))
    }

    /// Lets a day count although usual meals are missing, or no longer.
    package func setClosed(_ isClosed: Bool, _ day: Day, of opened: OpenDiary) throws {
        try diary.setClosed(isClosed, day, of: opened.owned())
    }

    private static let mostDays = 366

    /// The entries of some days.
    ///
    /// - Parameters:
    ///   - first: nil for today.
    ///   - last: nil for today, or for `first` where that is later.
    package func entries(of opened: OpenDiary, from first: Day?, to last: Day?) throws -> [MealEntry] {
        let today = today(for: try person(of: opened))
        let first = first ?? today
        let last = last ?? max(first, today)
        guard last >= first, last.number - first.number <= Self.mostDays else {
            throw DiaryProblem.badDays(most: Self.mostDays)
        }
        return try diary.entries(of: opened.person, from: first, to: last)
    }

    // MARK: Entries

    package func entry(_ id: String, of opened: OpenDiary) throws -> MealEntry {
        guard let entry = try diary.entry(id, of: opened.person) else {
            throw DiaryProblem.noEntry(id, of: opened.person)
        }
        return entry
    }

    /// Adds an entry; see ``Diary/add(_:portion:at:on:id:of:now:)``.
    ///
    /// - Parameters:
    ///   - eaten: nil for now.
    ///   - isRepeated: true returns what is there under this id, because an answer may get lost on its way.
    /// - Throws: ``DiaryProblem``, such as ``DiaryProblem/entryExists``.
    package func add(
        _ new: NewFood, portion: String? = nil, at meal: Meal? = nil, on day: Day? = nil, id: String? = nil,
        eaten: Date? = nil, to opened: OpenDiary, isRepeated: Bool = false
    ) throws -> MealEntry {
        let (person, food) = (try opened.owned(), try food(new, for: opened))
        if let stored = try id.flatMap({ try diary.entry($0, of: person) }) {
            guard isRepeated else { throw DiaryProblem.entryExists }
            return stored
        }
        return try diary.add(food, portion: portion, at: meal, on: day, id: id, of: person, now: eaten ?? now)
    }

    /// Stores an entry under its id.
    ///
    /// - Parameters:
    ///   - serving: nil for the food's usual serving.
    ///   - zone: nil for the diary's.
    package func put(
        _ food: Food, _ serving: Serving?, at meal: Meal, _ timestamp: Date, zone: String?, as id: String,
        in opened: OpenDiary
    ) throws -> (entry: MealEntry, isNew: Bool) {
        let person = try person(opened.owned())
        let entry = MealEntry(
            id: id, food: food, serving: serving ?? food.defaultServing, meal: meal, timestamp: timestamp,
            zone: zone ?? person.zone)
        let isNew = try diary.entry(id, of: person.name) == nil
        try diary.put(entry, of: person.name)
        if isNew { try diary.count(.mealAdded, of: person.name) }
        return (try diary.entry(id, of: person.name) ?? entry, isNew)
    }

    /// Nil and empty values stay.
    ///
    /// - Parameter name: of a food that is no record.
    package func change(
        _ id: String, of opened: OpenDiary, portion: String?, meal: Meal?, day: Day?, name: String? = nil
    ) throws -> MealEntry {
        try diary.change(id, of: opened.owned(), portion: portion, meal: meal, day: day, name: name)
    }

    /// - Returns: what was removed.
    @discardableResult
    package func removeEntry(_ id: String, of opened: OpenDiary) throws -> MealEntry {
        let person = try opened.owned()
        let entry = try entry(id, of: opened)
        _ = try diary.removeEntry(id, of: person)
        return entry
    }

    /// Copies a meal of an earlier day.
    ///
    /// - Parameters:
    ///   - from: nil for the newest day that has this meal.
    ///   - day: nil for today.
    @discardableResult
    package func reuse(_ meal: Meal, from: Day?, on day: Day?, of opened: OpenDiary) throws -> [MealEntry] {
        let person = try person(opened.owned())
        let target = day ?? today(for: person)
        let source = try from ?? diary.earlierMeals(of: person.name, before: target).first { $0.meal == meal }?.day
        let copies = try source.map { try diary.reuse(meal, of: $0, on: target, of: person.name) } ?? []
        guard !copies.isEmpty else { throw DiaryProblem.nothingToReuse(meal) }
        try diary.count(.reuseMeal, of: person.name)
        return copies
    }

    // MARK: Foods

    /// The food that somebody means. A search and a scan are counted.
    private func food(_ new: NewFood, for opened: OpenDiary) throws -> Food {
        let person = try opened.owned()
        switch new {
        case .food(let food): return food
        case .quick(let calories, let protein, let carbs, let fat, let name):
            return .quick(
                id: UUID().uuidString.lowercased(), name: name ?? Self.quickName, calories: calories, protein: protein,
                carbs: carbs, fat: fat)
        case .barcode(let text):
            guard let gtin = GTIN(typed: text) else { throw DiaryProblem.badNumber(text) }
            guard let food = try foods(text, of: person, limit: 1).first?.food else {
                throw DiaryProblem.noRecord(gtin)
            }
            return food
        case .words(let text):
            try count(.foodSearched, of: opened)
            guard let found = try foods(text, of: person, limit: 1).first else { throw DiaryProblem.noFood(text) }
            return found.food
        case .image(let id):
            guard let outcome = try store.outcome(forContent: id) else { throw DiaryProblem.noOutcome }
            return try food(.photo(outcome), for: opened)
        case .photo(let outcome):
            try count(.foodScanned, of: opened)
            let photo = outcome.source.path
            let day = try diary.person(opened.person).map { ", \(Day(of: now, in: $0.timeZone))" }
            switch try self.photo(outcome, name: "Packet" + (day ?? ""), for: opened) {
            case .product(let food, _), .label(let food): return food
            case .noRecord(let gtin): throw DiaryProblem.noRecord(gtin)
            case .contradicted: throw DiaryProblem.unread(.contradicted, photo: photo)
            case .incomplete: throw DiaryProblem.unread(.incomplete, photo: photo)
            case .unreadable: throw DiaryProblem.unread(.unreadable, photo: photo)
            }
        }
    }

    /// The name of energy without a food.
    package static let quickName = "Quick add"

    /// - Parameter person: whose own foods count; nil searches the catalogue alone.
    package func foods(_ text: String, of person: String?, limit: Int) throws -> [FoundFood] {
        try search.foods(text, of: person ?? "", at: now, limit: limit)
    }

    /// The record of a number, and whether there is one without energy.
    package func product(_ text: String) throws -> SearchedProduct {
        guard let gtin = GTIN(typed: text) else { return .noNumber }
        if try search.product(gtin) != nil { return .found }
        return try search.isKnown(gtin) ? .noEnergy : .unknown
    }

    /// - Parameter name: of a label that names nothing.
    package func photo(_ outcome: Outcome, name: String, for opened: OpenDiary) throws -> PhotoFood {
        try search.food(of: outcome, name: name, for: opened.person)
    }

    /// The person's favourites, then what they ate lately and fits this moment best.
    package func own(of opened: OpenDiary, limit: Int) throws -> [FoundFood] {
        try search.own(of: opened.owned(), at: now, limit: limit)
    }

    /// - Parameter portion: `150 g`; nil or empty for the food's usual serving.
    package func mark(_ food: Food, portion: String?, of opened: OpenDiary) throws {
        let person = try opened.owned()
        try diary.setFavourite(food, food.portion(portion), of: person)
    }

    package func unmark(_ food: String, of opened: OpenDiary) throws {
        _ = try diary.removeFavourite(food, of: opened.owned())
    }

    package func count(_ event: Diary.Event, of opened: OpenDiary) throws {
        try diary.count(event, of: opened.owned())
    }
}
