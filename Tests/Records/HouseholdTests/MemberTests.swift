import Core
import Foundation
import GRDB
import Store
import TestSupport
import Testing

@testable import Household

@Suite("Members and devices")
struct MemberTests {
    private let folder: TemporaryFolder
    private let clock = TestClock()
    private let store: OutcomeStore
    private let household: Household

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        household = Household(store, parameters: LockTests.quick) { [clock] in clock.date }
    }

    private func profile(_ allergens: [Allergen: AllergenProfile.Sensitivity]) -> AllergenProfile {
        AllergenProfile(name: "", allergens: allergens)
    }

    @Test func `a member is found in every spelling, and a name is given once`() throws {
        let zoe = try household.add(NewMember("Zo\u{EB}", profile: profile([.milk: .severe])))
        #expect(zoe.profile.name == "Zo\u{EB}")
        #expect(try household.member(named: "ZOE\u{308}") == zoe)
        #expect(throws: HouseholdProblem.taken("Zo\u{EB}")) { try household.add(NewMember("zoe\u{308}")) }
        #expect(throws: HouseholdProblem.self) { try household.add(NewMember("Zo\u{202E}e")) }
        #expect(try household.person(named: "zo\u{EB}") == "Zo\u{EB}")
        #expect(try household.person(named: "Ben") == "Ben")
        #expect(try household.members().map(\.name) == ["Zo\u{EB}", "Ben"])
        #expect(try store.profiles().map(\.name) == ["Zo\u{EB}"], "photos are judged for those who are warned")
    }

    @Test func `role, colour and warnings change, and the name stays`() throws {
        var leo = try household.add(NewMember("Leo"))
        leo.role = .child
        leo.colour = 3
        leo.profile.allergens = [.peanuts: .severe]
        leo.profile.name = "Somebody"
        try household.save(leo)
        let stored = try #require(try household.member(leo.id))
        #expect((stored.name, stored.role, stored.colour) == ("Leo", .child, 3))
        #expect(stored.profile == AllergenProfile(name: "Leo", allergens: [.peanuts: .severe]))
        leo.colour = 9
        #expect(throws: HouseholdProblem.self) { try household.save(leo) }
    }

    @Test func `a guest ends after a day`() throws {
        let emil = try household.add(NewMember("Emil", role: .guest, profile: profile([.celery: .high])))
        #expect(emil.ends == Int64(clock.date.timeIntervalSince1970) + 86_400)
        clock.pass(seconds: 86_399)
        #expect(try household.member(named: "emil") != nil)
        #expect(try store.profiles(now: clock.date).count == 1)
        clock.pass(seconds: 1)
        #expect(try household.member(named: "emil") == nil)
        #expect(try household.members().isEmpty)
        #expect(try store.profiles(now: clock.date).isEmpty)
        #expect(try household.add(NewMember("Emil")).ends == nil, "the name is free")
    }

    @Test func `a new name is in everything that is theirs`() throws {
        let ada = try household.add(NewMember("Ada", profile: profile([.fish: .mild])))
        try store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO diary_person (person, key, zone) VALUES ('Ada', 'ada', 'GMT');
                    INSERT INTO diary_weight VALUES ('Ada', 20700, 61000);
                    INSERT INTO diary_reader VALUES ('Ada', 'Ben');
                    INSERT INTO grocery_list (name, owner, created) VALUES ('Week', 'Ada', 0);
                    INSERT INTO grocery_member SELECT 'Ada', id FROM grocery_list;
                    INSERT INTO review (content, item, action, reviewer, made) VALUES ('sha256:1', '*', 'accept', 'Ada', 1);
                    """)
        }
        _ = try household.add(NewMember("Ben"))
        #expect(throws: HouseholdProblem.taken("Ben")) { try household.rename(ada.id, to: "ben") }
        try household.rename(ada.id, to: "Ada Lovelace")
        #expect(try store.profiles().first?.name == "Ada Lovelace")
        #expect(try store.reviews().map(\.reviewer) == ["Ada Lovelace"])
        try store.read { (database) throws in
            for (table, column) in PersonColumns.all {
                let old = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE \(column) = 'Ada'")
                #expect(old == 0, "\(table).\(column)")
            }
            let weight = try Int.fetchOne(
                database, sql: "SELECT grams FROM diary_weight WHERE person = 'Ada Lovelace'")
            #expect(weight == 61_000)
            #expect(
                try String.fetchOne(database, sql: "SELECT key FROM diary_person") == "ada lovelace")
        }
    }

    @Test func `people of another database are taken over once`() throws {
        let anna = NewMember("Anna", role: .child, profile: profile([.milk: .severe]))
        #expect(try household.takeOver([anna]) == ["Anna"])
        #expect(try household.takeOver([anna]) == [])
        let member = try #require(try household.member(named: "anna"))
        #expect(member.role == .child)
        _ = try household.remove(member.id)
        #expect(try household.takeOver([anna]) == [], "who was removed stays away")
        #expect(try household.members().isEmpty)
        _ = try household.add(NewMember("Ben", profile: profile([.eggs: .mild])))
        #expect(try household.takeOver([NewMember("ben", profile: profile([.nuts: .severe]))]) == [])
        #expect(try household.member(named: "Ben")?.profile.allergens == [.eggs: .mild], "a member stays as they are")
    }

    @Test func `a code pairs one device for ten minutes, however it is typed`() throws {
        let code = try household.newCode().code
        #expect(try household.isPairing(code.lowercased().replacing("-", with: " ")))
        let token = try #require(try household.pair(code.replacing("-", with: ""), name: "Phone"))
        #expect(try household.pair(code, name: "Thief") == nil)
        #expect(try household.device(ofToken: token)?.name == "Phone")
        #expect(try household.device(ofToken: token + "x") == nil)
        let late = try household.newCode().code
        clock.pass(seconds: 600)
        #expect(try !household.isPairing(late))
        #expect(try household.pair(late, name: "Phone") == nil)
        #expect(try household.pair("0000-0000", name: "Phone") == nil)
    }

    @Test func `revoking a device revokes what it paired and its codes; signing out leaves them`() throws {
        func paired(by device: Int64?) throws -> Device {
            let token = try household.pair(try household.newCode(by: device).code, name: "x")
            return try #require(try household.device(ofToken: token ?? ""))
        }
        let first = try paired(by: nil)
        let second = try paired(by: first.id)
        let third = try paired(by: second.id)
        let code = try household.newCode(by: third.id).code
        try household.signOut(second.id)
        #expect(try household.devices().map(\.id) == [third.id, first.id])
        #expect(try household.takeDevice(first.id) != nil)
        #expect(try household.devices().isEmpty)
        #expect(try !household.isPairing(code))
        #expect(try household.takeDevice(first.id) == nil)
    }

    @Test func `a device remembers who uses it, and closes the pages of the person before`() throws {
        let (maria, leo) = (try household.add(NewMember("Maria")), try household.add(NewMember("Leo")))
        let token = try household.addDevice(name: "Tablet")
        let id = try #require(try household.device(ofToken: token)?.id)
        try household.use(id, by: maria.id, opens: true)
        #expect(try household.device(ofToken: token)?.member == maria.id)
        #expect(try household.device(ofToken: token)?.openUntil != nil)
        try household.use(id, by: leo.id)
        #expect(try household.device(ofToken: token)?.openUntil == nil)
        _ = try household.remove(leo.id)
        #expect(try household.device(ofToken: token)?.member == nil)
    }
}
