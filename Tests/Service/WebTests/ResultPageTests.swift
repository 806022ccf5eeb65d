import Core
import Foundation
import Presentation
import TestSupport
import Testing

@testable import Web

@Suite struct ResultPageTests {
    private func language(_ code: String = "en") throws -> PageLanguage {
        let models = ModelFolder(Repository.models)
        let texts = try #require(try PageTexts.loadAll(from: models).first { $0.language == code })
        return PageLanguage(texts: texts, wording: try #require(try Wordings(from: models)[code]))
    }

    private func verdict(_ kind: AllergenVerdict.Kind, _ probability: Double, by: String? = nil) -> AllergenVerdict {
        var verdict = AllergenVerdict(verdict: kind, risk: .high, probability: probability)
        verdict.by = by
        return verdict
    }

    private func menu(_ dishes: [(String, [String: [Allergen: AllergenVerdict]])]) throws -> Outcome {
        let path = try #require(FilePathBytes("a.jpg"))
        let items = dishes.map { Menu.Item(name: $0.0, verdicts: $0.1, confidence: 0.9) }
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1),
            status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil, sections: [.init(title: nil, items: items)], legend: [],
                coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
        outcome.summarise()
        return outcome
    }

    private func page(_ outcome: Outcome, _ code: String = "en") throws -> String {
        let people = ["Ada", "Ben"].map { AllergenProfile(name: $0, allergens: [.milk: .high, .nuts: .high]) }
        let language = try language(code)
        var values = ResultPage(outcome: outcome, id: "sha256:1", people: people, language: language).values()
        values["t"] = language.texts.forTemplates
        return try #require(try Templates(from: ModelFolder(Repository.models)).render(values, as: "result"))
    }

    @Test func `a dish with a warning comes first, with a chip of colour, icon and word`() throws {
        let html = try page(
            try menu([
                ("Salad", ["Ada": [.milk: verdict(.cannotTell, 0.1)]]),
                ("Soup", ["Ada": [.milk: verdict(.contains, 0.95), .nuts: verdict(.mayContain, 0.5)]]),
            ]))
        let soup = try #require(html.range(of: "<h3>Soup"))
        let salad = try #require(html.range(of: "<h3>Salad"))
        #expect(soup.lowerBound < salad.lowerBound)
        #expect(html.contains("chip chip--contains"))
        #expect(html.contains("#i-contains"))
        #expect(html.contains("<span class=\"vh\">Warning: </span><b>Contains</b> milk <span class=\"p\">95 %</span>"))
        #expect(html.contains("Cannot tell for Ada"))
    }

    @Test func `a dish without a mention is never called anything but not mentioned`() throws {
        let outcome = try menu([("Salad", ["Ada": [.milk: verdict(.notFoundInText, 0.03)]])])
        for code in ["en", "de"] {
            let html = try page(outcome, code).lowercased()
            for word in ["safe", "sicher ", "unbedenklich", "allergen-free", "✓", "harmlos"] {
                #expect(!html.contains(word), "\(code): \(word)")
            }
        }
        #expect(try page(outcome).contains("Not mentioned for Ada; ask staff"))
    }

    @Test func `remembered questions follow their outcome, and only so many photos are remembered`() throws {
        let questions = ReviewQuestions(most: 2)
        let unsure = try JSONCoding.encode(try menu([("Soup", ["Ada": [.milk: verdict(.likely, 0.7)]])]))
        let decided = try JSONCoding.encode(
            try menu([("Soup", ["Ada": [.milk: verdict(.likely, 0.7, by: "Ben")]])]))
        #expect(try questions.all(of: "a", in: unsure).map(\.item) == ["Soup"])
        #expect(try questions.all(of: "a", in: unsure).map(\.item) == ["Soup"])
        #expect(try questions.all(of: "a", in: decided).isEmpty, "a review changes the answer at once")
        for id in ["b", "c", "d"] { #expect(try questions.all(of: id, in: unsure).count == 1) }
        #expect(questions.count == 2)
        #expect(throws: (any Error).self) { try questions.all(of: "e", in: Data("{".utf8)) }
    }

    @Test func `a page carries the icons it uses and no other`() throws {
        let html = PageParts.withoutUnusedIcons(
            try page(try menu([("Soup", ["Ada": [.milk: verdict(.contains, 0.95)]])])))
        let used = Set(html.matches(of: /"#i-([a-z0-9-]+)"/).map { String($0.1) })
        let carried = html.matches(of: /<symbol id="i-([a-z0-9-]+)"/).map { String($0.1) }
        #expect(Set(carried) == used)
        #expect(carried.count == used.count)
        #expect(used.contains("contains") && !used.contains("search"))
        #expect(html.hasSuffix("</html>") || html.hasSuffix("</html>\n"))
    }

    @Test func `text of the photo cannot become markup`() throws {
        let html = try page(try menu([("<script>alert(1)</script>", ["Ada": [.milk: verdict(.contains, 0.9)]])]))
        #expect(!html.contains("<script>alert"))
        #expect(html.contains("&lt;script&gt;alert(1)"))
    }

    @Test func `chips of one verdict are one chip, with the range of its probabilities`() throws {
        let chips = Chip.all(
            [.milk: verdict(.contains, 0.95), .nuts: verdict(.contains, 0.81), .eggs: verdict(.likely, 0.7)],
            words: [], try language())
        #expect(chips.map(\.kind) == [.contains, .likely])
        #expect(chips[0].allergens == ["milk", "nuts"])
        #expect(Chip.percent(chips[0].range) == "81–95 %")
    }

    @Test func `marked words are found in the ingredient list, longest first`() {
        let pieces = ProductResult.pieces(of: "Oat, Milk powder, milk", ["milk": "contains", "milk powder": "may"])
        #expect(pieces.map { $0["text"] as? String } == ["Oat, ", "Milk powder", ", ", "milk"])
        #expect(pieces.map { $0["style"] as? String } == [nil, "may", nil, "contains"])
    }

    @Test func `only unsure verdicts that nobody decided are asked about`() throws {
        let outcome = try menu([
            (
                "Soup",
                [
                    "Ada": [
                        .milk: verdict(.contains, 0.95), .nuts: verdict(.likely, 0.8), .eggs: verdict(.contains, 0.7),
                        .fish: verdict(.likely, 0.8, by: "Ben"), .celery: verdict(.cannotTell, 0.1),
                    ]
                ]
            )
        ])
        let questions = ReviewQuestion.all(in: outcome)
        #expect(questions.map(\.allergen) == [.eggs, .nuts])
        #expect(Set(questions.map(\.item)) == ["Soup"])
    }
}
