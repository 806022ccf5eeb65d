import Core
import Household
import Foundation
import GRDB
import Store
import TestSupport
import Testing

@testable import App
@testable import Daemon

/// Somebody with a name that is part of no other word does everything that a member can do. Then the name goes.
@Suite(.serialized) struct ErasureTests {
    private let house: House
    private let things: House.Things
    private static let name = "Qwurtzelbrompft"

    init() async throws {
        house = try House()
        things = try await house.furnish()
        try await useEverything()
        try storeEvents(of: "Ada")
        try house.household.setPIN(House.Things.otherPIN, of: try house.id("Zed"))
        try house.household.askRemoval(of: try house.id("Zed"), by: "Ada")
        try house.household.rename(try house.id("Ada"), to: Self.name)
    }

    /// Sends every request that changes something as Ada, each into a house that has all things.
    private func useEverything() async throws {
        let ends: Set = [
            "DELETE", "POST /people/delete", "POST /devices/remove", "POST /list/delete", "POST /photos/{id}/delete",
        ]
        for route in WantedRights.groups.flatMap(\.routes) where route.changes {
            guard !ends.contains(route.method), !ends.contains(route.description) else { continue }
            let request = try SampleRequest(route, in: house, things)
            var headers = ["Content-Type": request.type ?? "application/json"]
            if route.isPage {
                headers["Cookie"] = "tablesight=\(try house.device(of: "Ada", opens: true))"
                headers["Accept"] = "text/html"
                headers["Origin"] = "http://\(House.host)"
            } else {
                headers["Authorization"] = "Bearer \(House.key)"
                headers["Tablesight-Member"] = "Ada"
            }
            _ = try await house.send(route.method, request.path, request.body, headers)
        }
    }

    /// Stores an event of each kind that says something of a person.
    private func storeEvents(of name: String) throws {
        for person in [name, "Ben"] {
            let body = """
                {"data":{"changes":[{"allergen":"milk","item":"x","path":"p","profile":"\(person)"}],\
                "confidence":{"value":0.6},"household":{"\(person)":{"avoid":["Soup"]}},"products":[\
                {"contradictions":[{"allergen":"milk","profile":"\(person)"}],"verdicts":{"\(person)":{"milk":1}}}]},\
                "type":"completed"}
                """
            try house.store.write {
                try $0.execute(
                    sql: "INSERT OR IGNORE INTO event (uid, kind, body) VALUES (?, 'completed', ?)",
                    arguments: [["Ada": "evt_Ada", "Ben": "evt_Ben"][person] ?? "evt_guest", Data(body.utf8)])
            }
        }
    }

    /// The tables and columns whose text or bytes contain the name in any spelling.
    private func places(of name: String) throws -> [String] {
        let key = DisplayName.key(of: name)
        return try house.store.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
            return try tables.flatMap { table in
                try database.columns(in: table).map(\.name).filter { column in
                    try Row.fetchAll(database, sql: "SELECT \(column) FROM \"\(table)\"").contains { row in
                        let text =
                            switch row[0 as Int] as DatabaseValue {
                            case let value:
                                switch value.storage {
                                case .string(let text): text
                                case .blob(let data): String(decoding: data, as: UTF8.self)
                                default: ""
                                }
                            }
                        return DisplayName.key(of: String(text.prefix(1000))).contains(key) || text.contains(name)
                    }
                }.map { "\(table).\($0)" }
            }
        }.sorted()
    }

    @Test func `a new name is in all tables and events, and the old one in none`() throws {
        // The photos are judged again for the new name by a daemon.
        let judged = ["outcome.json", "summary.json", "summary.marks"]
        let old = try house.store.read { database in
            try PersonColumns.all.filter { table, column in
                try Bool.fetchOne(database, sql: "SELECT 1 FROM \(table) WHERE \(column) = 'Ada'") ?? false
            }.map { "\($0).\($1)" }
        }
        #expect(old == [])
        let places = try places(of: Self.name)
        #expect(Set(judged).isDisjoint(with: places))
        #expect(places.contains("event.body") && places.contains("member_lock.removalAskedBy"))
        let events = try house.store.events(after: 0, limit: 1000).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(!events.contains { $0.contains("\"Ada\"") })
        #expect(events.contains { $0.contains("\"\(Self.name)\":{\"avoid\"") && $0.contains("0.6}") })
    }

    @Test func `nothing keeps the name of somebody who is removed`() async throws {
        let before = try places(of: Self.name)
        #expect(before.count > 15, "\(before)")
        let others = try house.store.events(after: 0, limit: 1000).filter { $0.id == "evt_Ben" }
        let reply = try await house.call("DELETE", "/v1/people/\(Self.name)", as: House.key)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try places(of: Self.name) == [])
        let files = house.files()
        #expect(files.filter { $0.contains(Self.name) } == [])
        let events = try house.store.events(after: 0, limit: 1000)
        #expect(events.contains { $0.id == "evt_Ada" }, "the event stays")
        #expect(events.filter { $0.id == "evt_Ben" } == others)
    }

    @Test func `a new person of a removed person's name takes back none of their requests`() async throws {
        _ = try await house.call("DELETE", "/v1/people/\(Self.name)", as: House.key)
        #expect(try house.household.member(named: "Zed")?.removal == nil)
        _ = try house.household.add(.init(Self.name))
        try house.household.askRemoval(of: try house.id("Zed"), by: "Ben")
        let phone = try house.device(of: Self.name)
        #expect(try await house.call("DELETE", "/v1/people/Zed/pin/removal", as: phone).status == 403)
        #expect(try house.household.member(named: "Zed")?.removal?.askedBy == "Ben")
    }

    @Test func `a PIN stays removed when whoever asked for it is removed`() async throws {
        house.clock.pass(days: 2)
        #expect(try house.household.member(named: "Zed")?.lock == Member.Lock.none)
        // By the clock of the test.
        #expect(try house.household.remove(try house.id(Self.name)))
        #expect(try house.household.member(named: "Zed")?.lock == Member.Lock.none)
        #expect(try !places(of: Self.name).contains("member_lock.removalAskedBy"))
    }

    @Test func `nothing keeps the name of a guest whose day is over`() throws {
        try house.household.rename(try house.id("Gus"), to: "Xylvontraut")
        try storeEvents(of: "Xylvontraut")
        house.clock.pass(days: 2)
        _ = try house.household.add(.init("Somebody"))
        #expect(try places(of: "Xylvontraut") == [])
    }
}
