import Catalogue
import Core
import Diary
import Foundation
import HTTP
import Household
import Meals
import Store
import WeightProjection

/// Diaries for the API and the pages, on a thread of its own, because SQLite blocks.
actor DiaryService: WebDiary {
    private let executor = ThreadExecutor(label: "diary")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore
    let diary: Diary
    let household: Household
    let search: FoodSearch
    let clock: @Sendable () -> Date

    init(_ store: OutcomeStore, catalogue: Catalogue, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        diary = Diary(store)
        household = Household(store, now: clock)
        search = FoodSearch(diary, catalogue: catalogue)
        self.clock = clock
    }

    var now: Date { clock() }

    // MARK: Access

    /// What somebody may do with the diary of a member.
    ///
    /// A diary is its member's, and of adults where the member is a child without a PIN; others read it if they may. What is locked by
    /// a PIN is closed until the member's private pages are open on the device.
    ///
    /// - Returns: the member's name as stored, and what is allowed.
    /// - Throws: ``Problem`` 403 `locked`; 404 for a diary that is not theirs, whether or not there is one.
    func access(to name: String?, for identity: Identity) throws -> (person: String, level: DiaryLevel) {
        let wanted = try name ?? identity.person()
        guard let member = try household.member(named: wanted), member.role != .guest else { throw Self.closed }
        if identity.holder == .key { return (member.name, .own) }
        guard identity.role == .adult, let own = identity.member else { throw Self.closed }
        if own.id == member.id {
            guard identity.isOpen else { throw HouseholdService.locked(member.name) }
            return (member.name, .own)
        }
        // A PIN stays one: nobody opens a diary by making its owner a child.
        if member.role == .child, member.lock == .none { return (member.name, .own) }
        guard try diary.readers(of: member.name).contains(own.name) else { throw Self.closed }
        guard identity.isOpen else { throw HouseholdService.locked(own.name) }
        return (member.name, .read)
    }

    /// The same answer whether or not there is a diary: its existence is private too.
    static let closed = Problem(
        404, "noDiary", "there is no such diary for this device: PUT /v1/session says who uses it")

    func readable(by reader: String) throws -> [String] {
        let children = try household.members().filter { $0.role == .child }.map(\.name)
        return try children + diary.shared(with: reader).filter { !children.contains($0) }
    }

    static func noZone(_ zone: String) -> Problem {
        Problem(400, "badRequest", "no time zone “\(zone.prefix(60))”: use a name such as Europe/Berlin")
    }

    func readers(of person: String) throws -> [String] { try diary.readers(of: person) }

    func possibleReaders(of person: String) throws -> [String] {
        try household.members().filter { $0.role == .adult && $0.name != person }.map(\.name)
    }

    func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        try Self.explaining { try diary.setReader(reader, of: person, isAllowed: isAllowed) }
    }

    func remove(_ person: String) async throws {
        _ = try diary.remove(person)
        try await store.forgetDeleted()
    }

    // MARK: Settings

    /// The diary of a member; it begins when it is first opened.
    func person(_ name: String) throws -> Diary.Person {
        if let person = try diary.person(name) { return person }
        let new = Diary.Person(name: name, zone: TimeZone.current.identifier)
        try diary.save(new)
        return new
    }

    func setZone(_ zone: String, of name: String) throws {
        guard TimeZone(identifier: zone) != nil else { throw Self.noZone(zone) }
        var person = try person(name)
        person.zone = zone
        try diary.save(person)
    }

    func setGoal(_ goal: UserGoal, of name: String) throws {
        var person = try person(name)
        if let fault = goal.fault(on: Day(of: now, in: person.timeZone)) { throw Problem(400, "badRequest", fault) }
        person.goal = goal
        try diary.save(person)
        if let weight = goal.currentWeight {
            try diary.setWeight(weight, on: Day(of: now, in: person.timeZone), of: name)
        }
    }

    func setWeight(_ kilograms: Decimal?, on day: Day?, of name: String) throws {
        let person = try person(name)
        try Self.explaining {
            try diary.setWeight(kilograms, on: day ?? Day(of: now, in: person.timeZone), of: name)
        }
    }

    // MARK: Pages

    func today(of name: String, on day: Day?) throws -> WebDay {
        let person = try person(name)
        let now = self.now
        let today = Day(of: now, in: person.timeZone)
        let shown = day ?? today
        let weights = try diary.weights(of: name, since: today.adding(-Self.shownWeights)).filter { $0.day <= today }
        return WebDay(
            person: person, today: today, log: try diary.day(shown, of: name), day: shown,
            habits: try diary.habits(of: name, at: now, limit: Self.shownHabits),
            earlier: try diary.earlierMeals(of: name, before: shown),
            projection: try diary.projector(of: name, today: today)?.projection(.asLogged), weight: weights.last,
            hour: Calendar.hour(of: now, in: person.timeZone))
    }

    /// Days in which a weight is shown, and habits that are proposed.
    private static let (shownWeights, shownHabits) = (365, 4)

    func foods(_ text: String, of name: String, limit: Int) throws -> [FoundFood] {
        try search.foods(text, of: name, at: now, limit: limit)
    }

    /// The record of a number, and whether there is one without energy.
    func product(_ text: String) throws -> WebProduct {
        guard let gtin = GTIN(text) ?? GTIN(upcE: text) else { return .noNumber }
        if try search.product(gtin) != nil { return .found }
        return try search.isKnown(gtin) ? .noEnergy : .unknown
    }

    func earlier(of name: String, before day: Day) throws -> [EarlierMeal] {
        try diary.earlierMeals(of: name, before: day)
    }

    func add(_ new: NewEntry, of name: String) throws -> MealEntry {
        try Self.explaining { try diary.add(new, of: name, now: now) }
    }

    func reuse(_ meal: Meal, from: Day?, on day: Day?, of name: String) throws -> [MealEntry] {
        try Self.explaining {
            let target = try day ?? Day(of: now, in: person(name).timeZone)
            let source = try from ?? diary.earlierMeals(of: name, before: target).first { $0.meal == meal }?.day
            let copies = try source.map { try diary.reuse(meal, of: $0, on: target, of: name) } ?? []
            guard !copies.isEmpty else {
                throw Problem(404, "notFound", "there is no earlier \(meal.rawValue) to log again")
            }
            try diary.count(.reuseMeal, of: name)
            return copies
        }
    }

    func entry(_ id: String, of name: String) throws -> MealEntry? { try diary.entry(id, of: name) }

    func change(_ id: String, of name: String, portion: String?, meal: Meal?, day: Day?) throws -> MealEntry {
        try Self.explaining { try diary.change(id, of: name, portion: portion, meal: meal, day: day) }
    }

    func removeEntry(_ id: String, of name: String) throws -> Bool { try diary.removeEntry(id, of: name) }

    func week(_ week: Week?, of name: String) throws -> WebWeek {
        let person = try person(name)
        let today = Day(of: now, in: person.timeZone)
        let shown = week ?? Week(of: today)
        try diary.count(.weekOpened, of: name)
        return WebWeek(
            person: person, today: today, week: shown, summary: try diary.week(shown, of: name, today: today))
    }

    func projections(of name: String, weeks: Int) throws -> WebProjections {
        let person = try person(name)
        let today = Day(of: now, in: person.timeZone)
        let projector = try diary.projector(of: name, today: today)
        try diary.count(.projectionViewed, of: name)
        return WebProjections(
            person: person, today: today,
            all: [Projection.Scenario.asGoal, .asLogged].compactMap { projector?.projection($0, weeks: weeks) },
            weight: try diary.weights(of: name, since: today.adding(-Self.shownWeights)).last { $0.day <= today })
    }

    func photo(_ outcome: Outcome, name: String) throws -> PhotoFood { try search.food(of: outcome, name: name) }

    func exported(_ name: String, asCSV: Bool) throws -> Data {
        asCSV ? try diary.exportedCSV(name) : try MealJSON.encode(try diary.exported(name))
    }

    func restore(_ file: Data, into name: String) throws -> ImportReport {
        do { return try diary.importFile(file, into: name) } catch let problem as ImportProblem {
            throw Problem(400, "badFile", problem.detail)
        } catch DiaryProblem.badEntry(let detail) { throw Problem(400, "badFile", detail) }
    }

    /// Turns the errors of an entry into problem details.
    static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let refusal as PortionRefusal {
            throw Problem(422, refusal.code.rawValue, refusal.detail)
        } catch DiaryProblem.badEntry(let detail) {
            throw Problem(400, "badRequest", detail)
        } catch let problem as NameProblem {
            throw Problem(400, "badRequest", problem.detail)
        } catch DiaryProblem.noReader {
            throw Problem(
                409, "noReader",
                "only members of the household can read a diary: add the person first")
        } catch DiaryProblem.noEntry {
            throw Problem(404, "notFound", "no such entry")
        } catch DiaryProblem.noDiary { throw Problem(404, "noDiary", "this diary was deleted") }
    }
}

extension Calendar {
    /// Hour of the day, 0…23.
    fileprivate static func hour(of instant: Date, in zone: TimeZone) -> Int {
        let start = Day(of: instant, in: zone).start(in: zone)
        return min(23, max(0, Int(instant.timeIntervalSince(start) / 3600)))
    }
}
