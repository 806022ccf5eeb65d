import Catalogue
import Core
import Diary
import Foundation
import Hashing
import HTTPAPI
import Meals
import Store
import Web
import WeightProjection

/// Diaries for the API and the pages, on a thread of its own, because SQLite blocks.
actor DiaryService: WebDiary {
    private let executor = ThreadExecutor(label: "diary")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore
    let diary: Diary
    let access: DiaryAccess
    let search: FoodSearch
    let clock: @Sendable () -> Date
    /// Guesses of codes: at the diary of one person from one source, and all. `DiaryAccess` limits those at one code.
    private let codes: GuessLimit

    /// - Parameter limitClock: the clock of the limit of guesses.
    init(
        _ store: OutcomeStore, catalogue: Catalogue, clock: @escaping @Sendable () -> Date = { Date() },
        limitClock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.store = store
        diary = Diary(store)
        access = diary.access
        search = FoodSearch(diary, catalogue: catalogue)
        self.clock = clock
        codes = GuessLimit(each: 5, all: 600, now: limitClock)
    }

    var now: Date { clock() }

    // MARK: Access

    static func hash(_ key: String) -> Data { Data(SHA256.digest(of: key.utf8)) }

    func level(_ keys: [String], of person: String) throws -> DiaryAccess.Level {
        try access.level(keys.map(Self.hash), of: person)
    }

    func owners(_ keys: [String]) throws -> [String?] { try keys.map { try access.person(ofKey: Self.hash($0)) } }

    func readable(by owner: String) throws -> [String] {
        try diary.people().map(\.name).filter { try access.readers(of: $0).contains(owner) }
    }

    func names() throws -> [String] { try store.profiles().map(\.name) }

    func open(_ person: String, zone: String, code: String?, from guesser: String) throws -> String? {
        guard TimeZone(identifier: zone) != nil else { throw Self.noZone(zone) }
        var random = SystemRandomNumberGenerator()
        let key = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let hash = code.map { DiaryCode.hash($0) }
        // Every spelling of a name is one person.
        let place = guesser + " " + DisplayName.key(of: person)
        if code != nil { try codes.take(place) }
        let isOpen = try Self.explaining {
            try access.open(
                person, zone: zone, key: Self.hash(key), code: hash, now: Int64(now.timeIntervalSince1970))
        }
        if isOpen, code != nil { codes.giveBack(place) }
        return isOpen ? key : nil
    }

    static func noZone(_ zone: String) -> Problem {
        Problem(400, "badRequest", "no time zone “\(zone.prefix(60))”: use a name such as Europe/Berlin")
    }

    func newCode(of person: String) throws -> (code: String, expires: Date) {
        try DiaryCode.issue(in: diary, of: person, now: now)
    }

    func readers(of person: String) throws -> [String] { try access.readers(of: person) }

    func possibleReaders(of person: String) throws -> [String] {
        let owners = try access.owners()
        return try names().compactMap { name in owners.first { DisplayName.areEqual($0, name) } }
            .filter { !DisplayName.areEqual($0, person) }
    }

    func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        try Self.explaining { try access.setReader(reader, of: person, isAllowed: isAllowed) }
    }

    func remove(_ person: String) async throws {
        _ = try diary.remove(person)
        try await store.forgetDeleted()
    }

    // MARK: Settings

    func person(_ name: String) throws -> Diary.Person {
        guard let person = try diary.person(name) else { throw DiaryProblem.noDiary }
        return person
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
                "this person has not opened a diary yet: they open one on their device first, then you allow it here")
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
