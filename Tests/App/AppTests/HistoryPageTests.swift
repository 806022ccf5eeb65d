import Core
import Foundation
import Kinds
import Store
import TestSupport
import Testing

@testable import App
@testable import Household

/// Photos of games and saved items in the history.
@Suite struct HistoryPageTests {
    private static let read = Date(timeIntervalSince1970: 1_767_323_045)  // 2026-01-02 03:04:05 UTC
    private let contains = AllergenVerdict(verdict: .contains, risk: .high, probability: 0.9)
    private let likely = AllergenVerdict(verdict: .likely, risk: .high, probability: 0.6)

    private func menu() throws -> Outcome {
        let path = try #require(FilePathBytes("a.jpg"))
        let dishes = [("Soup", ["Ada": [Allergen.milk: contains]]), ("Cod", [:])]
        return Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1), status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil,
                sections: [
                    .init(title: nil, items: dishes.map { .init(name: $0.0, verdicts: $0.1, confidence: 0.9) })
                ], legend: [], coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
    }

    @Test(arguments: ["en", "de"])
    func `a photo of a game has the figure as its title, and stands for the other photos`(_ code: String) throws {
        var item = HistoryItem(
            id: "sha256:1", path: "a.jpg", read: Self.read, title: nil, status: .completed, reason: nil,
            domains: [.board], level: .high, dishes: 0, worst: [:], people: [:], contradiction: false)
        item.figure = GameFigure(
            GameReport(
                game: "tangram", puzzle: "boat", placed: 5, needed: 7,
                outcome: .init(kind: .noAction, confidence: 1, reason: "")))
        (item.session, item.frames) = ("b-1", 12)
        var values = PageValues.all(of: HistoryRow(item, try PageRendering.texts(code)))
        values["t"] = try PageRendering.texts(code).forTemplates
        let html = try #require(try Templates(from: PageRendering.models).render(values, as: "rowitem"))
        #expect(html.contains(code == "en" ? "Boat, 5 of 7 pieces" : "Boot, 5 von 7 Teilen"))
        #expect(html.contains("<a href=\"/history?session=b%2D1\">\(code == "en" ? "12 photos" : "12 Fotos")</a>"))
    }

    @Test func `who looks sees their own verdict beside a graver one of others`() throws {
        let item = HistoryItem(
            id: "sha256:1", path: "a.jpg", read: Self.read, title: "Inn", status: .completed, reason: nil,
            domains: [.menu], level: .high, dishes: 2, worst: ["CONTAINS": 1, "LIKELY": 1],
            people: ["Ada": [.contains], "Ben": [.likely]], contradiction: false)
        let texts = try PageRendering.texts("en")
        func row(_ viewer: String?, for person: String? = nil) -> HistoryRow {
            HistoryRow(item, names: ["Ada", "Ben"], for: person, seenBy: viewer, texts)
        }
        #expect(row("Ben").own?.style == "likely" && row("Ben").own?.names == "Ben")
        #expect(row("Ben").chip?.style == "contains" && row("Ben").people.map(\.name) == ["Ada"])
        #expect(row("Ada").own == nil, "it is the gravest")
        #expect(row("Cleo").own == nil && row(nil).own == nil && row("Ben", for: "Ada").own == nil)
    }

    @Test func `a dish that moved or was renamed is still the saved one, and one that is gone keeps its title`() throws
    {
        var outcome = try menu()
        #expect(outcome.savable(.dish, "Soup")?.title == "Soup")
        outcome.menu?.sections[0].items[0].box = Quad(x: 10, y: 40, width: 80, height: 20)
        let saved = try #require(outcome.savable(.dish, "Soup"))
        #expect(saved.item == "10-40", "a dish with a place has this key")
        outcome.menu?.sections[0].items[0].name = "Tomato soup"
        #expect(outcome.savable(.dish, "10-40", title: "Soup")?.title == "Tomato soup")
        outcome.menu?.sections[0].items[0].box = Quad(x: 12, y: 44, width: 80, height: 20)
        #expect(outcome.savable(.dish, "10-40", title: "Tomato soup")?.item == "12-44")
        #expect(outcome.savable(.dish, "10-40", title: "Soup") == nil)
        #expect(outcome.savable(.product, Review.label) == nil)
        #expect(outcome.savable(.figure, "tangram") == nil)
    }

    @Test func `saved items are rows of the history, with who is warned now`() throws {
        let thing = SavedThing(
            number: 1, photo: "sha256:1", kind: .dish, item: "10-40", title: "Soup", saved: Self.read, isRead: true,
            photoTitle: "The Inn", verdicts: ["Ada": [.milk: contains], "Ben": [.eggs: likely]])
        var gone = thing
        (gone.number, gone.isRead, gone.verdicts) = (2, false, [:])
        let html = try PageRendering.html(
            HistoryPage(
                saved: [thing, gone], SavedQuery(q: "so"), names: ["Ada", "Ben"],
                PageLanguage(
                    texts: PageRendering.texts(),
                    wording: try #require(try Wordings(from: PageRendering.models)["en"]))))
        for text in [
            "2 saved items", "/photos/sha256:1?dish=10%2D40#dish%2D10%2D40", "The Inn", "<b>Contains</b> milk",
            "no longer shows it", "aria-pressed=\"true\"", "value=\"so\"",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(html.contains("for Ada") && !html.contains("for Ben"), "Ben has no verdict as serious")
    }

    @Test func `the title of a receipt has its total as people write it`() throws {
        let (english, german) = (try PageRendering.texts(), try PageRendering.texts("de"))
        #expect(english.amounts(in: "Lidl, 18.42 EUR", [.receipt]) == "Lidl, €18.42")
        #expect(german.amounts(in: "Lidl, 18.42 EUR", [.receipt]) == "Lidl, 18,42\u{A0}€")
        #expect(german.amounts(in: "Oats, 2.49", [.priceTag]) == "Oats, 2.49")
        #expect(german.amounts(in: "Plan 9 EUR", [.menu]) == "Plan 9 EUR")
    }

    @Test func `numbers of a photo are written as the language does`() throws {
        let (english, german) = (try PageRendering.texts(), try PageRendering.texts("de"))
        #expect(english.amount("1234.50", "GBP") == "£1,234.50" && english.amount("0.19", nil) == "0.19")
        #expect(german.amount("19.58", "EUR") == "19,58\u{A0}€" && german.amount("0.19", nil) == "0,19")
        #expect(german.amount("0.190", "kg") == "0,190 kg")
        for text in ["1/2", "about 3", "", "1.2.3", "12:30"] { #expect(german.amount(text, nil) == text) }
    }

    @Test func `a photo without print says so in its title`() throws {
        let texts = try PageRendering.texts()
        let title = texts.untitled([], status: .unreadable, reason: "nothingRead", path: "a.jpg")
        #expect(title == "Could not be read: no text, code or piece")
        #expect(texts.untitled([], status: .failed, reason: "notAnImage", path: "/in/a.txt") == "a.txt")
    }
}
