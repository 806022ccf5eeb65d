import Foundation
import TestSupport
import Testing

/// The card for staff and the shape of a menu, on a daemon with a menu.
@Suite struct StaffCardTests {
    private let asForm = ["Content-Type": "application/x-www-form-urlencoded"]
    private let menu = Repository.samples.appending(path: "menus/pub-english.jpg")

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The hidden fields of a page's form, as a browser sends them.
    private func fields(_ html: String) -> String {
        html.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/).map { match in
            var value = String(match.2)
            for (mark, letter) in [("&amp;", "&"), ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">")] {
                value = value.replacing(mark, with: letter)
            }
            return "\(escaped(String(match.1)))=\(escaped(value))"
        }.joined(separator: "&")
    }

    private func buttons(_ html: String) -> [(value: String, isGiven: Bool)] {
        html.matches(of: /name="answer" value="([^"]+)" aria-pressed="(true|false)"/).map {
            (String($0.1), $0.2 == "true")
        }
    }

    private func household() async throws -> LiveDaemon {
        let daemon = try await LiveDaemon()
        let ada = Data(#"{"allergens":{"milk":"severe"}}"#.utf8)
        _ = try await daemon.call("PUT", "/v1/people/Ada", ada, ["Content-Type": "application/json"])
        return daemon
    }

    @Test func `an answer by tap is stored with who gave it, shown as given, and undone by one tap`() async throws {
        let daemon = try await household()
        defer { daemon.stop() }
        let id = try await daemon.upload(menu)
        let before = try await daemon.call("GET", "/v1/outcomes/\(id)").text
        let result = try await daemon.call("GET", "/photos/\(id)").text
        #expect(result.contains("/photos/\(id)/staff?for=Ada"), "the card is one tap away")
        let address = "/photos/\(id)/staff"
        let card = try await daemon.call("GET", "\(address)?for=Ada").text
        let answers = buttons(card)
        #expect(answers.count >= 6 && answers.allSatisfy { !$0.isGiven })
        for said in ["ABSENT", "CAN_OMIT", "CONTAINS"] {
            let tap = try #require(answers.first { $0.value.contains(said) }?.value)
            let body = Data("\(fields(card))&staff=Wayan&answer=\(escaped(tap))".utf8)
            let after = try await daemon.call("POST", address, body, asForm)
            #expect(after.status == 200, "\(after.text)")
            #expect(buttons(after.text).filter(\.isGiven).map(\.value) == [tap])
            #expect(after.text.contains("(Wayan)") && after.text.contains("value=\"Wayan\""))
            let outcome = try await daemon.call("GET", "/v1/outcomes/\(id)").text
            #expect(outcome.contains("\"said\":\"\(said)\"") && outcome.contains("\"staff\":\"Wayan\""))
            let numbers = try #require(after.text.firstMatch(of: /name="undo" value="([0-9,]+)"/)).1
            let undo = Data("\(fields(after.text))&undo=\(numbers)".utf8)
            let undone = try await daemon.call("POST", "/photos/\(id)/undo", undo, asForm)
            #expect(buttons(undone.text).allSatisfy { !$0.isGiven } && buttons(undone.text).count == answers.count)
            #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").text == before, "the same bytes")
        }
        // The key Enter in the field of the name answers nothing.
        let typed = try await daemon.call("POST", address, Data("\(fields(card))&staff=Wayan".utf8), asForm)
        #expect(typed.status == 200 && typed.text.contains("value=\"Wayan\""))
        for wrong in ["answer=", "answer=1", "answer=1+NEVER", "answer=99+ABSENT", "answer=1+EARLIER"] {
            let body = Data("\(fields(card))&\(wrong)".utf8)
            #expect(try await daemon.call("POST", address, body, asForm).status == 400, "\(wrong)")
        }
        #expect(try await daemon.call("GET", "/v1/reviews?id=\(id)").text == "[]")
    }

    @Test func `a no for several allergens takes no yes back, also on a page that is older`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        for (name, allergens) in [("Ada", #"{"milk":"severe","gluten":"mild"}"#), ("Ben", #"{"milk":"high"}"#)] {
            let body = Data(#"{"allergens":\#(allergens)}"#.utf8)
            _ = try await daemon.call("PUT", "/v1/people/\(name)", body, ["Content-Type": "application/json"])
        }
        let id = try await daemon.upload(menu)
        let address = "/photos/\(id)/staff"
        let old = try await daemon.call("GET", "\(address)?for=Ada").text
        let several = try #require(
            buttons(old).first { $0.value.hasSuffix("ABSENT milk,gluten") || $0.value.hasSuffix("ABSENT gluten,milk") })
        let row = try #require(several.value.split(separator: " ").first)
        func tap(_ value: String, on page: String) async throws -> LiveDaemon.Reply {
            try await daemon.call("POST", address, Data("\(fields(page))&answer=\(escaped(value))".utf8), asForm)
        }
        _ = try await tap("\(row) CONTAINS milk", on: old)
        // The same "no" from the page of before, and from the page of now.
        #expect(try await tap(several.value, on: old).status == 200)
        let reviews = try await daemon.call("GET", "/v1/reviews?id=\(id)").json["items"] as? [[String: Any]]
        let text = try await daemon.call("GET", "/v1/reviews?id=\(id)").text
        #expect(reviews == nil && text.matches(of: /"value":"ABSENT"/).count == 1, "\(text)")
        #expect(text.contains(#""allergen":"gluten""#))
        #expect(try await tap(several.value, on: old).status == 409, "nothing is left to say no to")
        let now = try await daemon.call("GET", "\(address)?for=Ada").text
        #expect(buttons(now).contains { $0.value == "\(row) CAN_OMIT milk" }, "what contains it may be made without")
        #expect(!buttons(now).contains { $0.value.hasPrefix("\(row) ABSENT") })
    }

    @Test func `where the same menu is photographed again, one tap repeats an answer with its day`() async throws {
        let daemon = try await household()
        defer { daemon.stop() }
        let id = try await daemon.upload(menu)
        let address = "/photos/\(id)/staff"
        let card = try await daemon.call("GET", "\(address)?for=Ada").text
        let tap = try #require(buttons(card).first { $0.value.contains("CAN_OMIT") }?.value)
        _ = try await daemon.call(
            "POST", address, Data("\(fields(card))&staff=Wayan&answer=\(escaped(tap))".utf8), asForm)
        // The same picture in other bytes.
        let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
        try (Data(contentsOf: menu) + Data([0])).write(to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let again = try await daemon.upload(copy)
        #expect(again != id)
        let result = try await daemon.call("GET", "/photos/\(again)").text
        #expect(result.contains("photographed before") && result.contains("Last time:"))
        let offered = try await daemon.call("GET", "/photos/\(again)/staff?for=Ada").text
        let repeated = try #require(offered.firstMatch(of: /value="([0-9]+ EARLIER)"/)).1
        let body = Data("\(fields(offered))&answer=\(escaped(String(repeated)))".utf8)
        #expect(try await daemon.call("POST", "/photos/\(again)/staff", body, asForm).status == 200)
        let first = try await daemon.call("GET", "/v1/reviews?id=\(id)").text
        let second = try await daemon.call("GET", "/v1/reviews?id=\(again)").text
        for part in [/"value":"CAN_OMIT"/, /"item":"[^"]+"/] {
            #expect(first.firstMatch(of: part)?.output == second.firstMatch(of: part)?.output)
        }
        #expect(second.contains(/"staff":"Wayan, [0-9-]{10}"/), "\(second)")
        #expect(!(try await daemon.call("GET", "/photos/\(again)/staff?for=Ada").text).contains("EARLIER"))
    }

    @Test func `lines are joined and split by one button of the open dish, and one undo brings the menu back`()
        async throws
    {
        let daemon = try await household()
        defer { daemon.stop() }
        let id = try await daemon.upload(menu)
        let before = try await daemon.call("GET", "/v1/outcomes/\(id)").text
        let result = try await daemon.call("GET", "/photos/\(id)").text
        let addresses = Set(result.matches(of: /href="(\/photos\/[^"]*dish=[^"#]*)/).map { String($0.1) }).sorted()
        var tried: Set<String> = []
        for address in addresses where tried.count < 3 {
            let open = try await daemon.call("GET", address.replacing("&amp;", with: "&")).text
            let form = try #require(open.components(separatedBy: "action=\"/photos/\(id)/correct\"").dropFirst().first)
                .components(separatedBy: "</form>")[0]
            let texts = form.matches(of: /name="(name|price|description|section)" value="([^"]*)"/).map {
                "\($0.1)=\(escaped(String($0.2).replacing("&amp;", with: "&")))"
            }
            let actions = form.matches(of: /name="do" value="((?:join|split)[^"]*)"/).map { String($0.1) }
            for action in actions where tried.insert(String(action.prefix(8))).inserted {
                let body = Data((texts + [fields(form), "do=\(escaped(action))"]).joined(separator: "&").utf8)
                let saved = try await daemon.call("POST", "/photos/\(id)/correct", body, asForm)
                #expect(saved.status == 200, "\(action): \(saved.text.suffix(300))")
                #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").text != before)
                let bar = try #require(saved.text.components(separatedBy: "id=\"saved\"").dropFirst().first)
                    .components(separatedBy: "</form>")[0]
                _ = try await daemon.call("POST", "/photos/\(id)/undo", Data(fields(bar).utf8), asForm)
                #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").text == before, "\(action)")
            }
        }
        #expect(tried.count == 3, "\(tried)")
    }
}
