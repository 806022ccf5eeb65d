import Core
import Diary
import Foods
import Foundation
import Testing

@testable import App

/// What a page deletes is taken back by the bar on the next page.
@Suite(.serialized) struct UndoTests {
    @Test(arguments: [
        ("/photos/\(House.Things.photo)/delete", "", "/history", "/photos/\(House.Things.photo)"),
        ("/people/delete", "name=Zed", "/people", "name=Zed"),
        ("/list/delete", "list={list}", "/list", "name=\"list\" value=\"{list}\""),
    ])
    func `what is deleted is hidden until it is taken back`(
        _ path: String, _ form: String, _ page: String, _ mark: String
    ) async throws {
        let (house, things) = try await House.furnished()
        let ada = try house.device(of: "Ada", opens: true)
        func filled(_ text: String) -> String { text.replacing("{list}", with: "\(things.list)") }
        func shown(_ address: String) async throws -> String {
            try await house.browse("GET", address, cookie: ada).text
        }
        #expect(try await shown(page).contains(filled(mark)))
        let before = try house.contents()
        let deleted = try await house.browse("POST", path, filled(form), cookie: ada)
        #expect(deleted.status == 303, "\(deleted.text)")
        let next = try await shown(deleted.location ?? "")
        let token = try #require(next.firstMatch(of: /name="undo" value="([0-9a-f]+)"/)).1
        #expect(!next.contains(filled(mark)), "it is hidden")
        let undone = try await house.browse("POST", "/undo", "undo=\(token)", cookie: ada)
        #expect(undone.status == 303)
        #expect(try await shown(page).contains(filled(mark)))
        #expect(House.differences(before, try house.contents()).isEmpty, "nothing was deleted")
        #expect(try await house.browse("POST", "/undo", "undo=\(token)", cookie: ada).status == 409, "once")
    }

    @Test func `a phone that was removed is out at once, and comes back with the token that it keeps`() async throws {
        let (house, _) = try await House.furnished()
        let ada = try house.device(of: "Ada", opens: true)
        let phone = try house.device(of: "Ben", opens: true)
        let devices = try house.household.devices()
        let id = try #require(try house.household.device(ofToken: phone)).id
        #expect(try await house.browse("GET", "/list", cookie: phone).status == 200)
        let removed = try await house.browse("POST", "/devices/remove", "id=\(id)", cookie: ada)
        #expect(try house.household.devices().count == devices.count - 1)
        #expect(try await house.browse("GET", "/list", cookie: phone).status != 200)
        let page = try await house.browse("GET", removed.location ?? "", cookie: ada).text
        let token = try #require(page.firstMatch(of: /name="undo" value="([0-9a-f]+)"/)).1
        #expect(try await house.browse("POST", "/undo", "undo=\(token)", cookie: ada).status == 303)
        let back = try #require(try house.household.device(ofToken: phone))
        #expect(back.id == id && back.member == nil && back.openUntil == nil, "private pages stay closed")
        #expect(try house.household.devices().map(\.name) == devices.map(\.name))
    }

    @Test func `a wrong price is removed from its product, and comes back as it was`() async throws {
        let (house, things) = try await House.furnished()
        let ben = try house.device(of: "Ben", opens: true)
        let page = "/goods/\(things.product)"
        func shown() async throws -> String { try await house.browse("GET", page, cookie: ben).text }
        func prices() throws -> [String] {
            (try house.contents().filter { $0.key.hasPrefix("grocery_price") || $0.key == "grocery_quote" })
                .flatMap { $0.value.split(separator: "\n").map(String.init) }.sorted()
        }
        let (before, html) = (try prices(), try await shown())
        let number = try #require(html.firstMatch(of: /name="price" value="([0-9]+)"/)).1
        let removed = try await house.browse("POST", page + "/prices", "price=\(number)", cookie: ben)
        #expect(removed.status == 303)
        #expect(try prices() != before)
        #expect(try await !shown().contains("name=\"price\" value=\"\(number)\""))
        let next = try await house.browse("GET", removed.location ?? "", cookie: ben).text
        let token = try #require(next.firstMatch(of: /name="undo" value="([0-9a-f]+)"/)).1
        #expect(try await house.browse("POST", "/undo", "undo=\(token)", cookie: ben).status == 303)
        #expect(try prices() == before)
        let ada = try house.device(of: "Ada", opens: true)
        let other = try await house.call("DELETE", "/v1/prices/\(number)", as: ada)
        #expect(other.status == 204)
        #expect(try await shown().contains("rejected"), "another's price stays, as a rejected one")
        #expect(try await house.call("DELETE", "/v1/prices/\(number)", as: ada).status == 404)
    }

    @Test func `an entry of the diary comes back as it was`() async throws {
        let (house, things) = try await House.furnished()
        let ada = try house.device(of: "Ada", opens: true)
        func day() throws -> DayLog { try Diary(house.store).day(try #require(Day(things.day)), of: "Ada") }
        let before = try day()
        let removed = try await house.browse("POST", "/today/entries/\(things.entry)/delete", "", cookie: ada)
        #expect(try day().entries.isEmpty)
        let page = try await house.browse("GET", removed.location ?? "", cookie: ada).text
        let token = try #require(page.firstMatch(of: /name="undo" value="([0-9a-f]+)"/)).1
        #expect(try await house.browse("POST", "/undo", "undo=\(token)", cookie: ada).status == 303)
        #expect(try day().totals == before.totals && day().entries.map(\.id) == before.entries.map(\.id))
    }

    @Test func `what was typed for a receipt is there again once its acceptance is taken back`() async throws {
        let (house, _) = try await House.furnished()
        let ada = try house.device(of: "Ada", opens: true)
        let id = "sha256:" + String(repeating: "ef", count: 32)
        func value(_ text: String) -> ReadValue { ReadValue(value: text, confidence: 0.95) }
        var outcome = Outcome(
            id: id, source: .init(path: try house.folder.path(below: "inbox/slip.jpg"), bytes: 4), status: .completed,
            domains: [.receipt], versions: .init(tablesight: "1"))
        outcome.receipt = Receipt(items: [.init(name: value("Tacos"), amount: value("7.00"))])
        try house.storePhoto(outcome)
        let typed =
            "shop=Corner+Shop%2C+Hill+1&date=2026-11-03&total=7.50&currency=CHF"
            + "&name0=Fish+tacos&price0=7.50&count0=1&per0=piece"
        let sent = try await house.browse("POST", "/receipts/\(id)", "do=accept&\(typed)", cookie: ada)
        #expect(sent.status == 303, "\(sent.text)")
        let next = try await house.browse("GET", sent.location ?? "", cookie: ada).text
        let token = try #require(next.firstMatch(of: /name="undo" value="([0-9a-f]+)"/)).1
        let undone = try await house.browse("POST", "/undo", "undo=\(token)", cookie: ada)
        let page = try await house.browse("GET", undone.location ?? "", cookie: ada).text
        #expect(page.contains("Accept all 1"))
        for value in ["Corner Shop, Hill 1", "2026-11-03", "7.50", "CHF", "Fish tacos"] {
            #expect(page.contains("value=\"\(value)\""), "\(value)")
        }
    }
}
