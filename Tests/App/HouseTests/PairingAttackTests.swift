import Foundation
import Household
import Store
import TestSupport
import Testing

@testable import HTTP

/// Codes that pair a device, and devices that are revoked.
@Suite(.serialized) struct PairingAttackTests {
    private let house: House

    init() throws {
        house = try House()
        try house.household.add(NewMember("Ada"))
    }

    /// Pairs a device with a code that this holder makes.
    private func pair(by token: String) async throws -> String {
        let made = try await house.call("POST", "/v1/devices/codes", as: token)
        let code = try #require(made.json["code"] as? String, "\(made.text)")
        return try #require(try await house.browse("POST", "/pair", "code=\(code)&name=phone", cookie: nil).cookie)
    }

    private func use(_ token: String, by name: String) async throws {
        #expect(try await house.call("PUT", "/v1/session", #"{"member":"\#(name)"}"#, as: token).status == 200)
    }

    @Test func `looking at a code does not use it up, and it pairs once`() async throws {
        let code = try house.household.newCode().code
        let plain = code.replacing("-", with: "")
        for _ in 0..<3 {
            #expect(try await house.browse("GET", "/pair?code=\(code)", cookie: nil).cookie == nil)
            #expect(try await house.browse("GET", "/p/\(plain)", cookie: nil).cookie == nil)
        }
        #expect(try await house.browse("POST", "/pair", "code=\(plain.lowercased())&name=a", cookie: nil).cookie != nil)
        let again = try await house.browse("POST", "/pair", "code=\(code)&name=b", cookie: nil)
        #expect(again.status == 401 && again.cookie == nil)
        #expect(try house.household.devices().count == 1)
    }

