import Core
import Foundation
import Household
import TestSupport
import Testing

@testable import HTTP

/// Somebody who claims to be somebody else: by a header, a form field, a spelling, or a name that is free again.
@Suite(.serialized) struct ImpersonationTests {
    private let house: House
    private let things: House.Things

    init() async throws {
        (house, things) = try await House.furnished()
    }

    private func session(_ token: String, _ headers: [String: String] = [:]) async throws -> [String: Any] {
        try await house.call("GET", "/v1/session", as: token, headers: headers).json
    }

    // MARK: The header

    @Test(arguments: ["Ada", "ada", "Nobody", "", "Ada\u{308}"])
    func `a device that names a member in the header stays who it is`(_ name: String) async throws {
        let headers = [
            Identity.header: name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
            "X-Tablesight-Session": name, "Tablesight-Role": "adult",
        ]
        for (token, member, role) in [
            (try house.device(of: "Leo"), "Leo", "child"), (try house.device(of: "Gus"), "Gus", "guest"),
            (try house.device(of: "Ben"), "Ben", "adult"),
        ] {
            let session = try await session(token, headers)
            #expect(session["member"] as? String == member && session["role"] as? String == role)
        }
        let ben = try house.device(of: "Ben")
        #expect(try await house.call("GET", "/v1/people/Ada/diary", as: ben, headers: headers).status == 404)
        #expect(try await house.call("GET", "/v1/lists/\(things.list)", as: ben, headers: headers).status == 404)
        let unchosen = try await session(try house.device(), headers)
        #expect(unchosen["member"] == nil && unchosen["role"] as? String == "guest")
    }

