import Core
import Foundation
import TestSupport
import Testing

@testable import Store

/// Who sees news, and who dismisses them.
@Suite(.serialized) struct NewsTests {
    private let house: House

    init() throws { house = try House() }

    /// Says that somebody missed milk in the salad of the stored menu, for whom it was not mentioned.
    private func miss(_ name: String) throws {
        let row = try #require(try house.store.storedRows(of: House.Things.photo).first)
        var outcome = try JSONCoding.decode(Outcome.self, from: row.outcome)
        let likely = AllergenVerdict(verdict: .likely, risk: .high, probability: 0.6)
        outcome.menu?.sections[0].items[1].verdicts[name] = [.milk: likely]
        var replaced = NewOutcome(photo: row.photo, json: try JSONCoding.encode(outcome))
        replaced.missed = [name: [.init(item: "Salad", allergen: .milk, before: .notFoundInText)]]
        try house.store.replace([replaced])
    }

    /// The names of those whose news a member sees.
    private func seen(_ name: String) async throws -> [String] {
        let reply = try await house.call("GET", "/v1/news", as: try house.device(of: name))
        return try #require(reply.json["items"] as? [[String: Any]]).compactMap { $0["person"] as? String }
    }

    @Test func `a person sees their own news, and an adult those of the children too`() async throws {
        _ = try await house.furnish()
        for name in ["Ada", "Leo"] { try miss(name) }
        #expect(try await seen("Ada") == ["Leo", "Ada"])
        #expect(try await seen("Zed") == ["Leo"])
        #expect(try await seen("Leo") == ["Leo"])
        let reply = try await house.call("GET", "/v1/news", as: try house.device(of: "Ada"))
        let first = try #require((reply.json["items"] as? [[String: Any]])?.first)
        let change = try #require((first["changes"] as? [[String: Any]])?.first)
        #expect(first["photo"] as? String == House.Things.photo)
        #expect(change["item"] as? String == "Salad" && change["allergen"] as? String == "milk")
        #expect(change["before"] as? String == "NOT_FOUND_IN_TEXT" && change["after"] as? String == "LIKELY")
    }

    @Test func `news are on the first page until an adult takes them off`() async throws {
        _ = try await house.furnish()
        for name in ["Ada", "Leo"] { try miss(name) }
        let (ada, leo) = (try house.device(of: "Ada"), try house.device(of: "Leo"))
        for (language, words) in [
            ("en", ["Judged more strictly now", "<b>Likely</b> milk", "before: not mentioned", "for Leo"]),
            ("de", ["Jetzt strenger bewertet", "<b>Wahrscheinlich</b> Milch", "vorher: nicht erwähnt"]),
        ] {
            let page = try await house.browse("GET", "/scan", cookie: leo, headers: ["Accept-Language": language])
            for word in words { #expect(page.text.contains(word), "\(word)") }
            #expect(page.text.contains("/photos/\(House.Things.photo)?for=Leo"))
            #expect(page.text.contains("/v1/outcomes/\(House.Things.photo)/image?side=160"))
            #expect(!page.text.contains("/news/dismiss"), "a child takes nothing off")
        }
        let number = try #require(
            try house.store.news(of: try house.id("Leo"), andChildren: false, limit: 1).first
        ).number
        #expect(try await house.browse("POST", "/news/dismiss", "news=\(number)", cookie: leo).status == 403)
        let dismissed = try await house.browse("POST", "/news/dismiss", "news=\(number),", cookie: ada)
        #expect(dismissed.status == 303 && dismissed.location == "/")
        #expect(try await seen("Leo").isEmpty)
        #expect(try await seen("Ada") == ["Ada"])
        let gone = try await house.browse("GET", "/scan", cookie: leo)
        #expect(!gone.text.contains("Judged more strictly now"))
    }

    @Test func `an adult cannot take off the news of another adult`() async throws {
        let things = try await house.furnish()
        try miss("Ada")
        let zed = try house.device(of: "Zed")
        #expect(try await house.call("DELETE", "/v1/news/\(things.news)", as: zed).status == 404)
        #expect(try await seen("Ada") == ["Ada"])
        let ada = try house.device(of: "Ada")
        #expect(try await house.call("DELETE", "/v1/news/\(things.news)", as: ada).status == 200)
        #expect(try await house.call("DELETE", "/v1/news/\(things.news)", as: ada).status == 404)
        #expect(try await seen("Ada").isEmpty)
    }

    @Test func `a verdict that is as before again is no news`() async throws {
        _ = try await house.furnish()
        try miss("Ada")
        #expect(try await seen("Ada") == ["Ada"])
        let row = try #require(try house.store.storedRows(of: House.Things.photo).first)
        var outcome = try JSONCoding.decode(Outcome.self, from: row.outcome)
        outcome.menu?.sections[0].items[1].verdicts["Ada"]?[.milk]?.verdict = .notFoundInText
        try house.store.replace([NewOutcome(photo: row.photo, json: try JSONCoding.encode(outcome))])
        #expect(try await seen("Ada").isEmpty)
    }
}
