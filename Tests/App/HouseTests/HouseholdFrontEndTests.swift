import Core
import Foundation
import Household
import Store
import TestSupport
import Testing

@testable import App

/// The rules of people, PINs and devices through the command line, the API and the pages: one action stands behind all.
@Suite(.serialized) struct HouseholdFrontEndTests {
    private let house: House
    private let things: House.Things

    init() async throws { (house, things) = try await House.furnished() }

    private func command(_ arguments: [String]) async throws -> Program.Result {
        try await Program("tablesight").finished(["household"] + arguments + ["--database", house.store.file.path])
    }

    private func send(
        _ method: String, _ path: String, _ body: String? = nil, person: String? = nil
    ) async throws -> House.Reply {
        try await house.call(
            method, "/v1/\(path)", body, as: House.key, headers: person.map { ["Tablesight-Member": $0] } ?? [:])
    }

    private func member(_ name: String) throws -> Member { try #require(try house.household.member(named: name)) }

    @Test func `what is refused through the API is refused on the command line, for the same reason`() async throws {
        let words = (0...50).map { "word\($0)" }
        let many = words.flatMap { ["--word", $0] }
        let list = words.map { "\"\($0)\"" }.joined(separator: ",")
        let before = try house.contents()
        for (arguments, exit, method, path, body, status, reason) in [
            (["add", "Mia", "--word", "k"], 64, "PUT", "people/Mia", #"{"words":["k"]}"#, 400, "2 to 40 characters"),
            (
                ["edit", "Ben", "--word", "a\tb"], 64, "PUT", "people/Ben", #"{"words":["a\tb"]}"#, 400,
                "without control characters"
            ),
            (["edit", "Ben"] + many, 64, "PUT", "people/Ben", #"{"words":[\#(list)]}"#, 400, "at most 50 words"),
            (
                ["add", "Mia", "--allergen", "celery", "--regime", "us9"], 64, "PUT", "people/Mia",
                #"{"allergens":{"celery":"high"},"regime":"us9"}"#, 400, "celery is not in the regime us9"
            ),
            (
                ["edit", "Ben", "--language", "xx"], 64, "PUT", "people/Ben", #"{"language":"xx"}"#, 400,
                "no texts in the language xx"
            ),
            (["edit", "Ben", "--colour", "9"], 64, "PUT", "people/Ben", #"{"colour":9}"#, 400, "from 1 to 4"),
            (["edit", "Ben", "--role", "guest"], 64, "PUT", "people/Ben", #"{"role":"guest"}"#, 400, "for a day"),
            (["remove", "Mia", "--yes"], 66, "DELETE", "people/Mia", nil, 404, "Mia"),
            (["revoke", "999"], 66, "DELETE", "devices/999", nil, 404, "no "),
        ] as [([String], Int32, String, String, String?, Int, String)] {
            let (result, reply) = (try await command(arguments), try await send(method, path, body))
            #expect(result.exitCode == exit && result.errors.contains(reason), "\(arguments): \(result)")
            #expect(reply.status == status && reply.text.contains(reason), "\(path) \(body ?? ""): \(reply.text)")
        }
        let differing = House.differences(before, try house.contents())
        #expect(differing.isEmpty, "nothing is stored: \(differing)")
    }

    @Test func `a taken name is refused by every form of a new person`() async throws {
        let ada = try house.device(of: "Ada", opens: true)
        #expect(try await command(["add", "ben"]).exitCode == 64)
        #expect(try await house.browse("POST", "/people", "name=ben", cookie: ada).status == 409)
        #expect(try await house.browse("POST", "/who/add", "name=ben", cookie: ada).status == 409)
        #expect(try await house.browse("POST", "/who/guest", "name=ben", cookie: ada).status == 409)
        #expect(try await command(["rename", "Zed", "ben"]).exitCode == 64)
        let former = try member("Zed")
        #expect(try await house.browse("POST", "/people", "stored=Zed&name=ben", cookie: ada).status == 409)
        let refused = try await house.browse("POST", "/people", "stored=Zed&name=Zoe&w.0=k", cookie: ada)
        #expect(refused.status == 400)
        #expect(try member("Zed") == former, "a refused word leaves the name as it is")
    }

    @Test func `a person is the same through all`() async throws {
        let ada = try house.device(of: "Ada", opens: true)
        let typed = ["--allergen", "nuts=mild", "--word", " kiwi ", "--word", "kiwi", "--word", "", "--language", "de"]
        #expect(try await command(["add", "One"] + typed).exitCode == 0)
        let body = #"{"allergens":{"nuts":"mild"},"words":[" kiwi ","kiwi",""],"language":"de"}"#
        #expect(try await send("PUT", "people/Two", body).status == 201)
        let form = "name=Three&a.nuts=mild&w.0=+kiwi+&w.1=kiwi&w.2=&language=de"
        #expect(try await house.browse("POST", "/people", form, cookie: ada).status == 200)
        for name in ["One", "Two", "Three"] {
            let profile = try member(name).profile
            #expect(profile.words == ["kiwi"] && profile.allergens == [.nuts: .mild] && profile.language == "de")
            #expect(profile.regime == "eu14" && profile.name == name)
        }
        // Another law that does not name an allergen says so; nobody stops to be warned unasked.
        #expect(try await command(["edit", "One", "--allergen", "celery"]).exitCode == 0)
        #expect(try await command(["edit", "One", "--regime", "us9"]).exitCode == 64)
        #expect(try member("One").profile.allergens.keys.contains(.celery))
        #expect(try await command(["edit", "One", "--regime", "us9", "--without", "celery"]).exitCode == 0)
        #expect(try member("One").profile.regime == "us9")
    }

    @Test func `a person is removed with everything through both, which say the same of it`() async throws {
        let report = try await send("DELETE", "people/Ada")
        #expect(report.json["diaryEntries"] as? Int == 1 && report.json["saved"] as? Int == 1)
        let removed = try await command(["remove", "Zed", "--yes"])
        #expect(removed.exitCode == 0 && removed.output.contains("lists"), "\(removed)")
        #expect(try house.household.members().map(\.name) == ["Ben", "Leo", "Gus"])
        for (name, table) in try house.contents() where name != "files" {
            #expect(!table.contains("'Ada'") && !table.contains("'Zed'"), "\(name)")
        }
    }

    @Test func `devices are listed and revoked alike, and a PIN is removed at once by who runs the daemon`()
        async throws
    {
        let listed = try await command(["devices", "--json"]).output.split(separator: "\n").map(String.init)
        let devices = try await send("GET", "devices").array
        #expect(devices.count == listed.count && listed.count > 0)
        for (device, line) in zip(devices, listed) {
            let own = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((own as NSDictionary?) == device as NSDictionary)
        }
        #expect(try await command(["revoke", "\(things.device)"]).exitCode == 0)
        #expect(try await send("DELETE", "devices/\(things.device)").status == 404)
        #expect(try member("Ada").lock == .pin && member("Zed").lock == .pin)
        #expect(try await command(["pin", "Ada", "--remove"]).output == "the PIN of Ada is removed\n")
        #expect(try await send("POST", "people/Zed/pin/removal").status == 202)
        #expect(try member("Ada").lock == Member.Lock.none && member("Zed").lock == Member.Lock.none)
    }

    @Test(arguments: ["123", "123456789", "12a4", "１２３４"])
    func `a PIN of a wrong form is refused by the API and the pages`(_ pin: String) async throws {
        let ben = try house.device(of: "Ben", opens: true)
        let api = try await send("PUT", "me/pin", #"{"pin":"\#(pin)"}"#, person: "Ben")
        #expect(api.status == 400 && api.code == "badPIN")
        #expect(try await house.browse("POST", "/who/newpin", "pin=\(pin.escaped)", cookie: ben).status == 400)
        #expect(try await house.browse("POST", "/who/add", "name=Mia&pin=\(pin.escaped)", cookie: ben).status == 400)
        #expect(try member("Ben").lock == .none && house.household.member(named: "Mia") == nil)
    }
}
