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
    private func form(_ html: String, _ action: String, _ more: String = "", with field: String = "") throws -> Data {
        let forms = html.components(separatedBy: "action=\"\(action)\"").dropFirst().map {
            $0.components(separatedBy: "</form>")[0]
        }
        let inside = try #require(forms.last { field.isEmpty || $0.contains("name=\"\(field)\"") })
        let fields = inside.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)"/).map {
            "\($0.1)=\(escaped(String($0.2).replacing("&amp;", with: "&")))"
        }
        return Data((fields + [more]).filter { !$0.isEmpty }.joined(separator: "&").utf8)
    }

    private let asForm = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test func `review of one photo stays with that photo, and ends with the next one`() async throws {
        let (daemon, menu, other) = try await daemon()
        defer { daemon.stop() }
        let queue = try await daemon.call("GET", "/review").text
        for id in [menu, other] { #expect(queue.contains("photo=\(escaped(id))"), "the photo is in the list") }
        var page = try await daemon.call("GET", "/review?photo=\(menu)").text
        #expect(page.contains("Question 1 of"))
        for link in links(page) { #expect(link.removingPercentEncoding?.contains("photo=\(menu)") == true, "\(link)") }
        var answers = 0
        while page.contains("class=\"bigans\"") {
            #expect(page.contains("name=\"id\" value=\"\(menu)\""))
            page = try await daemon.call("POST", "/review", try form(page, "/review", "answer=UNKNOWN"), asForm).text
            answers += 1
            try #require(answers < 60)
        }
        #expect(page.contains("This photo is done"))
        #expect(page.contains("photo=\(escaped(other))"), "the next photo is offered")
        let reviews = try await daemon.call("GET", "/v1/reviews?id=\(menu)").text
        #expect(reviews.matches(of: /"UNKNOWN"/).count == answers)
        #expect(!(try await daemon.call("GET", "/review").text).contains("photo=\(escaped(menu))"))
    }

    @Test func `a person says on the result page what a photo shows, and the program reads it so`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "documents/tag-oats.jpg"))
        let page = try await daemon.call("GET", "/photos/\(id)").text
        let offered = try #require(page.components(separatedBy: "action=\"/photos/\(id)/kind\"").dropFirst().first)
            .components(separatedBy: "</form>")[0]
        let runnerUp = try #require(
            (try await daemon.call("GET", "/v1/outcomes/\(id)").json["pageKind"] as? [String: Any])?["runnerUp"]
                as? [String: Any])
        let names = offered.matches(of: /value="([A-Za-z]+)"/).map { "\($0.1)" }
        #expect(Set(names).isSubset(of: ["menu", "label", "receipt", "board"]), "not the kind that it is")
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
        let before = try await daemon.call("GET", "/v1/outcomes/\(menu)").text
        let first = try await daemon.call("GET", "/review?photo=\(menu)").text
        let question = try #require(first.firstMatch(of: /id="q">([^<]+)</)).1
        let saved = try await daemon.call("POST", "/review", try form(first, "/review", "answer=ABSENT"), asForm)
        #expect(try #require(saved.text.firstMatch(of: /id="q">([^<]+)</)).1 != question)
        let undone = try await daemon.call("POST", "/review/undo", try form(saved.text, "/review/undo"), asForm)
        #expect(undone.status == 200)
        #expect(undone.text.firstMatch(of: /id="q">([^<]+)</)?.1 == question)
        #expect(try await daemon.call("GET", "/v1/reviews?id=\(menu)").text == "[]")
        #expect(try await daemon.call("GET", "/v1/outcomes/\(menu)").text == before, "the same bytes")
        // A second tap on the same button takes nothing else back.
        _ = try await daemon.call("POST", "/review", try form(first, "/review", "answer=CONTAINS"), asForm)
        let again = try await daemon.call("POST", "/review/undo", try form(saved.text, "/review/undo"), asForm)
        #expect(again.status == 404)
    }

    // MARK: Corrections of what was read

    private func dishes(_ daemon: LiveDaemon, _ id: String) async throws -> [[String: Any]] {
        let menu = try await daemon.call("GET", "/v1/outcomes/\(id)").json["menu"] as? [String: Any]
        let sections = menu?["sections"] as? [[String: Any]] ?? []
        return sections.flatMap { $0["items"] as? [[String: Any]] ?? [] }
    }

    @Test func `a dish is corrected by its form and by the API, and each is taken back`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "menus/pub-english.jpg"))
        let before = try await daemon.call("GET", "/v1/outcomes/\(id)").text
        let name = try #require(try await dishes(daemon, id).first?["name"] as? String)

        // The form of the open dish.
        let result = try await daemon.call("GET", "/photos/\(id)").text
        let address = try #require(
            result.firstMatch(of: /href="(\/photos\/[^"]*dish=[^"#]*)[^"]*"[^>]*>\s*<span class="dot"/)
        ).1
        let open = try await daemon.call("GET", String(address).replacing("&amp;", with: "&")).text
        let shown = try #require(open.firstMatch(of: /name="was.name" value="([^"]*)"/)).1
        let form = try form(
            open, "/photos/\(id)/correct", "do=save&name=Fish+supper&was.name=\(escaped(String(shown)))",
            with: "was.name")
        let saved = try await daemon.call("POST", "/photos/\(id)/correct", form, asForm)
        #expect(saved.text.contains("is called Fish supper"))
        let corrected = try #require(
            try await dishes(daemon, id).first { $0["name"] as? String == "Fish supper" }?["corrected"]
                as? [String: Any])
        #expect((corrected["system"] as? [String: Any])?["name"] as? String == String(shown))
        let undo = try self.form(saved.text, "/photos/\(id)/undo")
        #expect(try await daemon.call("POST", "/photos/\(id)/undo", undo, asForm).status == 200)
        #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").text == before)

        // The API.
        let review = #"{"id":"\#(id)","item":"\#(name)","action":"price","value":"7,5","by":"Ada"}"#
        let added = try await daemon.call(
            "POST", "/v1/reviews", Data(review.utf8), ["Content-Type": "application/json"])
        #expect(added.status == 201 && added.json["place"] != nil, "the dish's place is noted")
        #expect(
            try await dishes(daemon, id).contains {
                ($0["prices"] as? [[String: Any]])?.first?["amount"] as? String == "7.50"
            })
        let wrong = #"{"id":"\#(id)","item":"\#(name)","action":"price","value":"cheap","by":"Ada"}"#
        #expect(
            try await daemon.call("POST", "/v1/reviews", Data(wrong.utf8), ["Content-Type": "application/json"]).status
                == 400)
        let number = try #require(added.json["number"] as? NSNumber)
        #expect(try await daemon.call("DELETE", "/v1/reviews/\(number)").status == 200)
        #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").text == before)
    }

    @Test func `what two people save at the same time is kept, each their own`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "menus/pub-english.jpg"))
        let result = try await daemon.call("GET", "/photos/\(id)").text
        let address = try #require(result.firstMatch(of: /href="(\/photos\/[^"]*dish=[^"#]*)/)).1
        let open = try await daemon.call("GET", String(address).replacing("&amp;", with: "&")).text
        func field(_ name: String) throws -> String {
            String(
                try #require(open.firstMatch(of: try Regex("name=\"was\\.\(name)\" value=\"([^\"]*)\"")))[1].substring
                    ?? "")
        }
        let (name, price) = (escaped(try field("name")), escaped(try field("price")))
        for change in [
            "name=Supper&was.name=\(name)&price=\(price)&was.price=\(price)",
            "name=\(name)&was.name=\(name)&price=9.99&was.price=\(price)",
        ] {
            let body = try form(open, "/photos/\(id)/correct", "do=save&" + change, with: "was.name")
            #expect(try await daemon.call("POST", "/photos/\(id)/correct", body, asForm).status == 200)
        }
        let dish = try #require(try await dishes(daemon, id).first { $0["name"] as? String == "Supper" })
        #expect((dish["prices"] as? [[String: Any]])?.first?["amount"] as? String == "9.99")
    }

    @Test func `a correction by the command reaches every door, and survives a rerun and a restored backup`()
        async throws
    {
        let daemon = try await LiveDaemon()
        let id = try await daemon.upload(Repository.samples.appending(path: "menus/pub-english.jpg"))
        let name = try #require(try await dishes(daemon, id).first?["name"] as? String)
        let database = ["--database", daemon.results.appending(path: "tablesight.sqlite").path]
        let program = Program("tablesight")
        let before = try await daemon.call("GET", "/v1/outcomes/\(id)").text
        let added = try program.run(
            ["review", "add", id, "--item", name, "--action", "rename", "--value", "Quokka pie", "--by", "Ada"]
                + database)
        #expect(added.exitCode == 0, "\(added.errors)")
        let denied = try program.run(
            [
                "review", "add", id, "--item", "Quokka pie", "--action", "edit", "--allergen", "celery", "--value",
                "CONTAINS", "--by", "Ada",
            ] + database)
        #expect(denied.exitCode == 0, "\(denied.errors)")
        #expect(try await daemon.call("GET", "/v1/history?q=quokka").text.contains(id), "history finds it")
        #expect(try await daemon.call("GET", "/photos/\(id)").text.contains("Quokka pie"))
        func sidecar() throws -> String {
            let folder = daemon.results.appending(path: "outcomes")
            let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(".json") }.map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }.joined()
        }
        #expect(try sidecar().contains("Quokka pie"))
        daemon.stop()

        let corrected = try sidecar()
        #expect(try program.run(["rejudge"] + database).exitCode == 0)
        #expect(try sidecar() == corrected)
        let copy = daemon.folder.url.appending(path: "copy.sqlite").path
        let output = ["--output", daemon.results.path]
        #expect(try program.run(["backup", copy] + output).exitCode == 0)
        #expect(try program.run(["restore", copy, "--replace"] + output).exitCode == 0)
        #expect(try sidecar() == corrected)
        let page = try program.run(["review", "export", id, "--menu"] + database)
        #expect(page.output.contains("Quokka pie") && page.output.contains("\"lines\""))
        for number in ["2", "1"] { #expect(try program.run(["review", "undo", number] + database).exitCode == 0) }
        #expect(try sidecar() == before + "\n")
    }
}
