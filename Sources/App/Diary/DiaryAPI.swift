import Core
import Diary
import Foundation
import HTTP
import Meals
import WeightProjection

// The diary routes: JSON in, JSON out.
extension DiaryService: APIDiary {
    func perform(_ action: DiaryAction, of name: String?, for identity: Identity) async throws -> DiaryAnswer {
        if case .foods(let text, let limit) = action { return try foods(text, limit, for: identity) }
        let (person, level) = try access(to: name, for: identity)
        guard level == .own || action.onlyReads else {
            throw Problem(403, "readOnly", "\(person) lets you read this diary, but not change it")
        }
        _ = try self.person(person)
        let answer = try Self.explaining { try perform(action, of: person, level) }
        if case .remove = action { try await store.forgetDeleted() }
        return answer
    }

    private func perform(_ action: DiaryAction, of name: String, _ level: DiaryLevel) throws -> DiaryAnswer {
        switch action {
        case .foods: throw Self.closed
        case .day(let text): return try Self.json(try diary.day(try Self.day(text), of: name))
        case .entries(let from, let to): return try entries(of: name, from, to)
        case .add(let body): return try add(body, to: name)
        case .entry(let id):
            guard let entry = try diary.entry(id, of: name) else { throw DiaryProblem.noEntry }
            return try Self.json(entry)
        case .put(let id, let body): return try put(id, body, of: name)
        case .removeEntry(let id):
            guard try diary.removeEntry(id, of: name) else { throw DiaryProblem.noEntry }
            return DiaryAnswer(status: 204, body: nil)
        case .week(let text):
            guard let week = Week(text) else {
                throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a week such as 2026-W47")
            }
            return try Self.json(try self.week(week, of: name).summary)
        case .goal:
            guard let goal = try person(name).goal else { throw Problem(404, "noGoal", "\(name) has set no goal") }
            return try Self.json(goal)
        case .setGoal(let body):
            try setGoal(try Self.decode(UserGoal.self, body, #"{"dailyCalories":1800}"#), of: name)
            return try Self.json(try person(name).goal)
        case .projection(let text):
            guard let weeks = text.map({ Int($0) }) ?? 12, (1...104).contains(weeks) else {
                throw Problem(400, "badRequest", "weeks must be a number from 1 to 104")
            }
            return try Self.json(try projections(of: name, weeks: weeks).all)
        case .weights:
            return try Self.json(try diary.weights(of: name).map { DayWeightBody(date: $0.day, weight: $0.kilograms) })
        case .setWeight(let text, let body):
            let weight = try Self.decode(WeightBody.self, body, #"{"weight":73.2}"#).weight
            try setWeight(weight, on: try Self.day(text), of: name)
            return DiaryAnswer(status: 204, body: nil)
        case .removeWeight(let text):
            try setWeight(nil, on: try Self.day(text), of: name)
            return DiaryAnswer(status: 204, body: nil)
        case .events: return try Self.json(try diary.counts(of: name))
        case .export(let format):
            guard ["json", "csv", nil].contains(format) else {
                throw Problem(400, "badRequest", "format must be json or csv")
            }
            let isCSV = format == "csv"
            return DiaryAnswer(
                body: try exported(name, asCSV: isCSV),
                type: isCSV ? "text/csv; charset=utf-8" : "application/json")
        case .restore(let file): return try Self.json(try restore(file, into: name))
        case .settings, .changeSettings, .remove, .allow, .forbid:
            return try settings(action, of: name, level)
        }
    }

    private func settings(_ action: DiaryAction, of name: String, _ level: DiaryLevel) throws -> DiaryAnswer {
        switch action {
        case .changeSettings(let body):
            try setZone(try Self.decode(ZoneBody.self, body, #"{"zone":"Europe/Berlin"}"#).zone, of: name)
        case .remove:
            _ = try diary.remove(name)
            return DiaryAnswer(status: 204, body: nil)
        case .allow(let reader):
            try setReader(reader, of: name, isAllowed: true)
            return DiaryAnswer(status: 204, body: nil)
        case .forbid(let reader):
            try setReader(reader, of: name, isAllowed: false)
            return DiaryAnswer(status: 204, body: nil)
        case .settings: break
        case .foods, .day, .entries, .add, .entry, .put, .removeEntry, .week, .goal, .setGoal, .projection,
            .weights, .setWeight, .removeWeight, .events, .export, .restore:
            throw Self.closed
        }
        let person = try person(name)
        return try Self.json(
            SettingsBody(
                person: name, zone: person.zone, level: level == .own ? "own" : "read",
                readers: level == .own ? try readers(of: name) : []))
    }

    // MARK: Entries

    private static let mostDays = 366

    private func entries(of name: String, _ from: String?, _ to: String?) throws -> DiaryAnswer {
        let today = Day(of: now, in: try person(name).timeZone)
        let first = try from.map { try Self.day($0) } ?? today
        let last = try to.map { try Self.day($0) } ?? max(first, today)
        guard last >= first, last.number - first.number <= Self.mostDays else {
            throw Problem(400, "badRequest", "to must be at most \(Self.mostDays) days after from")
        }
        return try Self.json(EntriesBody(entries: try diary.entries(of: name, from: first, to: last)))
    }

    private func add(_ body: Data, to name: String) throws -> DiaryAnswer {
        let request = try Self.decode(
            AddBody.self, body,
            #"{"food":{…}}, {"barcode":"…"}, {"image":"…"}, {"quick":{"calories":450}} or {"reuse":"breakfast"}"#)
        if let meal = request.reuse {
            let copies = try reuse(meal, from: request.from, on: request.day, of: name)
            return try Self.json(EntriesBody(entries: copies), status: 201)
        }
        let food = try food(request)
        let new = NewEntry(
            food: food, portion: request.portion, meal: request.meal, day: request.day, id: request.id)
        if let id = request.id, try diary.entry(id, of: name) != nil {
            throw Problem(409, "conflict", "there is an entry with this id: change it with PUT")
        }
        return try Self.json(EntriesBody(entries: [try add(new, of: name)]), status: 201)
    }

    private func food(_ request: AddBody) throws -> Food {
        let ways = [request.food != nil, request.barcode != nil, request.image != nil, request.quick != nil]
        guard ways.count(where: { $0 }) == 1 else {
            throw Problem(400, "badRequest", "send one of food, barcode, image, quick and reuse")
        }
        if let food = request.food { return food }
        if let quick = request.quick {
            return .quick(
                id: UUID().uuidString.lowercased(), name: quick.name ?? "Quick add", calories: quick.calories,
                protein: quick.protein, carbs: quick.carbs, fat: quick.fat)
        }
        if let code = request.barcode {
            guard let gtin = GTIN(code) ?? GTIN(upcE: code) else {
                throw Problem(400, "badRequest", "\(code.prefix(30)) is not a product number with a valid check digit")
            }
            guard let food = try search.product(gtin) else { throw Self.noRecord(gtin) }
            return food
        }
        guard let id = request.image, let json = try store.outcomeJSON(forContent: id) else {
            throw Problem(404, "notFound", "no outcome for this image: POST /v1/images, then wait for its outcome")
        }
        switch try photo(try JSONCoding.decode(Outcome.self, from: json), name: "Label") {
        case .product(let food), .label(let food): return food
        case .noRecord(let gtin): throw Self.noRecord(gtin)
        case .unreadable:
            throw Problem(
                422, "unreadable", "could not read a barcode or a nutrition table: use more light, or type it")
        }
    }

    private static func noRecord(_ gtin: GTIN) -> Problem {
        Problem(404, "noRecord", "no record of \(gtin.normalised) states its energy: use quick")
    }

    private func put(_ id: String, _ body: Data, of name: String) throws -> DiaryAnswer {
        var entry = try Self.decode(EntryBody.self, body, #"{"food":{…},"serving":{…},"meal":"lunch","timestamp":"…"}"#)
            .entry(id: id, zone: try person(name).zone)
        let isNew = try diary.entry(id, of: name) == nil
        try diary.put(entry, of: name)
        if isNew { try diary.count(.mealAdded, of: name) }
        entry = try diary.entry(id, of: name) ?? entry
        return try Self.json(entry, status: isNew ? 201 : 200)
    }

    // MARK: Foods

    private func foods(_ text: String, _ limit: String?, for identity: Identity) throws -> DiaryAnswer {
        guard let most = limit.map({ Int($0) }) ?? 12, (1...50).contains(most) else {
            throw Problem(400, "badRequest", "limit must be a number from 1 to 50")
        }
        // Without an open diary only the catalogue is searched: own foods are part of a diary.
        let owner = identity.isOpen ? identity.member?.name : nil
        let found = try search.foods(text, of: owner ?? "", at: now, limit: most)
        return try Self.json(
            FoodsBody(items: found.map { .init(food: $0.food, serving: $0.serving, count: $0.count) }))
    }

    // MARK: JSON

    private static func json(_ value: some Encodable, status: Int = 200) throws -> DiaryAnswer {
        DiaryAnswer(status: status, body: try MealJSON.encode(value))
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ body: Data, _ form: String) throws -> Value {
        do { return try MealJSON.decode(type, from: body) } catch {
            throw Problem(400, "badRequest", "the body must be \(form); see docs/api.md")
        }
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(text) else {
            throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a day such as 2026-11-22")
        }
        return day
    }
}

extension DiaryAction {
    /// True if a reader may do it too.
    fileprivate var onlyReads: Bool {
        switch self {
        case .day, .entries, .entry, .week, .goal, .projection, .weights, .settings: true
        case .changeSettings, .remove, .allow, .forbid, .add, .put, .removeEntry, .setGoal,
            .setWeight, .removeWeight, .events, .export, .restore, .foods:
            false
        }
    }
}

private struct WeightBody: Decodable { var weight: Decimal }
private struct DayWeightBody: Encodable {
    var date: Day
    var weight: Decimal
}
private struct ZoneBody: Decodable { var zone: String }
private struct EntriesBody: Encodable { var entries: [MealEntry] }
private struct SettingsBody: Encodable {
    var person, zone, level: String
    var readers: [String]
}
private struct FoodsBody: Encodable {
    struct Item: Encodable {
        var food: Food
        var serving: Serving
        var count: Int
    }

    var items: [Item]
}

private struct AddBody: Decodable {
    struct Quick: Decodable {
        var calories: Decimal
        var name: String?
        var protein, carbs, fat: Decimal?
    }

    var food: Food?
    var barcode: String?
    /// Id of a photo that was read.
    var image: String?
    var quick: Quick?
    var reuse: Meal?
    /// Day of the meal to reuse.
    var from: Day?
    var portion: String?
    var meal: Meal?
    var day: Day?
    var id: String?
}

private struct EntryBody: Decodable {
    var food: Food
    var serving: Serving?
    var meal: Meal
    var timestamp: Date
    var zone: String?

    func entry(id: String, zone: String) -> MealEntry {
        MealEntry(
            id: id, food: food, serving: serving ?? food.defaultServing, meal: meal, timestamp: timestamp,
            zone: self.zone ?? zone)
    }
}
