import Foundation
import Household
import TestSupport
import Testing

@testable import HTTP

/// Tokens and cookies: what somebody in the network, another site, or a removed phone tries.
@Suite(.serialized) struct CookieAttackTests {
    private let house: House
    private static let unreachable = ["http://evil.example", "http://127.0.0.1:9999", "null"]

    init() throws {
        house = try House()
        try house.household.add(NewMember("Ada"))
    }

    @Test func `the daemon's own key in a cookie opens nothing`() async throws {
        let cookie = ["Cookie": "tablesight=\(House.key)"]
        let own = ["Origin": "http://\(House.host)"]
        for headers in [cookie, cookie.merging(own) { $1 }, cookie.merging(["Accept": "text/event-stream"]) { $1 }] {
            for path in ["/v1/people", "/v1/devices", "/v1/events", "/metrics"] {
                #expect(try await house.send("GET", path, Data(), headers).status == 401, "\(path)")
            }
            let before = try house.contents()
            for (method, path) in [
                ("POST", "/v1/devices/codes"), ("DELETE", "/v1/people/Ada"), ("POST", "/devices/code"),
            ] {
                #expect(try await house.send(method, path, Data(), headers).status == 401, "\(method) \(path)")
            }
            #expect(House.differences(before, try house.contents()) == [])
        }
    }

    @Test func `signing in with the daemon's own key makes a device, and never a cookie with the key`() async throws {
        let replies = [
            try await house.browse("POST", "/sign-in", "token=\(House.key)", cookie: nil),
            try await house.browse("GET", "/?token=\(House.key)", cookie: nil),
            // A browser that kept the cookie of an earlier version.
            try await house.browse("GET", "/", cookie: House.key),
        ]
        for reply in replies {
            let cookie = try #require(reply.cookie)
            #expect(!"\(reply.headers) \(reply.text)".contains(House.key))
            let session = try await house.call("GET", "/v1/session", as: cookie)
            #expect(session.status == 200)
            #expect(session.json["role"] as? String == "guest", "nobody uses the device yet")
        }
        #expect(Set(replies.map(\.cookie)).count == 3)
        #expect(try house.household.devices().count == 3)
    }

    @Test func `a wrong token signs nobody in, and is guessed a few times a minute only`() async throws {
        for form in ["token=wrong", "token=", "token=\(House.key)x", ""] {
            let reply = try await house.browse("POST", "/sign-in", form, cookie: nil)
            #expect(reply.status == 401 && reply.cookie == nil, "\(form)")
        }
        #expect(try house.household.devices().isEmpty)
        let router = house.router()
        try await house.expectRefused("keys") {
            try await house.browse("POST", "/sign-in", "token=wrong\($0)", cookie: nil, at: router).status
        }
        let other = try await house.browse(
            "POST", "/sign-in", "token=\(House.key)", cookie: nil, from: "192.0.2.2", at: router)
        #expect(other.cookie != nil, "another address still signs in")
    }

    @Test func `wrong bearer tokens are guessed a few times a minute only`() async throws {
        let router = house.router()
        try await house.expectRefused("tokens") {
            try await house.call("GET", "/v1/people", as: "wrong\($0)", at: router).status
        }
        let other = try await house.call("GET", "/v1/members", as: try house.device(), from: "192.0.2.2", at: router)
        #expect(other.status == 200)
    }

    @Test func `another site's form with the cookie changes nothing on any route`() async throws {
        let things = try await house.furnishedAgain()
        let ada = try house.device(of: "Ada", opens: true)
        let before = try house.contents()
        for route in WantedRights.groups.flatMap(\.routes) where route.changes && route.path != "/pair" {
            let request = try SampleRequest(route, in: house, things)
            for origin in Self.unreachable + [nil] {
                var headers = ["Cookie": "tablesight=\(ada)", "Accept": "text/html"]
                headers["Origin"] = origin
                headers["Content-Type"] = request.type
                let reply = try await house.send(route.method, request.path, request.body, headers)
                #expect(reply.status == 403, "\(route) from \(origin ?? "no origin")")
            }
        }
        #expect(House.differences(before, try house.contents()) == [])
    }

    @Test func `a link with the token of another device does not sign a browser in as that device`() async throws {
        // Whoever sends such a link would share the device with whoever opens it, and read what a PIN opens there.
        let token = try house.device(of: "Ada")
        let reply = try await house.browse("GET", "/?token=\(token)", cookie: nil)
        #expect(reply.cookie != token)
        let own = try house.device()
        #expect(try await house.browse("GET", "/history?token=\(token)", cookie: own).cookie != token)
    }

    @Test func `a token in the address opens no change`() async throws {
        let ada = try house.device(of: "Ada")
        let before = try house.contents()
        for token in [ada, House.key] {
            #expect(try await house.call("POST", "/v1/lists?token=\(token)", #"{"name":"x"}"#, as: nil).status == 401)
            #expect(try await house.call("DELETE", "/v1/people/Ada?token=\(token)", as: nil).status == 401)
        }
        #expect(House.differences(before, try house.contents()) == [])
    }

    @Test func `the token of queue workers opens nothing else, and no other token opens theirs`() async throws {
        #expect(try await house.call("GET", "/v1/history", as: House.workerToken).status == 401)
        let content = "/v1/images/\(House.Things.photo)/content"
        #expect(try await house.call("GET", content, as: House.workerToken).status == 404)
        for token in [House.key, try house.device(of: "Ada")] {
            #expect(try await house.call("GET", content, as: token).status == 401)
        }
    }

    @Test func `a device that signs out is out, and the others are not`() async throws {
        let (first, second) = (try house.device(of: "Ada"), try house.device(of: "Ada"))
        let reply = try await house.call("DELETE", "/v1/session", as: first)
        #expect(reply.status == 204)
        #expect(try await house.call("GET", "/v1/session", as: first).status == 401)
        #expect(try await house.call("GET", "/v1/session", as: second).status == 200)
    }

    @Test func `whoever chooses a person is led to a page of this server only`() async throws {
        for next in [
            "//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "/%0d%0aX: y",
        ] {
            let text = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for path in ["/who", "/who?next=\(text)"] {
                let reply = try await house.browse(
                    "POST", path, "member=Ada&next=\(text)", cookie: try house.device())
                let location = reply.location ?? "/"
                #expect(location.hasPrefix("/") && !location.hasPrefix("//") && !location.contains("\\"), "\(location)")
                #expect(!location.contains("\r") && !location.contains("\n"))
            }
        }
    }
}

extension House {
    /// Furnishes a house in which Ada lives already.
    func furnishedAgain() async throws -> Things {
        _ = try household.remove(try id("Ada"))
        return try await furnish()
    }
}