    @Test func `the daemon's own key acts for the member that it names, in any spelling, and for nobody else`()
        async throws
    {
        func list(_ name: String?) async throws -> House.Reply {
            let header = name.map {
                [Identity.header: $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""]
            }
            return try await house.call(
                "POST", "/v1/lists", #"{"name":"Party"}"#, as: House.key, headers: header ?? [:])
        }
        #expect(try await list("ＡＤＡ").json["owner"] as? String == "Ada")
        #expect(try await list("Nobody").status == 403)
        let nobody = try await list(nil)
        #expect(nobody.status == 403 && nobody.code == "noMember")
    }

    // MARK: Fields

    @Test func `reviews carry the name of who uses the device, whatever the request says`() async throws {
        let (ben, leo, gus) = (try house.device(of: "Ben"), try house.device(of: "Leo"), try house.device(of: "Gus"))
        let photo = House.Things.photo
        let form = "id=\(photo)&item=Salad&allergen=milk&answer=yes&by=Ada&reviewer=Ada&member=Ada&role=adult"
        for token in [leo, gus, try house.device()] {
            for body in [House.review(of: "Salad"), House.review(of: "Salad", by: "Ada")] {
                #expect(try await house.call("POST", "/v1/reviews", body, as: token).status == 403)
            }
            #expect(try await house.browse("POST", "/review", form, cookie: token).status == 403)
        }
        _ = try await house.call("POST", "/v1/reviews", House.review(of: "Salad", by: "Ada"), as: ben)
        _ = try await house.browse("POST", "/review", form, cookie: ben)
        let reviews = try await house.call("GET", "/v1/reviews?id=\(photo)", as: ben).array
        // Ada's own review of the soup is there.
        for review in reviews where review["item"] as? String == "Salad" {
            #expect(review["reviewer"] as? String == "Ben")
        }
    }

    @Test func `prices, lists and experiences carry the name of who uses the device`() async throws {
        let ben = try house.device(of: "Ben")
        let claim = #""by":"Ada","contributor":"Ada","owner":"Ada","person":"Ada","member":"Ada""#
        let list = try await house.call("POST", "/v1/lists", #"{"name":"Party",\#(claim)}"#, as: ben)
        #expect(list.json["owner"] as? String == "Ben")
        let posted = try await house.call(
            "POST", "/v1/experiences", #"{"kind":"general","comment":"Nice",\#(claim)}"#, as: ben)
        #expect(posted.json["by"] as? String == "Ben")
        let price = #""price":{"amount":"1.04","currency":"EUR"}"#
        let body = #"{"product":\#(things.product),"place":\#(things.place),\#(price),\#(claim)}"#
        #expect(try await house.call("POST", "/v1/prices", body, as: ben).status < 300)
        let prices = try await house.call("GET", "/v1/prices?product=\(things.product)", as: ben).text
        #expect(prices.contains("1.04") && !prices.contains(#""contributor":"Ada""#))
        #expect(
            try await house.browse("POST", "/list/new?person=Ada", "name=Mine&person=Ada&by=Ada", cookie: ben).status
                == 303)
        let ada = try await house.call("GET", "/v1/lists", as: try house.device(of: "Ada")).text
        #expect(!ada.contains("Mine"))
    }

    @Test func `a child or a guest changes no role, neither their own nor another's`() async throws {
        for name in ["Leo", "Gus"] {
            let token = try house.device(of: name)
            for target in [name, "Ada", "Leo", "New"] {
                let body = #"{"role":"adult","allergens":{"milk":"mild"}}"#
                #expect(try await house.call("PUT", "/v1/people/\(target)", body, as: token).status == 403)
                #expect(try await house.call("DELETE", "/v1/people/\(target)", as: token).status == 403)
                let form = "name=\(target)&role=adult&a.milk=mild"
                #expect(try await house.browse("POST", "/people", form, cookie: token).status == 403)
            }
            for body in [
                #"{"member":"\#(name)","role":"adult"}"#, #"{"guest":"Emil","role":"adult"}"#,
                #"{"guest":{"name":"Emil","role":"adult"}}"#,
            ] {
                let token = try house.device(of: name)
                _ = try await house.call("PUT", "/v1/session", body, as: token)
                #expect(try await session(token)["role"] as? String != "adult", "\(body)")
            }
            let form = try await house.browse(
                "POST", "/who/guest", "name=Eva+\(name)&role=adult", cookie: try house.device(of: name))
            #expect(form.status < 400)
        }
        for name in ["Eva Leo", "Eva Gus"] { #expect(try house.household.member(named: name)?.role == .guest) }
        #expect(try house.household.members().filter { $0.role == .adult }.map(\.name) == ["Ada", "Ben", "Zed"])
    }

    @Test func `a list is shared with adults only`() async throws {
        let ada = try house.device(of: "Ada")
        let before = try house.contents()["grocery_member"]
        for name in ["Leo", "Gus", "Nobody", "%E2%80%8B"] {
            let reply = try await house.call("PUT", "/v1/lists/\(things.list)/people/\(name)", as: ada)
            #expect([400, 404].contains(reply.status), "\(name): \(reply.status)")
            let form = "list=\(things.list)&name=\(name)&allowed=yes"
            #expect(
                [400, 404].contains(try await house.browse("POST", "/list/share", form, cookie: ada).status), "\(name)")
            #expect(try house.contents()["grocery_member"] == before, "\(name)")
        }
    }

    @Test func `a request that names somebody twice is decided by one of the two, not by both`() async throws {
        // One part of the program would check the first name, another would use the second.
        let ben = try house.device(of: "Ben", opens: true)
        for path in [
            "/today?person=Ben&person=Ada", "/today?person=Ada&person=Ben", "/today?person=Ben&person%5B%5D=Ada",
        ] {
            #expect(try await !house.browse("GET", path, cookie: ben).text.contains("Ada"), "\(path)")
        }
    }

    // MARK: Spellings

    @Test func `a name in another spelling is the same person, never a second one`() async throws {
        try house.household.add(NewMember("Zoë"))
        let ben = try house.device(of: "Ben")
        let before = try house.household.members().count
        let spellings = ["Zoe\u{308}", "ZOË", "Ｚoë", "Zo\u{200B}ë", "Zoë\u{AD}", " Zoë ", "zoe\u{308}\u{FE0F}"]
        for name in spellings {
            let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let guest = try house.device()
            let claimed = try await house.call("PUT", "/v1/session", #"{"guest":"\#(name)"}"#, as: guest)
            #expect([400, 409].contains(claimed.status), "\(Array(name.unicodeScalars)): \(claimed.status)")
            for form in ["/who/guest", "/who/add"] {
                _ = try await house.browse("POST", form, "name=\(path)", cookie: try house.device())
            }
            _ = try await house.call("PUT", "/v1/people/\(path)", #"{"allergens":{"nuts":"mild"}}"#, as: ben)
            #expect(try house.household.members().count == before, "\(Array(name.unicodeScalars))")
        }
        let zoe = try #require(try house.household.member(named: "Zoë"))
        #expect(zoe.name.utf8.elementsEqual("Zo\u{EB}".utf8))
        #expect(zoe.role == .adult)
    }

    @Test(arguments: ["Аda", "Bеn", "Ad\u{202E}a", "\u{2060}", "Le\u{85}o", "Ada\u{3164}", "𝐀da\u{200D}"])
    func `a name that looks like another one is refused at every door`(_ name: String) async throws {
        let before = try house.household.members().map(\.name)
        let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let json = String(decoding: try JSONEncoder().encode(["guest": name]), as: UTF8.self)
        #expect([400, 409].contains(try await house.call("PUT", "/v1/session", json, as: try house.device()).status))
        for form in ["/who/guest", "/who/add"] {
            let reply = try await house.browse("POST", form, "name=\(path)", cookie: try house.device())
            #expect([400, 409].contains(reply.status), "\(form)")
        }
        let ben = try house.device(of: "Ben")
        _ = try await house.call("PUT", "/v1/people/\(path)", #"{"allergens":{"nuts":"mild"}}"#, as: ben)
        _ = try await house.browse("POST", "/people", "name=\(path)&a.nuts=mild", cookie: ben)
        #expect(try house.household.members().map(\.name) == before)
    }

    @Test func `another spelling of the address opens no other diary, and no more of it`() async throws {
        let (ada, ben) = (try house.device(of: "Ada", opens: true), try house.device(of: "Ben", opens: true))
        for spelling in ["ada", "ADA", "%EF%BC%A1da", "Ada%E2%80%8B", "%41da", "Ada%20"] {
            let own = try await house.call("GET", "/v1/people/\(spelling)/diary", as: ada)
            #expect([200, 400].contains(own.status), "\(spelling): \(own.status)")
            let other = try await house.call("GET", "/v1/people/\(spelling)/diary", as: ben)
            #expect([400, 404].contains(other.status), "\(spelling): \(other.status)")
        }
        for path in [
            "/v1/people//diary", "/v1/people/Ben/../Ada/diary", "/v1/people/Ben%2F..%2FAda/diary",
            "//v1/people/Ada/diary",
        ] {
            #expect(try await [400, 403, 404].contains(house.call("GET", path, as: ben).status), "\(path)")
        }
    }

    // MARK: Guests

    @Test func `after 24 hours a guest is gone, and the device asks who it is`() async throws {
        let (phone, other) = (try house.device(), try house.device())
        for token in [phone, other] {
            let name = token == phone ? "Emil" : "Emma"
            #expect(try await house.call("PUT", "/v1/session", #"{"guest":"\#(name)"}"#, as: token).status < 300)
        }
        house.clock.pass(seconds: 86_399)
        #expect(try await session(phone)["member"] as? String == "Emil")
        house.clock.pass(seconds: 1)
        let ended = try await session(other)
        #expect(ended["member"] == nil && ended["role"] as? String == "guest")
        #expect(try await house.call("PUT", "/v1/session", #"{"member":"Emil"}"#, as: try house.device()).status == 404)
        let names = try await house.call("GET", "/v1/members", as: try house.device(of: "Ada")).text
        #expect(!names.contains("Emil") && !names.contains("Emma"))
    }

    @Test func `a guest who is chosen again does not stay longer`() async throws {
        let phone = try house.device()
        _ = try await house.call("PUT", "/v1/session", #"{"guest":"Emil"}"#, as: phone)
        let ends = try house.household.member(named: "Emil")?.ends
        house.clock.pass(seconds: 80_000)
        for body in [#"{"member":"Emil"}"#, #"{"guest":"Emil"}"#, #"{"guest":"EMIL"}"#] {
            _ = try await house.call("PUT", "/v1/session", body, as: try house.device())
            #expect(try house.household.member(named: "Emil")?.ends == ends)
        }
    }

    @Test func `who takes the name of a guest who left gets nothing of theirs`() async throws {
        let phone = try house.device()
        _ = try await house.call("PUT", "/v1/session", #"{"guest":"Emil"}"#, as: phone)
        let sent = try await house.call(
            "POST", "/v1/images", House.Things.picture, as: phone, headers: ["Content-Type": "image/gif"])
        #expect(sent.status == 202)
        let image = (sent.json["images"] as? [[String: Any]])?.first?["id"] as? String
        house.clock.pass(days: 1)
        try house.household.add(NewMember("Emil"))
        let exported = try await house.call("GET", "/v1/me/export", as: try house.device(of: "Emil"))
        #expect(exported.status == 200)
        #expect(!exported.text.contains(try #require(image)))
        let owned = try house.contents()["grocery_upload"] ?? ""
        #expect(!owned.contains("Emil"), "the photo counts for the new person")
        #expect(try await session(phone)["member"] == nil, "the guest's phone is not the new person's")
    }

    @Test func `guests do not fill the house`() async throws {
        var refused = 0
        for number in 0..<150 {
            let reply = try await house.call("PUT", "/v1/session", #"{"guest":"G\#(number)"}"#, as: try house.device())
            refused += reply.status >= 400 ? 1 : 0
        }
        #expect(refused > 0, "a house has a limit")
        let added = try await house.call(
            "PUT", "/v1/people/Grandma", #"{"allergens":{"milk":"mild"}}"#, as: try house.device(of: "Ada"))
        #expect(added.status == 201, "\(added.text)")
    }

    @Test func `a guest's device cannot become many`() async throws {
        let phone = try house.device()
        for number in 0..<20 {
            _ = try await house.call("PUT", "/v1/session", #"{"guest":"G\#(number)"}"#, as: phone)
        }
        let guests = try house.household.members().count {
            $0.role == .guest && $0.name.hasPrefix("G") && $0.name != "Gus"
        }
        #expect(guests < 20, "\(guests) guests from one device")
    }

    // MARK: Removed members

    @Test func `the devices of a removed member are nobody's at once, and leave nothing of the name behind`()
        async throws
    {
        let (ben, late) = (try house.device(of: "Ben", opens: true), try house.device(of: "Ben", opens: true))
        for token in [ben, late] { #expect(try await session(token)["member"] as? String == "Ben") }
        #expect(try await house.call("DELETE", "/v1/people/Ben", as: House.key).status == 200)
        #expect(try await session(late)["member"] == nil)
        for (path, body) in [
            ("/v1/lists", #"{"name":"Late"}"#), ("/v1/experiences", #"{"kind":"general","comment":"Late"}"#),
            ("/v1/people/Ben/entries", #"{"quick":{"calories":1}}"#), ("/v1/reviews", House.review(of: "Salad")),
        ] {
            let reply = try await house.call("POST", path, body, as: ben)
            #expect([403, 404].contains(reply.status), "\(path): \(reply.status)")
        }
        for (table, rows) in try house.contents() where table.hasPrefix("grocery") || table.hasPrefix("diary") {
            #expect(!rows.contains("Late") && !rows.contains("'Ben'"), "\(table)")
        }
    }

    @Test func `a role that is taken away is gone at once on the person's devices`() async throws {
        let ben = try house.device(of: "Ben")
        #expect(try await session(ben)["role"] as? String == "adult")
        _ = try await house.call(
            "PUT", "/v1/people/Ben", #"{"role":"child","allergens":{"milk":"mild"}}"#, as: try house.device(of: "Ada"))
        #expect(try await house.call("POST", "/v1/devices/codes", as: ben).status == 403)
        #expect(try await session(ben)["role"] as? String == "child")
    }

    @Test func `a device that nobody uses has an adult's rights only in a house without adults`() async throws {
        #expect(try await session(try house.device())["role"] as? String == "guest")
        let empty = try House()
        let first = try empty.device()
        #expect(try await empty.call("GET", "/v1/session", as: first).json["role"] as? String == "adult")
        let body = #"{"allergens":{"milk":"mild"}}"#
        #expect(try await empty.call("PUT", "/v1/people/Ada", body, as: first).status == 201)
        #expect(try await empty.call("PUT", "/v1/people/Eve", body, as: try empty.device()).status == 403)
        #expect(try await empty.call("PUT", "/v1/people/Eve", body, as: first).status == 403, "nobody uses it either")
    }

    @Test(arguments: ["/list", "/me", "/compare", "/prices", "/feed", "/goods", "/today", "/games"])
    func `a browser that nobody uses is asked who it is, in a house without adults too`(path: String) async throws {
        let empty = try House()
        let page = try await empty.browse("GET", path, cookie: try empty.device())
        #expect(
            page.status == 200 || page.location?.hasPrefix("/who") == true, "\(page.status) \(page.text.suffix(600))")
        #expect(!page.text.contains("PUT /v1"))
    }
}
