import Diary
import Foundation
import Household
import TestSupport
import Testing

@testable import HTTP

/// Diaries of others: who reads what, and until when.
@Suite(.serialized) struct DiarySharingTests {
    private let house: House
    private let things: House.Things
    private let ada: String

    init() async throws {
        (house, things) = try await House.furnished()
        ada = try house.device(of: "Ada", opens: true)
    }

    private func send(_ route: WantedRights.Route, as token: String) async throws -> House.Reply {
        let request = try SampleRequest(route, in: house, things)
        var headers = ["Content-Type": request.type ?? "application/json"]
        headers[route.isPage ? "Cookie" : "Authorization"] = route.isPage ? "tablesight=\(token)" : "Bearer \(token)"
        if route.isPage { headers.merge(["Accept": "text/html", "Origin": "http://\(House.host)"]) { $1 } }
        return try await house.send(route.method, request.path, request.body, headers)
    }

    /// The routes of a group of the wanted table.
    private func routes(_ rule: WantedRights.Rule) -> [WantedRights.Route] {
        WantedRights.groups.filter { $0.rule == rule }.flatMap(\.routes)
    }

    @Test func `a reader reads what is shared, and neither changes nor exports it`() async throws {
        let zed = try house.device(of: "Zed", opens: true)
        for route in routes(.diaryReading) {
            #expect(try await send(route, as: zed).status == 200, "\(route)")
        }
        let before = try house.contents()
        for route in routes(.diaryOwning) {
            let reply = try await send(route, as: zed)
            #expect(reply.status == 403, "\(route): \(reply.status)")
            #expect(House.differences(before, try house.contents()) == [], "\(route)")
        }
        let settings = try await house.call("GET", "/v1/people/Ada/diary", as: zed)
        #expect(settings.json["readers"] as? [String] ?? [] == [], "a reader does not see who else reads")
    }

    @Test func `a reader whose own PIN is not typed reads nothing`() async throws {
        let zed = try house.device(of: "Zed")
        for route in routes(.diaryReading) {
            let reply = try await send(route, as: zed)
            #expect(reply.status == 403 || reply.status == 303, "\(route): \(reply.status)")
            #expect(!reply.text.contains("450"), "\(route)")
        }
    }

    @Test func `a diary that is shared no longer is closed at once`() async throws {
        let zed = try house.device(of: "Zed", opens: true)
        #expect(try await house.call("GET", "/v1/people/Ada/weights", as: zed).status == 200)
        #expect(try await house.call("DELETE", "/v1/people/Ada/diary/readers/Zed", as: ada).status == 204)
        #expect(try await house.call("GET", "/v1/people/Ada/weights", as: zed).status == 404)
    }

    @Test func `a diary of nobody and a diary of somebody else are the same to others`() async throws {
        let ben = try house.device(of: "Ben", opens: true)
        try house.household.add(NewMember("Nora"))
        let answers = try await ["Ada", "Nora", "Nobody"].asyncMap {
            try await house.call("GET", "/v1/people/\($0)/diary", as: ben)
        }
        #expect(answers.map(\.status) == [404, 404, 404])
        #expect(Set(answers.map(\.text)).count == 1)
    }

    @Test func `whoever is no member or a guest becomes no reader, nor does the owner`() async throws {
        let before = try house.contents()["diary_reader"]
        for name in ["Nobody", "Gus", "%E2%80%8B", "Ada"] {
            let reply = try await house.call("PUT", "/v1/people/Ada/diary/readers/\(name)", as: ada)
            #expect([400, 404, 409].contains(reply.status), "\(name): \(reply.status)")
            _ = try await house.browse("POST", "/diary/reader", "name=\(name)&allowed=yes", cookie: ada)
            #expect(try house.contents()["diary_reader"] == before, "\(name)")
        }
    }

