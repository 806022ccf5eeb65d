import Testing
import Core

@testable import Allergens

/// "pasta senza glutine": in most languages the denial follows the food.
@Suite("A denial behind the food")
struct DenialBehindTests {
    private func verdict(_ text: String, _ allergen: Allergen, _ language: String) throws -> AllergenVerdict.Kind? {
        try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text)).verdicts[allergen]?.verdict
    }

    @Test(
        arguments: [
            ("Pasta al forno senza glutine", "it"), ("Pane senza glutine", "it"), ("Pizza (senza glutine)", "it"),
            ("Wrap de pollo sin gluten", "es"), ("Pan sin gluten", "es"), ("Tarta de manzana sin gluten", "es"),
            ("Pain sans gluten", "fr"), ("Quiche sans gluten", "fr"), ("Pão sem glúten", "pt"),
            ("Bolo de laranja sem glúten", "pt"), ("Brot glutenfrei", "de"), ("Brot ohne Gluten", "de"),
            ("Spaghetti (glutenfrei)", "de"), ("Bread without gluten", "en"), ("Pizza (gluten free)", "en"),
            ("Gluten free bread", "en"), ("Brood glutenvrij", "nl"), ("Glutenvrij brood", "nl"),
            ("Pasta zonder gluten", "nl"), ("Chleb bezglutenowy", "pl"), ("Makaron bez glutenu", "pl"),
            ("Bezglutenowy chleb", "pl"), ("Těstoviny bez lepku", "cs"), ("Bezlepkový chléb", "cs"),
            ("Chléb bezlepkový", "cs"), ("Gluténmentes kenyér", "hu"), ("Kenyér gluténmentes", "hu"),
        ])
    func `bread of any language that is said to be free of gluten raises no warning, and is not cleared`(
        text: String, language: String
    ) throws {
        #expect(try verdict(text, .gluten, language) == .cannotTell)
    }

    @Test(
        arguments: [
            ("Crêpe sans lait", Allergen.milk, "fr"), ("Cappuccino senza latte", .milk, "it"),
            ("Tiramisù senza uova", .eggs, "it"), ("Quiche sans œufs", .eggs, "fr"),
            ("Pesto ohne Nüsse", .nuts, "de"),
        ])
    func `a denied usual ingredient is neither likely nor cleared`(
        text: String, allergen: Allergen, language: String
    ) throws {
        #expect(try verdict(text, allergen, language) == .cannotTell)
    }

    @Test(
        arguments: [
            ("Lasagne al forno, pane senza glutine", Allergen.gluten, "it"),
            ("Pizza e pane senza glutine", .gluten, "it"),
            ("Spaghetti al pomodoro con pane senza glutine", .gluten, "it"),
            ("Wiener Schnitzel mit Brot glutenfrei", .gluten, "de"),
            ("Wiener Schnitzel mit glutenfreiem Brot", .gluten, "de"),
            ("Nudeln und Brot glutenfrei", .gluten, "de"), ("Suppe glutenfrei\nBrot", .gluten, "de"),
            ("Pizza\nPane senza glutine", .gluten, "it"), ("Fish and chips, bread without gluten", .gluten, "en"),
            ("Brot glutenfrei, enthält Weizen", .gluten, "de"), ("Pan de trigo sin gluten", .gluten, "es"),
            ("Bread without gluten, contains wheat", .gluten, "en"), ("Käsekuchen ohne Milch", .milk, "de"),
            ("Crêpe au beurre sans lait", .milk, "fr"), ("Cappuccino senza lattosio", .milk, "it"),
            ("Laktosefreie Milch", .milk, "de"),
            ("Omelett und Pfannkuchen ohne Ei", .eggs, "de"),
        ])
    func `another food of the dish, and what the text states, still warn`(
        text: String, allergen: Allergen, language: String
    ) throws {
        let word = try verdict(text, allergen, language)
        #expect(word == .contains || word == .likely)
    }

    @Test func `a typical allergen that is denied and not probable is asked about`() throws {
        let verdicts = try ["Pizza", "Wrap", "Lasagne", "Soep", "Risotto", "Salade"].map {
            try verdict("\($0) lactosevrij", .milk, "nl")
        }
        #expect(verdicts.contains(.cannotTell))
        #expect(verdicts.allSatisfy { $0 == .cannotTell || $0 == .likely })
    }

    @Test func `a denial on a label hides nothing but its own word`() throws {
        let judged = try TextJudge(Judge.interpreter(), language: "de", regime: nil, profile: nil)
            .judgement(
                of: .init(id: "1", language: "de", kind: .label, text: "Zutaten: Weizenmehl, Wasser. Glutenfrei."))
        #expect(judged.verdicts[.gluten]?.verdict == .contains)
    }
}
