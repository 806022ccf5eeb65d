import Foundation
import TestSupport
import Testing

@testable import HTTP

/// The routes of diaries over HTTP: statuses, wrong values and headers.
@Suite(.serialized) struct DiaryRoutesTests {
    private let house: House
    private let things: House.Things
    private let ada: String

    init() async throws {
        (house, things) = try await House.furnished()
        ada = try house.device(of: "Ada", opens: true)
    }

    private func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> House.Reply {
        try await house.call(method, "/v1/people/Ada/\(path)", body, as: ada)
    }

    @Test func `an entry is added, changed, reused and removed`() async throws {
        let food = """
            {"id":"own:oats","name":"Oats","calories":370,"protein":13,"carbs":60,"fat":7,
            "defaultServing":{"sizeLabel":"100 g","grams":100,"multiplier":1},"altServings":[],"source":"userCreated"}
            """
        let new = #"{"food":\#(food),"portion":"60 g","meal":"breakfast","day":"2026-09-21","id":"o1"}"#
        let edit = #"{"food":\#(food),"meal":"lunch","timestamp":"2026-09-21T12:00:00Z"}"#
        for (method, path, body, status) in [
            ("POST", "entries", new, 201), ("POST", "entries", new, 409),
            ("POST", "entries", #"{"reuse":"breakfast","from":"2026-09-21"}"#, 201),
            ("POST", "entries", #"{"reuse":"dinner"}"#, 404),
            ("POST", "entries", #"{"food":\#(food),"portion":"1 cup"}"#, 422),
            ("POST", "entries", #"{"barcode":"9520100001048"}"#, 404),
            ("PUT", "entries/o1", edit, 200), ("PUT", "entries/o2", edit, 201), ("GET", "entries/o2", nil, 200),
            ("DELETE", "entries/o1", nil, 204), ("DELETE", "entries/o1", nil, 404), ("GET", "entries/o1", nil, 404),
        ] as [(String, String, String?, Int)] {
            let reply = try await send(method, path, body)
            #expect(reply.status == status, "\(method) \(path) \(body ?? ""): \(reply.text)")
        }
        #expect(try await send("GET", "entries/o2").json["meal"] as? String == "lunch")
    }

    @Test(
        arguments: [
            ("GET", "days/2026-13-01", nil), ("GET", "week/2026-47", nil), ("GET", "projection?weeks=0", nil),
            ("GET", "export?format=xml", nil), ("PUT", "goal", "{}"), ("PUT", "goal", #"{"dailyCalories":5}"#),
            ("POST", "import", "x"), ("PUT", "weights/2026-11-22", #"{"weight":5}"#),
            ("PUT", "weights/2026-11", #"{"weight":70}"#), ("PUT", "diary", #"{"zone":"Moon"}"#),
            ("GET", "entries?from=2020-01-01&to=2026-01-01", nil), ("GET", "entries?from=yesterday", nil),
            ("POST", "entries", #"{"barcode":"1","quick":{"calories":1}}"#), ("POST", "entries", #"{"barcode":"123"}"#),
        ] as [(String, String, String?)])
    func `a wrong value is named`(_ method: String, _ path: String, _ body: String?) async throws {
        let before = try house.contents()["diary_person"]
        let reply = try await send(method, path, body)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(try house.contents()["diary_person"] == before)
    }

    @Test func `a search takes at most fifty results`() async throws {
        #expect(try await house.call("GET", "/v1/foods?q=oats&limit=900", as: ada).status == 400)
        #expect(try await house.call("GET", "/v1/foods?q=oats&limit=50", as: ada).status == 200)
    }

    /// What is private to one person stays in no browser, so there is nothing to compare either.
    @Test func `no answer is stored, and none has an entity tag`() async throws {
        for path in ["days/\(things.day)", "goal", "weights", "export", "export?format=csv", "diary", "projection"] {
            let reply = try await house.call(
                "GET", "/v1/people/Ada/\(path)", as: ada, headers: ["If-None-Match": "*"])
            #expect(reply.status == 200, "\(path)")
            #expect(reply.headers[.cacheControl] == "private, no-store", "\(path)")
            #expect(reply.headers[.eTag] == nil, "\(path)")
        }
        let csv = try await send("GET", "export?format=csv")
        #expect(csv.headers[.contentType] == "text/csv; charset=utf-8" && csv.text.hasPrefix("kind,id,day"))
    }
}
