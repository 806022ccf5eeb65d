import Foundation
import GRDB
import Household
import TestSupport
import Testing

@testable import HTTP
@testable import Store

/// PINs: guesses, removals, and ways around them.
@Suite(.serialized) struct PINAttackTests {
    private let house: House
    private let things: House.Things
    private static let diary = "/v1/people/Ada/diary"

    init() async throws {
        (house, things) = try await House.furnished()
        // The house has a removal that Ben asked for; these tests begin without one.
        _ = try house.household.cancelRemoval(of: try house.id("Ada"))
    }

    private func choose(_ name: String = "Ada", pin: String?, on token: String) async throws -> House.Reply {
        let pin = pin.map { #","pin":"\#($0)""# } ?? ""
        return try await house.call("PUT", "/v1/session", #"{"member":"\#(name)"\#(pin)}"#, as: token)
    }

    /// The answer to Ada's diary on a device.
    private func diary(on token: String) async throws -> House.Reply {
        try await house.call("GET", Self.diary, as: token)
    }

    private func isOpen(on token: String) async throws -> Bool { try await diary(on: token).status == 200 }

    // MARK: Opening

    @Test func `Ada's diary opens with her PIN only, on this device only`() async throws {
        let (phone, other) = (try house.device(), try house.device(of: "Ada"))
        #expect(try await choose(pin: nil, on: phone).status == 200)
        let locked = try await diary(on: phone)
        #expect(locked.status == 403 && locked.code == "locked")
        #expect(try await choose(pin: "0000", on: phone).status == 403)
        #expect(try await isOpen(on: phone) == false)
        #expect(try await choose(pin: House.Things.pin, on: phone).status == 200)
        #expect(try await isOpen(on: phone))
        #expect(try await isOpen(on: other) == false)
    }

    @Test func `every route of a locked diary is closed, and says that it is locked`() async throws {
        let locked = try house.device(of: "Ada")
        let before = try house.contents()
        for group in WantedRights.groups where group.rule.isOfDiary {
            for route in group.routes {
                let request = try SampleRequest(route, in: house, things)
                var headers = ["Content-Type": request.type ?? "application/json"]
                headers[route.isPage ? "Cookie" : "Authorization"] =
                    route.isPage ? "tablesight=\(locked)" : "Bearer \(locked)"
                if route.isPage { headers.merge(["Accept": "text/html", "Origin": "http://\(House.host)"]) { $1 } }
                let reply = try await house.send(route.method, request.path, request.body, headers)
                let isLed = route.isPage && reply.status == 303 && reply.location?.hasPrefix("/who/pin") == true
                #expect(reply.status == 403 || isLed, "\(route): \(reply.status)")
                #expect(route.isPage || reply.code == "locked", "\(route): \(reply.code ?? "")")
                #expect(!reply.text.contains("450"), "\(route) shows an entry")
            }
        }
        #expect(House.differences(before, try house.contents()) == [])
    }

    @Test func `pages and routes beside the diary show nothing of a locked one`() async throws {
        _ = try await house.call(
            "POST", "/v1/people/Ada/entries", #"{"quick":{"calories":1234,"name":"Secretcake"}}"#, as: House.key,
            headers: ["Tablesight-Member": "Ada"])
        let locked = try house.device(of: "Ada")
        for path in [
            "/v1/foods?q=Secretcake", "/v1/me/export", "/v1/me", "/v1/session", "/v1/people/Ada", "/v1/members",
        ] {
            #expect(try await !house.call("GET", path, as: locked).text.contains("Secretcake"), "\(path)")
        }
        for path in ["/", "/me", "/me/export", "/people", "/people?name=Ada", "/more", "/who", "/history"] {
            #expect(try await !house.browse("GET", path, cookie: locked).text.contains("Secretcake"), "\(path)")
        }
        for path in ["/v1/days/\(things.day)", "/v1/projection"] {
            let reply = try await house.call("GET", path, as: locked)
            #expect(reply.status == 403 && reply.code == "locked", "\(path)")
        }
    }

    @Test func `a switch to somebody else and back closes the diary`() async throws {
        let phone = try house.device(of: "Ada", opens: true)
        for name in ["Leo", "Ada"] { #expect(try await choose(name, pin: nil, on: phone).status == 200) }
        #expect(try await isOpen(on: phone) == false)
    }

    @Test func `a new PIN closes the diary on all other devices`() async throws {
        let (phone, other) = (try house.device(of: "Ada", opens: true), try house.device(of: "Ada", opens: true))
        #expect(try await house.call("PUT", "/v1/me/pin", #"{"pin":"2580"}"#, as: phone).status == 204)
        #expect(try await isOpen(on: phone))
        #expect(try await isOpen(on: other) == false)
        #expect(try await choose(pin: House.Things.pin, on: other).status == 403, "the old one")
        #expect(try await choose(pin: "2580", on: other).status == 200)
    }

    @Test func `a PIN is replaced or removed only where it was typed`() async throws {
        let locked = try house.device(of: "Ada")
        let before = try house.contents()
        let set = try await house.call("PUT", "/v1/me/pin", #"{"pin":"2580"}"#, as: locked)
        #expect(set.status == 403 && set.code == "locked")
        #expect(try await house.call("DELETE", "/v1/me/pin", as: locked).status == 403)
        for form in ["pin=2580&again=2580", "pin=&none=yes", "member=Ada&pin=2580&again=2580"] {
            _ = try await house.browse("POST", "/who/newpin", form, cookie: locked)
            #expect(House.differences(before, try house.contents()) == [], "\(form)")
        }
        let ben = try house.device(of: "Ben", opens: true)
        for form in ["member=Ada&pin=2580&again=2580", "name=Ada&pin=2580&again=2580"] {
            _ = try await house.browse("POST", "/who/newpin", form, cookie: ben)
            #expect(try house.household.member(named: "Ada")?.lock == .pin)
            #expect(throws: Never.self) {
                try house.household.check(House.Things.pin, of: try house.id("Ada"), on: 0)
            }
        }
    }

    @Test(arguments: [
        "", "1", "123", "123456789", "12a4", "١٢٣٤", "12 34", "-123", String(repeating: "1", count: 5000),
    ])
    func `a text that is no PIN is none`(_ text: String) async throws {
        let phone = try house.device(of: "Ada", opens: true)
        #expect(try await house.call("PUT", "/v1/me/pin", #"{"pin":"\#(text)"}"#, as: phone).status / 100 == 4)
        #expect(try await choose(pin: House.Things.pin, on: phone).status == 200)
    }

    @Test func `a child with the phone of an adult who has a PIN does not end the limit`() async throws {
        let form = "who=\(things.child)&minutes="
        let open = try house.device(of: "Ada", opens: true)
        #expect(try await house.browse("POST", "/games/limit", form + "20", cookie: open).status == 303)
        let phone = try house.device(of: "Leo")
        #expect(try await choose(pin: nil, on: phone).status == 200, "six taps: Ada's picture, without her PIN")
        let before = try house.contents()["play_limit"]
        #expect(before?.isEmpty == false)
        for minutes in ["", "600"] {
            let reply = try await house.browse("POST", "/games/limit", form + minutes, cookie: phone)
            #expect(reply.status == 303 && reply.location?.hasPrefix("/who/pin") == true, "\(reply.status)")
            #expect(try house.contents()["play_limit"] == before)
        }
        let ben = try house.device(of: "Ben", opens: true)
        let unlocked = try await house.browse("POST", "/games/limit", form, cookie: ben)
        #expect(unlocked.status == 409, "a child may choose a picture without a PIN")
        // A PIN that a child chose for Ben, or that Zed has, does not raise what Ada set.
        let zed = try house.device(of: "Zed", opens: true)
        for minutes in ["", "600"] {
            #expect(try await house.browse("POST", "/games/limit", form + minutes, cookie: zed).status == 409)
        }
        #expect(try house.contents()["play_limit"] == before)
        #expect(try await house.browse("POST", "/games/limit", form + "10", cookie: zed).status == 303, "less is fine")
    }

    // MARK: Guesses

    @Test func `wrong PINs make their own device wait, longer each time, and no other device`() async throws {
        let (thief, owner) = (try house.device(), try house.device())
        var answers: [Int] = []
        for _ in 0..<6 { answers.append(try await choose(pin: "0000", on: thief).status) }
        #expect(answers == [403, 403, 403, 403, 403, 429])
        let right = try await choose(pin: House.Things.pin, on: thief)
        #expect(right.status == 429 && right.headers[.retryAfter] != nil, "the right one is not looked at either")
        #expect(try await choose(pin: House.Things.pin, on: owner).status == 200)
        house.clock.pass(seconds: 59)
        #expect(try await choose(pin: "0000", on: thief).status == 429)
        house.clock.pass(seconds: 1)
        #expect(try await choose(pin: "0000", on: thief).status == 403)
        house.clock.pass(seconds: 60)
        #expect(try await choose(pin: "0000", on: thief).status == 429, "it waits longer now")
    }

    @Test func `guesses at the same time are not more than one after the other`() async throws {
        let (house, thief) = (house, try house.device())
        let answers = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    try await house.call(
                        "PUT", "/v1/session", #"{"member":"Ada","pin":"\#(1000 + number)"}"#, as: thief
                    ).status
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == [403: 5, 429: 35])
    }

    @Test func `many devices together guess a PIN at most a hundred times a day`() async throws {
        var looked = 0
        for _ in 0..<60 {
            let device = try house.device()
            for _ in 0..<5 { looked += try await choose(pin: "0000", on: device).status == 403 ? 1 : 0 }
        }
        #expect(looked <= 100)
        house.clock.pass(days: 1)
        #expect(try await choose(pin: House.Things.pin, on: try house.device()).status == 200, "it ends")
    }

    @Test func `one phone with all the devices that it pairs keeps nobody else from a PIN`() async throws {
        let (thief, owner) = (try house.device(of: "Ben"), try house.device(of: "Ada", opens: true))
        let number = try house.number(ofDevice: thief)
        func guess(on device: String) async throws -> Int {
            var looked = 0
            for _ in 0..<5 { looked += try await choose(pin: "0000", on: device).status == 403 ? 1 : 0 }
            return looked
        }
        var looked = try await guess(on: thief)
        for place in 0..<30 {
            // Some are paired by others of them.
            let parent = place % 3 == 0 ? number : number + Int64(place)
            let code = try house.household.newCode(
                by: try house.household.devices().contains { $0.id == parent } ? parent : number
            ).code
            looked += try await guess(on: try #require(try house.household.pair(code, name: "x")))
        }
        #expect(looked < 60)
        #expect(try await choose(pin: House.Things.pin, on: owner).status == 200, "the owner's phone")
        #expect(try await choose(pin: House.Things.pin, on: try house.device()).status == 200, "and a new one")
    }

    @Test func `a device that has opened the pages is not kept from them by others`() async throws {
        let owner = try house.device(of: "Ada", opens: true)
        for _ in 0..<60 {
            let device = try house.device()
            for _ in 0..<5 { _ = try await choose(pin: "0000", on: device) }
        }
        house.clock.pass(seconds: 3600)
        #expect(try await choose(pin: House.Things.pin, on: try house.device()).status == 429)
        #expect(try await choose(pin: House.Things.pin, on: owner).status == 200)
    }

    @Test func `the pages and the API share the limit, and another person's right PIN ends no waiting`() async throws {
        let thief = try house.device()
        for _ in 0..<3 { _ = try await choose(pin: "0000", on: thief) }
        for _ in 0..<2 { _ = try await house.browse("POST", "/who/pin", "member=Ada&secret=0000", cookie: thief) }
        #expect(try await choose("Zed", pin: House.Things.otherPIN, on: thief).status == 200)
        #expect(try await choose(pin: House.Things.pin, on: thief).status == 429)
        let page = try await house.browse("POST", "/who/pin", "member=Ada&secret=\(House.Things.pin)", cookie: thief)
        #expect(page.status == 429)
        #expect(try await house.call("GET", "/v1/session", as: thief).json["member"] as? String == "Zed")
    }

    @Test func `a wrong PIN changes neither who uses the device nor what is open on it`() async throws {
        let leo = try house.device(of: "Leo")
        #expect(try await choose(pin: "0000", on: leo).status == 403)
        #expect(try await house.call("GET", "/v1/session", as: leo).json["member"] as? String == "Leo")
    }

    // MARK: Removal

    private func ask(_ name: String = "Ada", by token: String) async throws -> House.Reply {
        try await house.call("POST", "/v1/people/\(name)/pin/removal", as: token)
    }

    @Test func `a removal that Ben asks for opens after 24 hours and not before`() async throws {
        #expect(try await ask(by: try house.device(of: "Ben")).status == 202)
        house.clock.pass(seconds: 86_399)
        #expect(try await isOpen(on: try house.device(of: "Ada")) == false)
        house.clock.pass(seconds: 1)
        #expect(try await isOpen(on: try house.device(of: "Ada")))
        #expect(try await house.call("GET", Self.diary, as: try house.device(of: "Ben")).status == 404, "not as Ben")
    }

    @Test func `asking again makes it neither sooner nor later`() async throws {
        _ = try await ask(by: try house.device(of: "Ben"))
        let first = try house.household.member(named: "Ada")?.removal
        house.clock.pass(seconds: 80_000)
        _ = try await ask(by: try house.device(of: "Zed"))
        #expect(try house.household.member(named: "Ada")?.removal == first)
    }

    @Test func `the owner sees at once who asked, on every device, and takes it back`() async throws {
        let ada = try house.device(of: "Ada")
        _ = try await ask(by: try house.device(of: "Ben"))
        let phone = try house.device(of: "Ada")
        let members = try await house.call("GET", "/v1/members", as: phone).array
        let removal = members.first { $0["name"] as? String == "Ada" }?["removal"] as? [String: Any]
        #expect(removal?["askedBy"] as? String == "Ben" && removal?["opens"] != nil)
        for path in ["/", "/history", "/list", "/people"] {
            let page = try await house.browse("GET", path, cookie: phone).text
            #expect(page.contains("Ben") && page.contains("PIN"), "\(path) says nothing")
        }
        #expect(try await house.call("DELETE", "/v1/people/Ada/pin/removal", as: phone).status == 204)
        house.clock.pass(days: 2)
        #expect(try await isOpen(on: ada) == false)
    }

    @Test func `a right PIN takes it back too, and a new wish waits a day of its own`() async throws {
        let ben = try house.device(of: "Ben")
        _ = try await ask(by: ben)
        house.clock.pass(seconds: 80_000)
        #expect(try await choose(pin: House.Things.pin, on: try house.device()).status == 200)
        #expect(try house.household.member(named: "Ada")?.removal == nil)
        _ = try await ask(by: try house.device(of: "Ben"))
        house.clock.pass(seconds: 80_000)
        #expect(try await isOpen(on: try house.device(of: "Ada")) == false)
    }

    @Test func `who is no adult asks for nothing, and a third adult takes nothing back`() async throws {
        for name in ["Leo", "Gus"] { #expect(try await ask(by: try house.device(of: name)).status == 403) }
        #expect(try await ask(by: try house.device()).status == 403)
        #expect(try house.household.member(named: "Ada")?.removal == nil)
        _ = try await ask(by: try house.device(of: "Ben"))
        let zed = try house.device(of: "Zed")
        #expect(try await house.call("DELETE", "/v1/people/Ada/pin/removal", as: zed).status == 403)
        #expect(try house.household.member(named: "Ada")?.removal != nil)
    }

    @Test func `the daemon's own key removes a PIN at once`() async throws {
        #expect(try await ask(by: House.key).status < 300)
        #expect(try await isOpen(on: try house.device(of: "Ada")))
    }

    // MARK: Ways around

    @Test(arguments: ["PUT /v1/people/Ada", "PUT /v1/profiles/Ada", "POST /people"])
    func `an adult who makes another adult a child does not get their diary`(_ way: String) async throws {
        let ben = try house.device(of: "Ben", opens: true)
        if way == "POST /people" {
            _ = try await house.browse("POST", "/people", "stored=Ada&name=Ada&role=child&a.milk=mild", cookie: ben)
        } else {
            let path = String(way.dropFirst("PUT ".count))
            _ = try await house.call("PUT", path, #"{"role":"child","allergens":{"milk":"mild"}}"#, as: ben)
        }
        for path in ["/diary", "/entries?from=\(things.day)", "/weights", "/export"] {
            let reply = try await house.call("GET", "/v1/people/Ada\(path)", as: ben)
            #expect([403, 404].contains(reply.status), "\(path): \(reply.status)")
            #expect(!reply.text.contains("450"))
        }
        #expect(try await house.call("DELETE", Self.diary, as: ben).status != 204)
    }

    @Test func `an adult whom somebody makes a guest does not end, and nobody takes over their diary`() async throws {
        let ben = try house.device(of: "Ben")
        _ = try await house.call("PUT", "/v1/people/Ada", #"{"role":"guest","allergens":{"milk":"mild"}}"#, as: ben)
        house.clock.pass(days: 2)
        // Whoever is added takes the place of a guest who left.
        if try house.household.member(named: "Ada") == nil { try house.household.add(NewMember("Ada")) }
        let reply = try await house.call("GET", "/v1/people/Ada/export", as: try house.device(of: "Ada"))
        #expect([403, 404].contains(reply.status), "\(reply.status)")
        #expect(!reply.text.contains("450"), "the diary is open without the PIN")
    }

    @Test(arguments: ["key", "password"])
    func `what locked a diary in an earlier version is guessed like a PIN, and no PIN replaces it unseen`(
        _ kind: String
    ) async throws {
        let id = try house.id("Ada")
        try house.store.write {
            // The hash of a password is made like that of a PIN; a key has none.
            let hash = kind == "key" ? ", salt = NULL, hash = NULL" : ""
            try $0.execute(sql: "UPDATE member_lock SET kind = ?\(hash) WHERE member = ?", arguments: [kind, id])
        }
        let thief = try house.device()
        for secret in ["0000", "", String(repeating: "x", count: 300)] {
            #expect(try await choose(pin: secret, on: thief).status >= 400)
        }
        let keys = ["Cookie": "tablesight=\(thief); tablesight-diary=wrongkey", "Tablesight-Diary-Key": "wrongkey"]
        _ = try await house.call("PUT", "/v1/session", #"{"member":"Ada"}"#, as: thief, headers: keys)
        #expect(try await isOpen(on: thief) == false)
        #expect(try await house.call("PUT", "/v1/me/pin", #"{"pin":"2580"}"#, as: thief).status == 403)
        let form = "member=Ada&key=yes&secret="
        let page = try await house.browse(
            "POST", "/who/pin", form, cookie: thief, headers: ["Cookie": keys["Cookie"] ?? ""])
        #expect(page.status == 403)
        #expect(try await isOpen(on: thief) == false)
        for _ in 0..<10 { _ = try await choose(pin: "1111", on: thief) }
        if kind == "password" {
            #expect(try await choose(pin: House.Things.pin, on: thief).status == 429)
            #expect(try await choose(pin: House.Things.pin, on: try house.device()).status == 200)
        }
    }

    @Test func `a PIN in the wrong place opens nothing`() async throws {
        let phone = try house.device(of: "Ada")
        let headers = [
            "Tablesight-Diary-Key": House.Things.pin, "Tablesight-Pin": House.Things.pin,
            "Cookie": "tablesight=\(phone); tablesight-diary=\(House.Things.pin)",
        ]
        #expect(try await house.call("GET", Self.diary, as: phone, headers: headers).status == 403)
        #expect(try await house.call("GET", Self.diary + "?pin=\(House.Things.pin)", as: phone).status == 403)
    }
}
