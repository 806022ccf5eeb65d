import Foundation
import TestSupport
import Testing

@testable import Daemon
@testable import Store

/// What a guest cannot do to others: use up the disk, act in their plays, or keep the workers busy.
@Suite(.serialized) struct GuestLimitTests {
    @Test func `uploads leave the reserve of the disk`() async throws {
        let house = try House(minimumFreeBytes: .max)
        _ = try await house.furnish()
        let guest = try house.device(of: "Gus", opens: true)
        let before = house.files()
        let picture = Data(House.Things.picture.utf8)
        let image = try await house.send(
            "POST", "/v1/images", picture, ["Authorization": "Bearer \(guest)", "Content-Type": "image/gif"])
        #expect(image.status == 507 && image.code == "diskFull")
        let head = "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"x\"\r\n\r\n"
        let form = try await house.browse(
            "POST", "/scan", "\(head)\(House.Things.picture)\r\n--edge--\r\n", cookie: guest,
            headers: ["Content-Type": "multipart/form-data; boundary=edge"])
        #expect(form.status == 507)
        #expect(house.files().filter { !$0.hasSuffix("/uploads") } == before)
    }

    @Test(arguments: ["Gus", "Ada", "Leo"])
    func `the session of a play is for those who may play it`(name: String) async throws {
        let (house, things) = try await House.furnished()
        let token = try house.device(of: name, opens: true)
        let session = "camera-play-\(things.play)"
        let place = "/v1/games/tangram/sessions"
        let mayPlay = name != "Gus"
        let listed = try await house.call("GET", place, as: token).text.contains(session)
        #expect(listed == mayPlay)
        let requests = [
            ("POST", "\(place)/\(session)/hint", ""), ("POST", "\(place)/\(session)/reset", ""),
            ("POST", "\(place)/\(session)/puzzle", #"{"puzzle":"cat"}"#), ("GET", "\(place)/\(session)/stream", ""),
        ]
        for (method, path, body) in requests {
            let status = try await house.call(method, path, body, as: token).status
            #expect((status == 404) == !mayPlay, "\(method) \(path) as \(name): \(status)")
        }
        for path in ["", "/hint", "/reset", "/puzzle"] {
            let reply = try await house.browse(
                path.isEmpty ? "GET" : "POST", "/games/tangram/\(session)\(path)", path.isEmpty ? nil : "puzzle=cat",
                cookie: token)
            #expect((reply.status == 404) == !mayPlay, "\(path) as \(name): \(reply.status)")
        }
    }

    @Test func `a review is taken back at its own photo, by whoever made it, and with others or not at all`()
        async throws
    {
        let (house, things) = try await House.furnished()
        let (ada, ben) = (try house.device(of: "Ada", opens: true), try house.device(of: "Ben", opens: true))
        func reviews() throws -> Int { try house.store.reviews().count }
        let other = "sha256:" + String(repeating: "0", count: 64)
        let wrong = try await house.browse("POST", "/photos/\(other)/undo", "undo=\(things.review)", cookie: ada)
        #expect(try wrong.status == 404 && reviews() == 1)
        let bens = try await house.call("POST", "/v1/reviews", House.review(of: "Salad"), as: ben)
        let number = (bens.json["number"] as? NSNumber)?.int64Value ?? 0
        for (path, form) in [
            ("/photos/\(House.Things.photo)/undo", "undo=\(number),\(things.review)"),
            ("/review/undo", "undo=\(things.review)"),
        ] {
            let reply = try await house.browse("POST", path, form, cookie: ben)
            #expect(try reply.status == 403 && reviews() == 2, "\(path)")
        }
        let api = try await house.call("DELETE", "/v1/reviews/\(things.review)", as: ben)
        #expect(try api.status == 403 && reviews() == 2)
        #expect(try await house.call("DELETE", "/v1/reviews/\(number)", as: ben).status == 200)
        #expect(try await house.call("DELETE", "/v1/reviews/\(things.review)", as: ada).status == 200)
        #expect(try reviews() == 0)
    }

    @Test func `a review of somebody who has left is for every adult to take back`() async throws {
        let (house, things) = try await House.furnished()
        try house.store.execute(literal: "UPDATE review SET reviewer = 'Old'")
        let ben = try house.device(of: "Ben", opens: true)
        #expect(try await house.call("DELETE", "/v1/reviews/\(things.review)", as: ben).status == 200)
    }

    @Test func `the page of a photo offers to take back a correction only to whom it is allowed`() async throws {
        let house = try House()
        let things = try await house.furnish()
        let (ada, ben) = (try house.device(of: "Ada", opens: true), try house.device(of: "Ben", opens: true))
        let photo = House.Things.photo
        var numbers: [Int64] = []
        for said in [
            #""item":"Soup","action":"rename","value":"Broth""#, #""item":"Salad","action":"notADish""#,
        ] {
            let reply = try await house.call("POST", "/v1/reviews", #"{"id":"\#(photo)",\#(said)}"#, as: ada)
            #expect(reply.status < 300, "\(reply.text)")
            numbers.append((reply.json["number"] as? NSNumber)?.int64Value ?? 0)
        }
        /// What the forms of the photo's pages take back.
        func offered(_ cookie: String) async throws -> Set<String> {
            let page = try await house.browse("GET", "/photos/\(photo)", cookie: cookie).text
            let dish = try #require(page.matches(of: /href="(\/photos\/[^"#]*dish=[^"#]*)/).first, "\(page)").1
            let saved = ([things.review] + numbers).map(String.init).joined(separator: ",")
            let address = dish.replacing("&amp;", with: "&") + "&saved=\(saved)"
            let open = try await house.browse("GET", String(address), cookie: cookie).text
            #expect(open.contains("Broth"))
            return Set(
                open.matches(of: /name="undo" value="([0-9,]*)"/).flatMap { $0.1.split(separator: ",") }.map(
                    String.init))
        }
        #expect(try await offered(ada) == Set(([things.review] + numbers).map(String.init)))
        #expect(try await offered(ben).isEmpty)
        let review = try await house.browse("GET", "/review?photo=\(photo)&undo=\(things.review)", cookie: ben).text
        #expect(!review.contains("/review/undo"), "\(review)")
        try house.store.execute(literal: "UPDATE review SET reviewer = 'Old'")
        let again = try await house.call("POST", "/v1/reviews", House.review(of: "Broth"), as: ben)
        #expect(again.status < 300, "judged again, the outcome names who has left")
        #expect(try await offered(ben).isSuperset(of: numbers.map(String.init)))
    }
}
