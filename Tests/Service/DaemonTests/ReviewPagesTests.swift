import Foundation
import TestSupport
import Testing

/// The pages of review, on a daemon with two photos that have questions.
@Suite struct ReviewPagesTests {
    private func daemon() async throws -> (daemon: LiveDaemon, menu: String, other: String) {
        let daemon = try await LiveDaemon()
        let menu = try await daemon.upload(Repository.samples.appending(path: "menus/gasthaus-deutsch.jpg"))
        return (daemon, menu, try await daemon.upload(Repository.samples.appending(path: "menus/pub-english.jpg")))
    }

    /// The addresses of a page that lead to other questions.
    private func links(_ html: String) -> [String] {
        html.matches(of: /href="(\/review\?[^"]*n=[^"]*)"/).map { String($0.1).replacing("&amp;", with: "&") }
    }

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The fields of the form with this action as a body, with more fields.
    private func form(_ html: String, _ action: String, _ more: String = "") throws -> Data {
        let part = try #require(html.range(of: "action=\"\(action)\"", options: .backwards))
        let inside = String(html[part.upperBound...]).components(separatedBy: "</form>")[0]
        let fields = inside.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)"/).map {
            "\($0.1)=\(escaped(String($0.2).replacing("&amp;", with: "&")))"
        }
        return Data((fields + [more]).filter { !$0.isEmpty }.joined(separator: "&").utf8)
    }

    private let asForm = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test func `review of one photo stays with that photo`() async throws {
        let (daemon, menu, _) = try await daemon()
        defer { daemon.stop() }
        let first = try await daemon.call("GET", "/review?photo=\(menu)").text
        #expect(first.contains("href=\"/photos/\(menu)\""))
        #expect(links(first).count >= 4, "skip, back, next and the list")
        for link in links(first) {
            let page = try await daemon.call("GET", link).text
            #expect(page.contains("name=\"id\" value=\"\(menu)\""), "\(link)")
        }
        // The page after the redirect asks about the same photo.
        let second = try await daemon.call("POST", "/review", try form(first, "/review", "answer=yes&by=Ada"), asForm)
        #expect(second.status == 200)
        #expect(second.text.contains("name=\"id\" value=\"\(menu)\""))
        #expect(!links(second.text).isEmpty)
        for link in links(second.text) {
            #expect(link.removingPercentEncoding?.contains("photo=\(menu)") == true, "\(link)")
        }
    }

    @Test func `a person says on the result page what a photo shows, and the program reads it so`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "documents/tag-oats.jpg"))
        let page = try await daemon.call("GET", "/photos/\(id)").text
        let offered = try #require(page.components(separatedBy: "action=\"/photos/\(id)/kind\"").dropFirst().first)
        let runnerUp = try #require(
            (try await daemon.call("GET", "/v1/outcomes/\(id)").json["pageKind"] as? [String: Any])?["runnerUp"]
                as? [String: Any])
        let names = offered.components(separatedBy: "</form>")[0].matches(of: /value="([A-Za-z]+)"/).map { "\($0.1)" }
        #expect(Set(names).isSubset(of: ["menu", "label", "receipt"]), "not the kind that it is")
        if let second = runnerUp["value"] as? String, second != "none" { #expect(names.first == second) }
        let changed = try await daemon.call("POST", "/photos/\(id)/kind", Data("kind=receipt".utf8), asForm)
        #expect(changed.status == 200)
        let outcome = try await daemon.call("GET", "/v1/outcomes/\(id)").json
        #expect(outcome["domains"] as? [String] == ["receipt"])
        #expect(outcome["receipt"] != nil && outcome["priceTag"] == nil)
        #expect((outcome["pageKind"] as? [String: Any])?["by"] as? String != nil)
        let wrong = try await daemon.call("POST", "/photos/\(id)/kind", Data("kind=poem".utf8), asForm)
        #expect(wrong.status == 400)
        // Withdrawn, the program decides again.
        let reviews = try await daemon.call("GET", "/v1/reviews?id=\(id)").text
        let number = try #require(reviews.firstMatch(of: /"number":([0-9]+)/)).1
        #expect(try await daemon.call("DELETE", "/v1/reviews/\(number)").status == 200)
        #expect(
            try await daemon.call("GET", "/v1/outcomes/\(id)").json["domains"] as? [String] == ["priceTag"])
    }

    @Test func `the last answer can be undone, and the question comes back`() async throws {
        let (daemon, menu, _) = try await daemon()
        defer { daemon.stop() }
        let before = try await daemon.call("GET", "/v1/outcomes/\(menu)").json
        let first = try await daemon.call("GET", "/review?photo=\(menu)").text
        let question = try #require(first.firstMatch(of: /id="q">([^<]+)</)).1
        let saved = try await daemon.call("POST", "/review", try form(first, "/review", "answer=no&by=Ada"), asForm)
        #expect(try #require(saved.text.firstMatch(of: /id="q">([^<]+)</)).1 != question)
        let undone = try await daemon.call("POST", "/review/undo", try form(saved.text, "/review/undo"), asForm)
        #expect(undone.status == 200)
        #expect(undone.text.firstMatch(of: /id="q">([^<]+)</)?.1 == question)
        #expect(try await daemon.call("GET", "/v1/reviews?id=\(menu)").text == "[]")
        let after = try await daemon.call("GET", "/v1/outcomes/\(menu)").json
        #expect(NSDictionary(dictionary: before).isEqual(to: after), "the outcome is as before the answer")
        // A second tap on the same button takes nothing else back.
        _ = try await daemon.call("POST", "/review", try form(first, "/review", "answer=yes&by=Ada"), asForm)
        let again = try await daemon.call("POST", "/review/undo", try form(saved.text, "/review/undo"), asForm)
        #expect(again.status == 404)
    }

    @Test func `accepting all verdicts of a photo says so, and can be undone`() async throws {
        let (daemon, menu, _) = try await daemon()
        defer { daemon.stop() }
        let first = try await daemon.call("GET", "/review?photo=\(menu)").text
        let accepted = try await daemon.call(
            "POST", "/review", Data("id=\(escaped(menu))&photo=\(escaped(menu))&answer=accept&by=Ada".utf8), asForm)
        #expect(accepted.text.contains("all verdicts of this photo"))
        let undone = try await daemon.call("POST", "/review/undo", try form(accepted.text, "/review/undo"), asForm)
        #expect(links(undone.text).count == links(first).count)
    }
}
