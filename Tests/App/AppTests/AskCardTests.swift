import Core
import Foundation
import HTTP
import Kinds
import TestSupport
import Testing

@testable import App

/// What a person shows to staff.
@Suite struct AskCardTests {
    private let wordings: Wordings
    private let english: PageLanguage

    init() throws {
        let models = ModelFolder(Repository.models)
        wordings = try Wordings(from: models)
        let texts = try PageRendering.texts()
        english = PageLanguage(texts: texts, wording: try #require(wordings["en"]), staff: wordings)
    }

    private func chance(_ probability: Double, by: String? = nil) -> AllergenVerdict {
        var verdict = AllergenVerdict(
            verdict: .cannotTell, risk: .low, probability: probability, reason: "noDeclaration")
        verdict.by = by
        return verdict
    }

    private func shown(
        _ dishes: [(String, [Allergen: AllergenVerdict])], _ allergens: [Allergen: AllergenProfile.Sensitivity],
        menu language: String
    ) throws -> ShownOutcome {
        let path = try #require(FilePathBytes("a.jpg"))
        let items = dishes.map { Menu.Item(name: $0.0, verdicts: ["Ada": $0.1], confidence: 0.9) }
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1), status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil, sections: [.init(title: nil, items: items)], legend: [],
                coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
        outcome.readings.text = TextReading(languages: [language], lines: [])
        outcome.summarise()
        let people = [AllergenProfile(name: "Ada", allergens: allergens)]
        return ShownOutcome(outcome: outcome, id: "sha256:1", people: people, language: english)
    }

    @Test(arguments: ["cs", "de", "en", "es", "fr", "hu", "it", "nl", "pl", "pt"])
    func `the card is in the language of the menu, and says the question in the reader's too`(language: String) throws {
        let shown = try shown([("Rendang", [.peanuts: chance(0.2)])], [.peanuts: .severe], menu: language)
        let card = try #require(AskCard.all(shown).first?.card)
        let own = try #require(wordings[language])
        #expect(card.language == language)
        #expect(card.allergies == [own.phrase(.cardSevere, ["x": own.name(of: .peanuts)])])
        #expect(card.question == own.phrase(.cardQuestion))
        #expect((card.translation == nil) == (language == "en"))
    }

    @Test func `a menu in a language without texts has a card in the reader's language`() throws {
        let shown = try shown([("Rendang", [.peanuts: chance(0.2)])], [.peanuts: .severe], menu: "id")
        #expect(AskCard.all(shown).first?.card.language == "en")
    }

    @Test func `it asks about what may be eaten first, and never about what is out or unlikely`() throws {
        let contains = AllergenVerdict(verdict: .contains, risk: .high, probability: 0.95)
        let likely = AllergenVerdict(verdict: .likely, risk: .high, probability: 0.8)
        let shown = try shown(
            [
                ("Gado-Gado", [.peanuts: contains]), ("Massaman", [.peanuts: likely]),
                ("Tea", [.peanuts: chance(0.01)]),
                ("Rendang", [.peanuts: chance(0.21)]), ("Pad Thai", [.peanuts: chance(0.46)]),
                ("Bami", [.peanuts: chance(0.3, by: "Ada")]),
            ], [.peanuts: .severe, .celery: .mild], menu: "de")
        let card = try #require(AskCard.all(shown).first?.card)
        #expect(
            card.allergies == ["Schwere Allergie: Erdnüsse", "Allergie: Sellerie"], "also of which no dish is asked")
        #expect(card.dishes.map(\.name) == ["Pad Thai", "Bami", "Rendang", "Massaman"])
    }

    @Test func `allergens are apart by how severe they are, and dishes name theirs, the most probable first`() throws {
        let shown = try shown(
            [
                ("Stew", [.milk: chance(0.1), .nuts: chance(0.3)]),
                ("Soup", [.milk: chance(0.2), .nuts: chance(0.01)]),
            ],
            [.milk: .mild, .nuts: .severe], menu: "de")
        let card = try #require(AskCard.all(shown).first?.card)
        #expect(card.allergies == ["Schwere Allergie: Nüsse", "Allergie: Milch"])
        #expect(card.dishes.map { "\($0.name) \($0.allergens)" } == ["Stew Nüsse, Milch", "Soup Milch"])
        let html = try PageRendering.html(StaffPage(shown, at: StaffPlace()), "en")
        #expect(html.contains("lang=\"de\"") && html.contains("<b>Schwere Allergie: Nüsse</b>"))
    }

    @Test func `own words of others are on nobody's card`() throws {
        var shown = try shown([("Kiwi sorbet", [.milk: chance(0.3)])], [.milk: .severe], menu: "de")
        shown.outcome.menu?.sections[0].items[0].findings = [
            AllergenFinding(
                allergen: .personal, leaf: "kiwi", polarity: .contains, strength: .dishKnowledge, evidence: [],
                probability: 0.9)
        ]
        let card = try #require(AskCard.all(shown).first?.card)
        #expect(card.allergies == ["Schwere Allergie: Milch"])
    }

    @Test func `where nothing is open there is no card, and of many dishes it says how many more`() throws {
        let none = try shown([("Tea", [.peanuts: chance(0.01)])], [.peanuts: .severe], menu: "de")
        #expect(AskCard.all(none).isEmpty)
        let many = (1...15).map { ("Dish \($0)", [Allergen.peanuts: chance(0.2)]) }
        let all = try shown(many, [.peanuts: .severe], menu: "de")
        let card = try #require(AskCard.all(all).first?.card)
        #expect(card.dishes.count == 12 && card.more == "and 3 more")
    }
}
