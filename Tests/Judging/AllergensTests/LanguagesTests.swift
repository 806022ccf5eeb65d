import Testing
import Core

@testable import Allergens

@Suite("Ten languages")
struct LanguagesTests {
    private func verdicts(
        _ text: String, _ language: String?, regime: String = "eu14"
    ) throws -> [Allergen: AllergenVerdict.Kind] {
        let judge = try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
        return try judge.judgement(of: .init(id: "1", language: language, regime: regime, kind: .label, text: text))
            .verdicts
            .mapValues(\.verdict)
    }

    /// Each label contains wheat, milk and eggs, and possibly hazelnuts.
    private static let labels: [(String, String)] = [
        ("en", "Ingredients: wheat flour, sugar, butter, eggs, salt. May contain hazelnuts."),
        ("de", "Zutaten: Weizenmehl, Zucker, Butter, Eier, Salz. Kann Haselnüsse enthalten."),
        ("fr", "Ingrédients : farine de blé, sucre, beurre, œufs, sel. Peut contenir des traces de noisettes."),
        ("es", "Ingredientes: harina de trigo, azúcar, mantequilla, huevos, sal. Puede contener trazas de avellanas."),
        ("it", "Ingredienti: farina di frumento, zucchero, burro, uova, sale. Può contenere tracce di nocciole."),
        ("nl", "Ingrediënten: tarwebloem, suiker, boter, eieren, zout. Kan sporen van hazelnoten bevatten."),
        ("pt", "Ingredientes: farinha de trigo, açúcar, manteiga, ovos, sal. Pode conter vestígios de avelãs."),
        ("pl", "Składniki: mąka pszenna, cukier, masło, jaja, sól. Może zawierać orzechy laskowe."),
        ("cs", "Složení: pšeničná mouka, cukr, máslo, vejce, sůl. Může obsahovat stopy lískových ořechů."),
        ("hu", "Összetevők: búzaliszt, cukor, vaj, tojás, só. Nyomokban mogyorót tartalmazhat."),
    ]

    @Test(arguments: labels)
    func `a label gives contained, possible and not mentioned allergens`(language: String, text: String) throws {
        for named in [language, "und"] {
            let words = try verdicts(text, named)
            for allergen in [Allergen.gluten, .milk, .eggs] {
                #expect(words[allergen] == .contains, "\(named) \(allergen)")
            }
            #expect(words[.nuts] == .mayContain, "\(named)")
            for allergen in [Allergen.fish, .soybeans, .celery, .mustard, .sesame, .lupin] {
                #expect(words[allergen] == .notFoundInText, "\(named) \(allergen)")
            }
        }
    }

    @Test(arguments: [
        ("en", "gluten-free", Allergen.gluten), ("de", "laktosefrei", .milk), ("fr", "sans gluten", .gluten),
        ("es", "sin leche", .milk), ("it", "senza uova", .eggs), ("nl", "glutenvrij", .gluten),
        ("pt", "sem leite", .milk),
        ("pl", "bezglutenowy", .gluten), ("cs", "bez mléka", .milk), ("hu", "gluténmentes", .gluten),
    ])
    func `a negated word is a claim and no evidence`(language: String, text: String, allergen: Allergen) throws {
        #expect(try Judge.allergens(text, language: language, .freeClaim) == [allergen])
        #expect(try Judge.allergens(text, language: language).isEmpty)
    }