    @Test func `who takes the name of a reader later reads nothing`() async throws {
        // Each way in which the name Zed becomes free.
        #expect(try await house.call("DELETE", "/v1/people/Zed", as: ada).status == 200)
        let body = #"{"allergens":{"milk":"mild"}}"#
        #expect(try await house.call("PUT", "/v1/people/Zed", body, as: ada).status == 201)
        let zed = try house.device(of: "Zed", opens: true)
        #expect(try await house.call("GET", "/v1/people/Ada/diary", as: zed).status == 404)
        #expect(try await house.call("GET", "/v1/lists/\(things.list)", as: zed).status == 404)
    }

    @Test func `nobody takes the place of a reader whom somebody tries to make a guest`() async throws {
        let before = try house.id("Zed")
        let body = #"{"role":"guest","allergens":{"milk":"mild"}}"#
        #expect(try await house.call("PUT", "/v1/people/Zed", body, as: ada).status == 400)
        _ = try await house.browse("POST", "/people", "stored=Zed&name=Zed&role=guest&a.milk=mild", cookie: ada)
        house.clock.pass(days: 2)
        #expect(throws: HouseholdProblem.self) { try house.household.add(NewMember("Zed")) }
        #expect(try house.id("Zed") == before)
        #expect(try house.household.member(named: "Zed")?.role == .adult)
    }

    @Test func `a member who becomes a child reads no diary any more`() async throws {
        _ = try await house.call("PUT", "/v1/people/Zed", #"{"role":"child","allergens":{"milk":"mild"}}"#, as: ada)
        let zed = try house.device(of: "Zed", opens: true)
        #expect([403, 404].contains(try await house.call("GET", "/v1/people/Ada/diary", as: zed).status))
    }

    @Test func `adults keep a child's diary, and the child does not`() async throws {
        for name in ["Ada", "Ben"] {
            let token = try house.device(of: name, opens: true)
            #expect(try await house.call("GET", "/v1/people/Leo/diary", as: token).status == 200)
            let added = try await house.call("POST", "/v1/people/Leo/entries", #"{"quick":{"calories":1}}"#, as: token)
            #expect(added.status == 201)
        }
        let leo = try house.device(of: "Leo", opens: true)
        #expect(try await house.call("GET", "/v1/people/Leo/diary", as: leo).status == 403)
        #expect(try await house.browse("GET", "/today", cookie: leo).status == 403)
    }

    @Test func `a child sets no PIN, and one from before keeps the adults out until it is removed`() async throws {
        let leo = try house.device(of: "Leo", opens: true)
        #expect(try await house.call("PUT", "/v1/me/pin", #"{"pin":"2468"}"#, as: leo).status == 403)
        #expect(try await house.browse("POST", "/who/newpin", "pin=2468", cookie: leo).status == 403)
        #expect(try house.household.member(named: "Leo")?.lock == Member.Lock.none)
        try house.household.setPIN("2468", of: try house.id("Leo"))
        #expect(try await house.call("GET", "/v1/people/Leo/diary", as: leo).status == 403)
        #expect([403, 404].contains(try await house.call("GET", "/v1/people/Leo/diary", as: ada).status))
    }

    @Test func `a child who grows up has a diary that no other adult reads`() async throws {
        _ = try await house.call("PUT", "/v1/people/Leo", #"{"role":"adult","allergens":{"milk":"mild"}}"#, as: ada)
        #expect(
            try await house.call("GET", "/v1/people/Leo/diary", as: try house.device(of: "Ben", opens: true)).status
                == 404)
        #expect(
            try await house.call("GET", "/v1/people/Leo/diary", as: try house.device(of: "Leo", opens: true)).status
                == 200)
    }

    @Test func `events and history tell nobody what stands in a diary`() async throws {
        _ = try await house.call(
            "POST", "/v1/people/Ada/entries", #"{"quick":{"calories":1234,"name":"Secretcake"}}"#, as: ada)
        let ben = try house.device(of: "Ben", opens: true)
        for path in [
            "/v1/history", "/v1/outcomes", "/v1/people", "/v1/members", "/v1/foods?q=Secretcake", "/v1/reviews",
        ] {
            #expect(try await !house.call("GET", path, as: ben).text.contains("Secretcake"), "\(path)")
        }
        let events = try house.store.events(after: 0, limit: 1000).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(!events.joined().contains("Secretcake"))
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