    @Test func `one code that two phones send at once pairs one of them`() async throws {
        let (house, code) = (house, try house.household.newCode().code)
        let paired = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await house.browse("POST", "/pair", "code=\(code)&name=a", cookie: nil).cookie }
            }
            return try await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
        }
        #expect(paired.count == 1)
    }

    @Test func `a code pairs nothing after ten minutes`() async throws {
        let code = try house.household.newCode().code
        house.clock.pass(seconds: 600)
        #expect(try await house.browse("POST", "/pair", "code=\(code)&name=a", cookie: nil).status == 401)
        #expect(try house.household.devices().isEmpty)
    }

    @Test(arguments: ["GET /pair", "POST /pair", "GET /p"])
    func `wrong codes are guessed a few times a minute by each address, by every way in`(_ way: String) async throws {
        let (router, code) = (house.router(), try house.household.newCode().code)
        func guess(_ code: String, from peer: String = "192.0.2.1") async throws -> House.Reply {
            switch way {
            case "POST /pair":
                try await house.browse("POST", "/pair", "code=\(code)&name=a", cookie: nil, from: peer, at: router)
            case "GET /pair": try await house.browse("GET", "/pair?code=\(code)", cookie: nil, from: peer, at: router)
            default: try await house.browse("GET", "/p/\(code)", cookie: nil, from: peer, at: router)
            }
        }
        try await house.expectRefused(way) { try await guess("ZZZZ\(1000 + $0)".replacing("0", with: "Z")).status }
        #expect(try await guess(code, from: "192.0.2.2").status != 429, "another address still pairs")
    }

    @Test func `the ways to guess a code share one limit`() async throws {
        let router = house.router()
        try await house.expectRefused("all ways") { number in
            switch number % 3 {
            case 0: try await house.browse("GET", "/pair?code=ZZZZZZZZ", cookie: nil, at: router).status
            case 1: try await house.browse("POST", "/pair", "code=ZZZZZZZZ", cookie: nil, at: router).status
            default: try await house.browse("GET", "/p/ZZZZZZZZ", cookie: nil, at: router).status
            }
        }
    }

    @Test func `only an adult makes codes`() async throws {
        for (name, role) in [("Leo", Member.Role.child), ("Gus", .guest)] {
            try house.household.add(NewMember(name, role: role))
        }
        let before = try house.contents()["pairing"]
        for token in [try house.device(), try house.device(of: "Leo"), try house.device(of: "Gus")] {
            #expect(try await house.call("POST", "/v1/devices/codes", as: token).status == 403)
            #expect(try await house.browse("POST", "/devices/code", "", cookie: token).status == 403)
        }
        #expect(try house.contents()["pairing"] == before)
    }

    @Test func `with a revoked device go the devices that it paired, their codes, and nothing else`() async throws {
        let (first, other) = (try await pair(by: House.key), try await pair(by: House.key))
        try await use(first, by: "Ada")
        let second = try await pair(by: first)
        try await use(second, by: "Ada")
        let third = try await pair(by: second)
        try await use(third, by: "Ada")
        let open = try #require(
            try await house.call("POST", "/v1/devices/codes", as: third).json["code"] as? String)
        let number = try house.number(ofDevice: first)
        #expect(try await house.call("DELETE", "/v1/devices/\(number)", as: House.key).status == 204)
        for token in [first, second, third] {
            #expect(try await house.call("GET", "/v1/session", as: token).status == 401)
            let page = try await house.browse("GET", "/", cookie: token)
            #expect(page.status == 401 && page.cookie == nil)
            #expect(try await house.call("POST", "/v1/devices/codes", as: token).status == 401)
        }
        #expect(try await house.browse("POST", "/pair", "code=\(open)&name=late", cookie: nil).status == 401)
        #expect(try await house.call("GET", "/v1/session", as: other).status == 200)
    }

    @Test(arguments: ["revoked", "signed out"])
    func `a stream of events that a device opened ends with the device`(_ why: String) async throws {
        let phone = try house.device(of: "Ada")
        let stream = try await house.stream("/v1/events", as: phone)
        defer { stream.task.cancel() }
        #expect(try await eventually { stream.text.contains("connected") })
        if why == "revoked" {
            let path = "/v1/devices/\(try house.number(ofDevice: phone))"
            #expect(try await house.call("DELETE", path, as: House.key).status == 204)
        } else {
            #expect(try await house.call("DELETE", "/v1/session", as: phone).status == 204)
        }
        try house.store.publish([NewEvent(id: "e1", kind: "completed", body: Data("{}".utf8), receivers: [])])
        #expect(try await eventually { stream.hasEnded || stream.text.contains("completed") })
        #expect(!stream.text.contains("completed"), "it learns what was read after it was \(why)")
    }

    @Test func `a device that signs out leaves no device behind that outlives its own maker`() async throws {
        let first = try await pair(by: House.key)
        try await use(first, by: "Ada")
        let second = try await pair(by: first)
        try await use(second, by: "Ada")
        let third = try await pair(by: second)
        #expect(try await house.call("DELETE", "/v1/session", as: second).status == 204)
        #expect(
            try await house.call("DELETE", "/v1/devices/\(house.number(ofDevice: first))", as: House.key).status == 204)
        #expect(try await house.call("GET", "/v1/session", as: third).status == 401)
    }

    @Test func `names of devices show nothing that nobody sees`() async throws {
        for name in ["\u{202E}evil", "a\u{85}b", "<b>x</b>", String(repeating: "x", count: 500), ""] {
            let code = try house.household.newCode().code
            let text = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(try await house.browse("POST", "/pair", "code=\(code)&name=\(text)", cookie: nil).cookie != nil)
        }
        for device in try house.household.devices() {
            #expect(device.name.count <= 60 && !device.name.isEmpty)
            #expect(
                !device.name.unicodeScalars.contains { [.format, .control].contains($0.properties.generalCategory) })
        }
        let page = try await house.browse("GET", "/devices", cookie: try house.device(of: "Ada")).text
        #expect(!page.contains("<b>x</b>"))
    }
}