    @Test(
        arguments: [
            ("fr", "lait de coco, beurre de cacao, noix de muscade, acide lactique", []),
            ("fr", "noix de Saint-Jacques", [Allergen.molluscs]), ("fr", "lait d'amande", [.nuts]),
            ("es", "leche de coco, manteca de cacao, nuez moscada, ácido láctico", []),
            ("es", "bebida de avena", [.gluten]),
            ("it", "latte di cocco, burro di cacao, noce moscata, acido lattico", []),
            ("it", "farina di grano saraceno", []),
            ("nl", "kokosmelk, cacaoboter, nootmuskaat, melkzuur", []), ("nl", "sojaeiwitten", [.soybeans]),
            ("pt", "leite de coco, manteiga de cacau, noz moscada, ácido láctico", []),
            ("pt", "leite de soja", [.soybeans]),
            ("pl", "mleko kokosowe, tłuszcz kakaowy, gałka muszkatołowa, kwas mlekowy", []),
            ("pl", "mąka gryczana", []),
            ("cs", "kokosové mléko, kakaové máslo, muškátový ořech, kyselina mléčná", []),
            ("cs", "sójový nápoj", [.soybeans]),
            ("hu", "kókusztej, kakaóvaj, szerecsendió, tejsav", []), ("hu", "szójatej", [.soybeans]),
            ("de", "Sojaeiweiß, Kokosmilch, Kakaobutter", [.soybeans]),
            ("en", "coconut milk, cocoa butter, nutmeg", []),
        ] as [(String, String, Set<Allergen>)])
    func `a trap reports its own allergens`(language: String, text: String, expected: Set<Allergen>) throws {
        #expect(try Judge.allergens(text, language: language) == expected)
    }

    @Test(arguments: [
        ("nl", "hazelnootpasta", Allergen.nuts), ("nl", "magere melkpoeder", .milk), ("hu", "búzakeményítő", .gluten),
        ("hu", "tojássárgája", .eggs), ("de", "Haselnussmark", .nuts), ("pl", "mleczny", .milk),
        ("cs", "sezamovými", .sesame),
    ])
    func `compounds and inflected words are analysed`(language: String, text: String, allergen: Allergen) throws {
        #expect(try Judge.allergens(text, language: language).contains(allergen))
    }

    @Test(
        arguments: [
            ("fi", "MAITO, vehnäjauho, sokeri", [Allergen.milk, .gluten]),
            ("sv", "vetemjöl, mjölkpulver, ägg", [.gluten, .milk, .eggs]),
            ("ro", "făină de grâu, lapte praf, ouă", [.gluten, .milk, .eggs]),
        ] as [(String, String, [Allergen])])
    func `a partial lexicon warns and never gives NOT_FOUND`(
        language: String, text: String, expected: [Allergen]
    ) throws {
        let words = try verdicts(text, language)
        for allergen in expected { #expect(words[allergen] == .contains) }
        #expect(!words.values.contains(.notFoundInText))
    }

    @Test func `two languages on one pack are both read`() throws {
        let words = try verdicts(
            "Ingrédients : sucre, lait, sel. Peut contenir du sésame. Zutaten: Zucker, Milch, Salz. Kann Sesam enthalten.",
            "fr")
        #expect(words[.milk] == .contains)
        #expect(words[.sesame] == .mayContain)
    }

    @Test func `an unclear word retracts the absence claims of the allergens it may name`() throws {
        let clear = try verdicts("sugar, salt, water, rice, honey, lemon juice, pepper, garlic", "en")
        #expect(clear[.celery] == .notFoundInText)
        let unclear = try verdicts("sugar, salt, water, rice, honey, ce1erq, pepper, garlic", "en")
        #expect(unclear[.celery] != .notFoundInText)
    }

    @Test func `each regime has its own list of allergens`() throws {
        let us = try verdicts(
            "Ingredients: barley malt, shrimp, mussels, wheat flour, pine nuts, salt.", "en", regime: "us9")
        #expect(us.count == 9)
        #expect(us[.shellfish] == .contains)
        #expect(us[.wheat] == .contains)
        #expect(us[.nuts] == .contains, "pine nuts are tree nuts in the United States")
        let eu = try verdicts("Ingredients: barley malt, mussels, pine nuts, salt.", "en")
        #expect(eu[.gluten] == .contains && eu[.molluscs] == .contains)
        #expect(eu[.nuts] == .notFoundInText, "pine nuts are not in Annex II")
        let barley = try verdicts("Ingredients: barley malt, sugar, salt.", "en", regime: "us9")
        #expect(barley[.wheat] == .notFoundInText, "barley is not on the list of the United States")
        for name in ["canada", "aunz", "japan"] {
            #expect(try Judge.interpreter().regime(named: name).allergens.count >= 13)
        }
    }

    @Test func `an unknown regime lists the known ones`() throws {
        let error = #expect(throws: StartupError.self) { try Judge.interpreter().regime(named: "mars") }
        #expect(error?.message.contains("us9") == true)
    }
}
