import Testing
import Core

@testable import Allergens

@Suite("Words that qualify a dish")
struct QualifiedDishTests {
    private func verdict(_ text: String, _ allergen: Allergen, _ language: String = "en") throws -> AllergenVerdict
        .Kind?
    {
        try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text)).verdicts[allergen]?.verdict
    }

    @Test(
        arguments: [
            ("Latte (oat milk)\nEspresso with steamed milk", Allergen.milk, "en"), ("GF White Bread", .gluten, "en"),
            ("Gluten-free bread", .gluten, "en"), ("Sliced vegan cheddar", .milk, "en"),
            ("Bananenjoghurt - vegan", .milk, "de"), ("Milchkaffee mit Hafermilch", .milk, "de"),
        ])
    func `a negated allergen is neither contained nor cleared`(
        text: String, allergen: Allergen, language: String
    ) throws {
        let word = try verdict(text, allergen, language)
        #expect(word != .contains && word != .notFoundInText)
    }

    @Test(
        arguments: [
            ("Latte (whole milk)\nEspresso with steamed milk", Allergen.milk, "en"),
            ("Hot chocolate (oat milk)\nWith whipped cream", .milk, "en"),
            ("Vegan cake with milk and egg", .eggs, "en"), ("Vegan option: burger with cheese", .milk, "en"),
            ("Gluten-free sauce, wheat noodles", .gluten, "en"), ("Latte (oat milk)", .gluten, "en"),
            ("Latte (soya milk)", .soybeans, "en"),
        ])
    func `other words of the dish are not hidden by it`(text: String, allergen: Allergen, language: String) throws {
        #expect(try verdict(text, allergen, language) == .contains)
    }

    @Test(
        arguments: [
            ("en", ["Black coffee", "Apple", "Orange juice", "Steamed rice", "Green beans", "Sweet potato"]),
            ("de", ["Apfel", "Orangensaft", "Reis", "Grüne Bohnen", "Gurke"]),
            ("fr", ["Pomme", "Jus d'orange", "Riz", "Haricots verts", "Pastèque"]),
            ("es", ["Manzana", "Zumo de naranja", "Arroz blanco", "Judías verdes"]),
            ("it", ["Mela", "Succo d'arancia", "Riso", "Fagiolini"]),
            ("pt", ["Maçã", "Sumo de laranja", "Arroz", "Melancia"]),
            ("nl", ["Appel", "Sinaasappelsap", "Rijst", "Sperziebonen"]),
            ("pl", ["Kawa czarna", "Jabłko", "Sok pomarańczowy", "Ryż"]),
            ("cs", ["Jablko", "Rýže", "Brokolice"]), ("hu", ["Alma", "Narancslé", "Rizs"]),
        ])
    func `plain food raises no warning`(language: String, texts: [String]) throws {
        for text in texts {
            for allergen in Allergen.eu14 {
                #expect(try verdict(text, allergen, language) == .cannotTell, "\(text): \(allergen)")
            }
        }
    }

    @Test func `a trap also matches in the plural`() throws {
        #expect(try verdict("Rice noodles with broccoli", .gluten) != .contains)
        #expect(try verdict("Pico de gallo", .fish) != .contains)
    }

    @Test(
        arguments: [
            ("Azúcar, cacao en polvo, sal.", "es", Allergen.molluscs),
            ("Agua, azúcar, colorante: caramelo de sulfito cáustico, aroma.", "es", .sulphites),
            ("Water, sugar, colour: sulphite ammonia caramel, flavouring.", "en", .sulphites),
        ])
    func `a word that only sounds like an allergen raises no warning on a label`(
        text: String, language: String, allergen: Allergen
    ) throws {
        let judged = try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .label, text: text))
        #expect(judged.findings.filter { $0.allergen == allergen }.isEmpty)
    }
}
