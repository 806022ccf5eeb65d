import Catalogue
import Core
import Diary
import Foundation
import HTTP
import Household
import Logging
import Meals
import Store
import TestSupport
import Testing

@testable import App
@testable import Daemon

@Suite struct DiaryServiceTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let service: DiaryService
    /// A Sunday, 10:30 in Berlin.
    private static let now = Date(timeIntervalSince1970: 1_795_339_800)

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        service = DiaryService(
            store, catalogue: Catalogue(folder: folder.url.appending(path: "catalogue")), clock: { Self.now })
    }

    /// A device that an adult of this name uses; their diary is in Berlin.
    private func key(_ person: String, role: Member.Role = .adult, isOpen: Bool = true) async throws -> Identity {
        let household = Household(store)
        let member = try household.member(named: person) ?? household.add(NewMember(person, role: role))
        let identity = Identity(
            holder: .device(member.id), member: .init(member), role: member.role.identity, isOpen: isOpen)
        if role == .adult, isOpen {
            _ = try await service.perform(
                .changeSettings(Data(#"{"zone":"Europe/Berlin"}"#.utf8)), of: person, for: identity)
        }
        return identity
    }

    private let nobody = Identity(holder: .device(99), member: nil, role: .guest, isOpen: false)

    private func status(_ action: DiaryAction, of person: String?, _ identity: Identity) async -> Int {
        do { return try await service.perform(action, of: person, for: identity).status } catch {
            return (error as? Problem)?.status.code ?? 500
        }
    }

    private func json(_ action: DiaryAction, of person: String, _ identity: Identity) async throws -> [String: Any] {
        let body = try #require(try await service.perform(action, of: person, for: identity).body)
        return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    private static let quick = Data(#"{"quick":{"calories":450,"name":"Lunch"},"meal":"lunch"}"#.utf8)

    private static let reading: [DiaryAction] = [
        .settings, .day("2026-11-22"), .entries(from: nil, to: nil), .week("2026-W47"), .goal, .weights,
        .projection(weeks: nil),
    ]
    private static let changing: [DiaryAction] = [
        .changeSettings(Data(#"{"zone":"GMT"}"#.utf8)), .allow(reader: "Cleo"), .forbid(reader: "Cleo"),
        .add(quick), .put("1", Data()), .removeEntry("1"), .setGoal(Data(#"{"dailyCalories":1800}"#.utf8)),
        .setWeight("2026-11-22", Data(#"{"weight":70}"#.utf8)), .removeWeight("2026-11-22"), .events,
        .export(format: nil), .restore(Data()), .remove,
    ]

    @Test func `of two people in a household neither opens the other's diary, by any action`() async throws {
        let (ada, ben) = (try await key("Ada"), try await key("Ben"))
        #expect(await status(.add(Self.quick), of: "Ada", ada) == 201)
        for action in Self.reading + Self.changing {
            #expect(await status(action, of: "Ada", ben) == 404, "\(action)")
            #expect(await status(action, of: "Ada", nobody) == 404, "\(action)")
            #expect(await status(action, of: "Nobody", ben) == 404, "\(action)")
        }
        let day = try await json(.day("2026-11-22"), of: "Ada", ada)
        #expect((day["entries"] as? [Any])?.count == 1)
        #expect((try await json(.day("2026-11-22"), of: "Ben", ben)["entries"] as? [Any])?.isEmpty == true)
    }

    @Test func `a reader reads, changes nothing, and loses the diary when it is ended`() async throws {
        let (ada, ben) = (try await key("Ada"), try await key("Ben"))
        #expect(await status(.allow(reader: "Ben"), of: "Ada", ada) == 204)
        #expect(await status(.setGoal(Data(#"{"dailyCalories":1800}"#.utf8)), of: "Ada", ada) == 200)
        for action in Self.reading { #expect(await status(action, of: "Ada", ben) == 200, "\(action)") }
        for action in Self.changing { #expect(await status(action, of: "Ada", ben) == 403, "\(action)") }
        #expect(await status(.forbid(reader: "Ben"), of: "Ada", ada) == 204)
        #expect(await status(.day("2026-11-22"), of: "Ada", ben) == 404)
    }

    @Test func `a locked diary is closed on a device until its PIN is typed there, to its readers too`() async throws {
        let ada = try await key("Ada")
        let locked = try await key("Ada", isOpen: false)
        for action in Self.reading + Self.changing {
            #expect(await status(action, of: nil, locked) == 403, "\(action)")
        }
        #expect(await status(.day("2026-11-22"), of: nil, ada) == 200)
        let ben = try await key("Ben", isOpen: false)
        #expect(await status(.allow(reader: "Ben"), of: "Ada", ada) == 204)
        #expect(await status(.day("2026-11-22"), of: "Ada", ben) == 403)
    }

    @Test func `adults keep the diary of a child, and children and guests open none`() async throws {
        let (ada, leo) = (try await key("Ada"), try await key("Leo", role: .child))
        let emil = try await key("Emil", role: .guest)
        #expect(await status(.add(Self.quick), of: "Leo", ada) == 201)
        for identity in [leo, emil, nobody] {
            for person in ["Leo", "Ada", "Emil"] {
                #expect(await status(.day("2026-11-22"), of: person, identity) == 404)
            }
        }
        #expect(await status(.day("2026-11-22"), of: "Emil", ada) == 404, "a guest has no diary")
    }

    @Test func `the daemon's own key opens every diary of a member, and no other`() async throws {
        _ = try await key("Ada")
        let own = Identity(holder: .key, member: nil, role: .key, isOpen: true)
        #expect(await status(.day("2026-11-22"), of: "ADA", own) == 200)
        #expect(await status(.day("2026-11-22"), of: "Nobody", own) == 404)
        #expect(await status(.day("2026-11-22"), of: nil, own) == 403, "it says for whom")
    }

    @Test func `an entry is added, changed, reused and removed, and events are counted`() async throws {
        let ada = try await key("Ada")
        let food = """
            {"id":"own:oats","name":"Oats","calories":370,"protein":13,"carbs":60,"fat":7,
            "defaultServing":{"sizeLabel":"100 g","grams":100,"multiplier":1},"altServings":[],"source":"userCreated"}
            """
        let body = Data(#"{"food":\#(food),"portion":"60 g","meal":"breakfast","day":"2026-11-21","id":"e1"}"#.utf8)
        #expect(await status(.add(body), of: "Ada", ada) == 201)
        #expect(await status(.add(body), of: "Ada", ada) == 409)
        let totals = try #require(try await json(.day("2026-11-21"), of: "Ada", ada)["totals"] as? [String: Any])
        #expect((totals["calories"] as? NSNumber)?.doubleValue == 222)
        #expect(await status(.add(Data(#"{"reuse":"breakfast"}"#.utf8)), of: "Ada", ada) == 201)
        #expect(await status(.add(Data(#"{"reuse":"dinner"}"#.utf8)), of: "Ada", ada) == 404)
        #expect(await status(.add(Data(#"{"food":\#(food),"portion":"1 cup"}"#.utf8)), of: "Ada", ada) == 422)
        #expect(await status(.add(Data(#"{"barcode":"9520100001048"}"#.utf8)), of: "Ada", ada) == 404)
        #expect(await status(.add(Data(#"{"barcode":"123"}"#.utf8)), of: "Ada", ada) == 400)
        let edit = Data(#"{"food":\#(food),"meal":"lunch","timestamp":"2026-11-21T12:00:00Z"}"#.utf8)
        #expect(await status(.put("e1", edit), of: "Ada", ada) == 200)
        #expect(try await json(.entry("e1"), of: "Ada", ada)["meal"] as? String == "lunch")
        #expect(await status(.removeEntry("e1"), of: "Ada", ada) == 204)
        #expect(await status(.removeEntry("e1"), of: "Ada", ada) == 404)
        #expect(await status(.week("2026-W47"), of: "Ada", ada) == 200)
        let counts = try await json(.events, of: "Ada", ada)
        #expect(counts["meal_added"] as? Int == 1)
        #expect(counts["reuse_meal"] as? Int == 1)
        #expect(counts["week_opened"] as? Int == 1)
    }

    @Test(arguments: [
        DiaryAction.day("2026-13-01"), .week("2026-47"), .projection(weeks: "0"), .export(format: "xml"),
        .setGoal(Data("{}".utf8)), .setGoal(Data(#"{"dailyCalories":5}"#.utf8)), .restore(Data("x".utf8)),
        .setWeight("2026-11-22", Data(#"{"weight":5}"#.utf8)), .changeSettings(Data(#"{"zone":"Moon"}"#.utf8)),
        .entries(from: "2020-01-01", to: "2026-01-01"), .foods(text: "oats", limit: "900"),
        .add(Data(#"{"barcode":"1","quick":{"calories":1}}"#.utf8)),
    ])
    func `a wrong value is named`(_ action: DiaryAction) async throws {
        let ada = try await key("Ada")
        #expect(await status(action, of: "Ada", ada) == 400)
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
            domains: [.label], label: label, versions: .init(tablesight: "1"))
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

    @Test func `every spelling of a name is one diary, and another person's stays closed`() async throws {
        let (composed, decomposed) = ("Zo\u{EB}", "Zoe\u{308}")
        let first = try await key(composed)
        #expect(await status(.add(Self.quick), of: decomposed, first) == 201)
        #expect(try Diary(store).people().map(\.name) == [composed])
        let other = try await key("Ben")
        for action in Self.reading + Self.changing {
            #expect(await status(action, of: decomposed, other) == 404, "\(action)")
        }
    }

    @Test func `nobody can be let in who is no member, so nobody takes the name later`() async throws {
        let ada = try await key("Ada")
        #expect(await status(.allow(reader: "Ben"), of: "Ada", ada) == 409)
        let ben = try await key("Ben")
        #expect(await status(.day("2026-11-22"), of: "Ada", ben) == 404)
        #expect(await status(.allow(reader: "BEN"), of: "Ada", ada) == 204)
        #expect(await status(.day("2026-11-22"), of: "Ada", ben) == 200)
    }
}
