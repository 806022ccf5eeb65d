import Catalogue
import Core
import Diary
import Foundation
import HTTP
import Household
import Logging
import Foods
import Store
import TestSupport
import Testing

@testable import App
@testable import Daemon

/// Diaries without HTTP: who opens which, and what they do with it.
@Suite struct DiaryActionsTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let cases: DiaryActions
    /// A Sunday, 10:30 in Berlin.
    private static let now = Date(timeIntervalSince1970: 1_795_339_800)
    private static let sunday = Day(of: now, in: .gmt)

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        cases = DiaryActions(
            store, catalogue: Catalogue(folder: folder.url.appending(path: "catalogue")), clock: { Self.now })
    }

    /// A device that an adult of this name uses; their diary is in Berlin.
    private func key(_ person: String, role: Member.Role = .adult, isOpen: Bool = true) async throws -> Identity {
        let household = Household(store)
        let member = try household.member(named: person) ?? household.add(NewMember(person, role: role))
        let identity = Identity(
            holder: .device(member.id), member: .init(member), role: member.role.identity, isOpen: isOpen)
        if role == .adult, isOpen {
            try await cases.set(zone: "Europe/Berlin", of: try await cases.access(to: person, for: identity))
        }
        return identity
    }

    private let nobody = Identity(holder: .device(99), member: nil, role: .guest, isOpen: false)

    /// Something that is done with a diary.
    private struct Action: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: @Sendable (DiaryActions, OpenDiary) async throws -> Void

        init(_ name: String, _ act: @escaping @Sendable (DiaryActions, OpenDiary) async throws -> Void) {
            testDescription = name
            self.act = act
        }
    }

    /// The status of the problem; 200 without one.
    private func status(of person: String?, _ identity: Identity, _ action: Action) async -> Int {
        do {
            try await action.act(cases, try await cases.access(to: person, for: identity))
            return 200
        } catch { return Problem(error).status.code }
    }

    private func log(of person: String, _ identity: Identity, on day: Day = sunday) async throws -> DayLog {
        try await cases.day(day, of: try await cases.access(to: person, for: identity))
    }

    private static let quick = NewMealEntry(quick: .init(calories: 450, name: "Lunch"), meal: .lunch)
    private static let add = Action("add") { _ = try await $0.add(quick, to: $1) }
    private static let day = Action("day") { _ = try await $0.day(sunday, of: $1) }
    private static func allow(_ name: String) -> Action {
        Action("allow") { try await $0.setReader(name, of: $1, isAllowed: true) }
    }
    private static func forbid(_ name: String) -> Action {
        Action("forbid") { try await $0.setReader(name, of: $1, isAllowed: false) }
    }

    private static let reading = [
        Action("settings") { _ = try await $0.settings(of: $1) }, day,
        Action("entries") { _ = try await $0.entries(of: $1, from: nil, to: nil) },
        Action("week") { _ = try await $0.week(Week(of: sunday), of: $1) },
        Action("goal") { _ = try await $0.goal(of: $1) }, Action("weights") { _ = try await $0.weights(of: $1) },
        Action("projection") { _ = try await $0.projections(of: $1) },
    ]
    private static let changing = [
        Action("zone") { try await $0.set(zone: "GMT", of: $1) }, allow("Cleo"), forbid("Cleo"), add,
        Action("put") {
            let tea = Food.quick(id: "1", name: "Tea", calories: 1)
            _ = try await $0.put(tea, nil, at: .lunch, DiaryActionsTests.now, zone: nil, as: "1", in: $1)
        },
        Action("change") { _ = try await $0.change("1", of: $1, portion: "2", meal: nil, day: nil) },
        Action("reuse") { try await $0.reuse(.lunch, from: nil, on: nil, of: $1) },
        Action("removeEntry") { try await $0.removeEntry("1", of: $1) },
        Action("setGoal") { try await $0.setGoal(UserGoal(dailyCalories: 1800), of: $1) },
        Action("setWeight") { try await $0.setWeight(70, on: sunday, of: $1) },
        Action("removeWeight") { try await $0.setWeight(nil, on: sunday, of: $1) },
        Action("events") { _ = try await $0.events(of: $1) }, Action("export") { _ = try await $0.exported($1) },
        Action("exportCSV") { _ = try await $0.exportedCSV($1) },
        Action("restore") { _ = try await $0.restore(Data(), into: $1) }, Action("remove") { try await $0.remove($1) },
    ]

    @Test func `of two people in a household neither opens the other's diary, by any action`() async throws {
        let (ada, ben) = (try await key("Ada"), try await key("Ben"))
        #expect(await status(of: "Ada", ada, Self.add) == 200)
        for action in Self.reading + Self.changing {
            #expect(await status(of: "Ada", ben, action) == 404, "\(action)")
            #expect(await status(of: "Ada", nobody, action) == 404, "\(action)")
            #expect(await status(of: "Nobody", ben, action) == 404, "\(action)")
        }
        #expect(try await log(of: "Ada", ada).entries.count == 1)
        #expect(try await log(of: "Ben", ben).entries.isEmpty)
    }

    @Test func `a reader reads, changes nothing, and loses the diary when it is ended`() async throws {
        let (ada, ben) = (try await key("Ada"), try await key("Ben"))
        #expect(await status(of: "Ada", ada, Self.allow("Ben")) == 200)
        let goal = Action("goal") { try await $0.setGoal(UserGoal(dailyCalories: 1800), of: $1) }
        #expect(await status(of: "Ada", ada, goal) == 200)
        for action in Self.reading { #expect(await status(of: "Ada", ben, action) == 200, "\(action)") }
        for action in Self.changing { #expect(await status(of: "Ada", ben, action) == 403, "\(action)") }
        #expect(await status(of: "Ada", ada, Self.forbid("Ben")) == 200)
        #expect(await status(of: "Ada", ben, Self.day) == 404)
    }

    @Test func `a locked diary is closed on a device until its PIN is typed there, to its readers too`() async throws {
        let ada = try await key("Ada")
        let locked = try await key("Ada", isOpen: false)
        for action in Self.reading + Self.changing {
            #expect(await status(of: nil, locked, action) == 403, "\(action)")
        }
        #expect(await status(of: nil, ada, Self.day) == 200)
        let ben = try await key("Ben", isOpen: false)
        #expect(await status(of: "Ada", ada, Self.allow("Ben")) == 200)
        #expect(await status(of: "Ada", ben, Self.day) == 403)
    }

    @Test func `adults keep the diary of a child, and children and guests open none`() async throws {
        let (ada, leo) = (try await key("Ada"), try await key("Leo", role: .child))
        let emil = try await key("Emil", role: .guest)
        #expect(await status(of: "Leo", ada, Self.add) == 200)
        for identity in [leo, emil, nobody] {
            for person in ["Leo", "Ada", "Emil"] { #expect(await status(of: person, identity, Self.day) == 404) }
        }
        #expect(await status(of: "Emil", ada, Self.day) == 404, "a guest has no diary")
    }

    @Test func `the daemon's own key opens every diary of a member, and no other`() async throws {
        _ = try await key("Ada")
        let own = Identity(holder: .key, member: nil, role: .key, isOpen: true)
        #expect(await status(of: "ADA", own, Self.day) == 200)
        #expect(await status(of: "Nobody", own, Self.day) == 404)
        #expect(await status(of: nil, own, Self.day) == 403, "it says for whom")
    }

    @Test func `an entry is added, changed, reused and removed, and events are counted`() async throws {
        let ada = try await key("Ada")
        let diary = try await cases.access(to: nil, for: ada)
        let food = Food(
            id: "own:oats", name: "Oats", calories: 370, protein: 13, carbs: 60, fat: 7,
            defaultServing: Serving(sizeLabel: "100 g", grams: 100, multiplier: 1), source: .userCreated)
        func add(_ new: NewMealEntry) async -> Int {
            await status(of: "Ada", ada, Action("add") { _ = try await $0.add(new, to: $1) })
        }
        let saturday = Self.sunday.adding(-1)
        let new = NewMealEntry(food: food, portion: "60 g", meal: .breakfast, day: saturday, id: "e1")
        #expect(await add(new) == 200)
        #expect(await add(new) == 409)
        #expect(try await log(of: "Ada", ada, on: saturday).totals.calories == 222)
        #expect(await add(NewMealEntry(reuse: .breakfast)) == 200)
        #expect(try await log(of: "Ada", ada).entries.map(\.food.name) == ["Oats"])
        #expect(await add(NewMealEntry(reuse: .dinner)) == 404)
        #expect(await add(NewMealEntry(food: food, portion: "1 cup")) == 422)
        #expect(await add(NewMealEntry(barcode: "9520100001048")) == 404)
        #expect(await add(NewMealEntry(barcode: "123")) == 400)
        let yesterday = Self.now - 86_400
        #expect(try await cases.put(food, nil, at: .lunch, yesterday, zone: nil, as: "e1", in: diary).isNew == false)
        #expect(try await cases.entry("e1", of: diary).meal == .lunch)
        try await cases.removeEntry("e1", of: diary)
        await #expect(throws: DiaryProblem.noEntry("e1", of: "Ada")) { try await cases.removeEntry("e1", of: diary) }
        _ = try await cases.week(Week("2026-W47"), of: diary)
        let counts = try await cases.events(of: diary)
        #expect(counts["meal_added"] == 1)
        #expect(counts["reuse_meal"] == 1)
        #expect(counts["week_opened"] == 1)
    }

    @Test(arguments: [
        Action("goal") { try await $0.setGoal(UserGoal(dailyCalories: 5), of: $1) },
        Action("file") { _ = try await $0.restore(Data("x".utf8), into: $1) },
        Action("weight") { try await $0.setWeight(5, on: sunday, of: $1) },
        Action("zone") { try await $0.set(zone: "Moon", of: $1) },
        Action("days") { _ = try await $0.entries(of: $1, from: Day("2020-01-01"), to: Day("2026-01-01")) },
        Action("two ways") {
            _ = try await $0.add(NewMealEntry(barcode: "1", quick: .init(calories: 1)), to: $1)
        },
    ])
    private func `a wrong value is named`(_ action: Action) async throws {
        let ada = try await key("Ada")
        #expect(await status(of: "Ada", ada, action) == 400)
    }

    // MARK: Inbox

    private func outcome(energy: String?, id: String = "sha256:" + String(repeating: "a", count: 64)) throws -> Outcome
    {
        var basis = Nutrition.Basis(per: "100g")
        basis.energyKcal = energy.map { ReadValue(value: $0, unit: "kcal", confidence: 0.9) }
        basis.protein = ReadValue(value: "10.5", unit: "g", confidence: 0.8)
        var label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        label.nutrition = Nutrition(basis: [basis])
        return Outcome(
            id: id, source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            domains: [.label], confidence: Confidence(0.95), label: label, versions: .init(tablesight: "1"))
    }

    @Test func `a label in a diary's inbox becomes one entry, and a photo elsewhere none`() throws {
        let diary = Diary(store)
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
        let inbox = DiaryInbox(
            store, catalogue: Catalogue(folder: folder.url.appending(path: "none")), logger: Logger(label: "test"))
        let top = try #require(FilePathBytes("/srv/inbox"))
        func log(_ path: String, _ outcome: Outcome) throws {
            try inbox.log(
                outcome, at: try #require(FilePathBytes(path)), below: top,
                modified: Int64(Self.now.timeIntervalSince1970 - 3600) * 1_000_000_000, now: Self.now)
        }
        let day = try #require(Day("2026-11-22"))
        for path in [
            "/srv/inbox/a.jpg", "/srv/inbox/diary/a.jpg", "/srv/inbox/diary/Ben/a.jpg", "/srv/inbox/x/Ada/a.jpg",
        ] {
            try log(path, outcome(energy: "377"))
            #expect(try diary.day(day, of: "Ada").entries.isEmpty, "\(path)")
        }
        try log("/srv/inbox/diary/Ada/b.jpg", outcome(energy: nil, id: "sha256:b"))
        #expect(try diary.day(day, of: "Ada").entries.isEmpty)
        for _ in 0..<2 { try log("/srv/inbox/diary/Ada/muesli.jpg", outcome(energy: "377")) }
        let entries = try diary.day(day, of: "Ada").entries
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.food.source == .scanned)
        #expect(entry.food.name == "muesli")
        #expect(entry.food.confidence == 0.8)
        #expect(entry.food.unknown == ["carbs", "fat"])
        #expect(entry.totals.calories == 377)
        #expect(entry.timestamp == Self.now - 3600)
    }

    @Test func `a file that gets other bytes, or a copy of it, stays one entry`() throws {
        let diary = Diary(store)
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
        let inbox = DiaryInbox(
            store, catalogue: Catalogue(folder: folder.url.appending(path: "none")), logger: Logger(label: "test"))
        let top = try #require(FilePathBytes("/srv/inbox"))
        func log(
            _ name: String, _ id: String, energy: String?, _ status: Outcome.Status = .completed,
            after hours: Double = 0
        ) throws {
            let now = Self.now.addingTimeInterval(hours * 3600)
            var outcome = try outcome(energy: energy, id: "sha256:" + id)
            outcome.status = status
            if status == .partial {
                outcome.reason = .init(
                    code: ItemFailure.Code.truncated.rawValue, detail: "it ends early", hint: "copy it again")
            }
            try inbox.log(
                outcome, at: try #require(FilePathBytes("/srv/inbox/diary/Ada/" + name)), below: top,
                modified: Int64(now.timeIntervalSince1970) * 1_000_000_000, now: now)
        }
        func entries() throws -> [MealEntry] { try diary.day(try #require(Day("2026-11-22")), of: "Ada").entries }
        func energies() throws -> [Decimal] { try entries().map(\.totals.calories).sorted() }

        try log("a.jpg", "a1", energy: "37", .partial)
        #expect(try energies().isEmpty, "the file was not complete")
        try log("a.jpg", "a2", energy: "377")
        try log("a.jpg", "a3", energy: "377")
        try log("copy.jpg", "a3", energy: "377")
        #expect(try energies() == [377], "rotated and saved again, and copied")
        try log("a.jpg", "b", energy: "250")
        #expect(try energies() == [250, 377], "the copy keeps the entry")
        try log("a.jpg", "c", energy: nil)
        #expect(try energies() == [377], "the new bytes show no food")
        try log("a.jpg", "d", energy: "100")
        #expect(try energies() == [100, 377])
        let own = try #require(try entries().first { $0.totals.calories == 100 })
        _ = try diary.change(own.id, of: "Ada", portion: "200 g", meal: .snack, day: nil)
        try log("a.jpg", "e", energy: "110")
        #expect(try energies() == [220, 377], "the portion that the person chose stays")
        #expect(try entries().contains { $0.id == own.id && $0.meal == .snack })
        #expect(try diary.removeEntry(own.id, of: "Ada"))
        try log("a.jpg", "f", energy: "120")
        #expect(try energies() == [377], "the person removed the entry")
        try log("a.jpg", "g", energy: "130", after: -4)
        #expect(try energies() == [377], "an earlier photo is the same meal")
        try log("a.jpg", "h", energy: "140", after: 4)
        #expect(try energies() == [140, 377], "hours later it is another meal")
    }

    @Test func `every spelling of a name is one diary, and another person's stays closed`() async throws {
        let (composed, decomposed) = ("Zo\u{EB}", "Zoe\u{308}")
        let first = try await key(composed)
        #expect(await status(of: decomposed, first, Self.add) == 200)
        #expect(try Diary(store).people().map(\.name) == [composed])
        let other = try await key("Ben")
        for action in Self.reading + Self.changing {
            #expect(await status(of: decomposed, other, action) == 404, "\(action)")
        }
    }

    @Test func `a day without the usual meals counts once the person closes it`() async throws {
        let ada = try await cases.access(to: "Ada", for: try await key("Ada"))
        let days = (1...6).map { Self.sunday.adding(-$0) }
        for day in days {
            for meal in [Meal.breakfast, .lunch, .dinner] where day != days[0] || meal == .breakfast {
                _ = try await cases.add(
                    .quick(calories: 500, protein: nil, carbs: nil, fat: nil, name: nil), at: meal, on: day, to: ada)
            }
        }
        try await cases.setGoal(
            UserGoal(
                dailyCalories: 1800, currentWeight: 70, sex: .female, birthYear: 1980, height: 170, activity: .light),
            of: ada)
        func standsOn() async throws -> [Double?] {
            let projections = try await cases.projections(of: ada).projections
            let steps = projections.first { $0.scenario == .asLogged }?.steps ?? []
            return [.eatenLogged, .leftOut].map { kind in steps.first { $0.kind == kind }?.values["days"] }
        }
        #expect(try await cases.today(of: ada, on: days[0]).missing == [.lunch, .dinner])
        #expect(try await cases.today(of: ada, on: days[1]).missing == nil)
        #expect(try await standsOn() == [5, 1])
        try await cases.setClosed(true, days[0], of: ada)
        #expect(try await cases.today(of: ada, on: days[0]).missing == nil)
        #expect(try await standsOn() == [6, nil])
        try await cases.setClosed(false, days[0], of: ada)
        #expect(try await standsOn() == [5, 1], "taken back")
    }

    @Test func `only a diary in which nothing is logged takes the zone of the phone`() async throws {
        let ada = try await cases.access(to: "Ada", for: try await key("Ada"))
        #expect(try await cases.today(of: ada, on: nil).newZone == "Europe/Berlin")
        _ = try await cases.add(Self.quick, to: ada)
        #expect(try await cases.today(of: ada, on: nil).newZone == nil)
    }

    @Test func `a food of a label gets another name, and a record keeps its own`() async throws {
        let ada = try await cases.access(to: "Ada", for: try await key("Ada"))
        let entry = try #require(try await cases.add(Self.quick, to: ada).entries.first)
        let named = try await cases.change(entry.id, of: ada, portion: nil, meal: nil, day: nil, name: "Porridge")
        #expect(named.food.name == "Porridge")
        #expect(try await cases.day(Self.sunday, of: ada).entries.map(\.food.name) == ["Porridge"])
        #expect(
            try await cases.change(entry.id, of: ada, portion: nil, meal: .dinner, day: nil, name: " ").food.name
                == "Porridge")
        var record = named.food
        (record.id, record.barcode) = ("record", "9520100001017")
        let other = try await cases.add(.food(record), id: "e2", to: ada)
        #expect(
            try await cases.change(other.id, of: ada, portion: nil, meal: nil, day: nil, name: "Mine").food.name
                == "Porridge")
    }

    @Test func `nobody can be let in who is no member, so nobody takes the name later`() async throws {
        let ada = try await key("Ada")
        #expect(await status(of: "Ada", ada, Self.allow("Ben")) == 409)
        let ben = try await key("Ben")
        #expect(await status(of: "Ada", ben, Self.day) == 404)
        #expect(await status(of: "Ada", ada, Self.allow("BEN")) == 200)
        #expect(await status(of: "Ada", ben, Self.day) == 200)
    }
}

extension DiaryActions {
    /// Imports a file as the routes do.
    fileprivate func restore(_ file: Data, into diary: OpenDiary) async throws -> ImportReport {
        let upload = try DiaryUpload(into: diary, of: self, announced: file.count, in: DiaryUpload.Slots())
        try await upload.write(Array(file))
        return try await upload.restore()
    }
}
