import Core
import Testing

@testable import Allergens

/// Sentences on allergies that name an allergen and declare none, and those beside them that do.
@Suite("Statements on allergies")
struct AllergyStatementTests {
    /// What is left out stands in the text as `{}`.
    static let undeclared = [
        ("en", "Rice with salad. Allergic to {}? Ask our staff."),
        ("en", "Rice with salad. Any intolerance to {}? Tell us!"),
        ("de", "Reis mit Salat. Allergie gegen {}? Fragen Sie uns."),
        ("fr", "Riz et salade. Allergique : {} ? Demandez-nous."),
        ("es", "Arroz con ensalada. ¿Alergia: {}? Pregunte."),
        ("it", "Riso e insalata. Allergia: {}? Chiedete a noi."),
        ("nl", "Rijst met salade. Allergie voor {}? Vraag het ons."),
        ("en", "Rice with salad. Suitable for people with an allergy to {}."),
        ("de", "Reis mit Salat. Für Menschen mit Allergie gegen {} geeignet."),
        ("nl", "Rijst met salade. Geschikt voor mensen met een allergie voor {}."),
    ]
    static let declared = [
        ("en", "Rice with {}. Allergies? Ask our staff."), ("en", "Not suitable for people with an allergy to {}."),
        ("de", "Nicht geeignet für Menschen mit Allergie gegen {}."), ("de", "Reis mit {}. Allergien? Fragen Sie uns."),
        ("nl", "Niet geschikt voor mensen met een allergie voor {}."), ("en", "Rice, {}: contains. Any allergy? Ask."),
    ]
    static let foods: [String: [(name: String, allergen: Allergen)]] = [
        "en": [("peanuts", .peanuts), ("milk", .milk), ("celery", .celery)],
        "de": [("Erdnüsse", .peanuts), ("Milch", .milk), ("Sellerie", .celery)],
        "fr": [("arachides", .peanuts), ("lait", .milk), ("céleri", .celery)],
        "es": [("cacahuetes", .peanuts), ("leche", .milk), ("apio", .celery)],
        "it": [("arachidi", .peanuts), ("latte", .milk), ("sedano", .celery)],
        "nl": [("pinda's", .peanuts), ("melk", .milk), ("selderij", .celery)],
    ]

    func verdicts(_ pattern: String, _ language: String) throws -> [(text: String, verdict: AllergenVerdict.Kind?)] {
        let interpreter = try Judge.interpreter()
        return try (Self.foods[language] ?? []).map { food in
            let text = pattern.replacing("{}", with: food.name)
            let judgement = try interpreter.judgement(
                ofText: text, language: language, kind: .dish, profile: Judge.everyone())
            return (text, judgement.verdicts[food.allergen]?.verdict)
        }
    }

    @Test(arguments: undeclared) func `a question or recommendation declares nothing`(
        language: String, pattern: String
    ) throws {
        for (text, verdict) in try verdicts(pattern, language) {
            #expect(verdict != .contains && verdict != .likely && verdict != nil, "\(text)")
        }
    }

    @Test(arguments: declared) func `a dish beside a question, and what is unsuitable, are declared`(
        language: String, pattern: String
    ) throws {
        for (text, verdict) in try verdicts(pattern, language) {
            #expect(verdict == .contains || verdict == .likely || verdict == .mayContain, "\(text)")
        }
    }

    static let answers: [(text: String, language: String, contained: [Allergen], denied: [Allergen])] = [
        ("Ingredients: rice, salt. Sesame: no. Milk: yes.", "en", [.milk], [.sesame]),
        ("Ingredients: rice, salt. Contains neither milk nor eggs.", "en", [], [.milk, .eggs]),
        ("Zutaten: Reis, Salz. Milch: nicht enthalten. Sellerie: enthalten.", "de", [.celery], [.milk]),
        ("Zutaten: Reis. Enthält weder Milch noch Soja.", "de", [], [.milk, .soybeans]),
        ("Ingrédients : riz. Ne contient ni lait ni œufs.", "fr", [], [.milk, .eggs]),
        ("Ingredients: rice, oat drink instead of milk, salt.", "en", [.gluten], [.milk]),
        ("Zutaten: Reis, Haferdrink statt Milch, Salz.", "de", [.gluten], [.milk]),
    ]

    @Test(arguments: answers) func `an answer or replacement denies what it names and nothing else`(
        text: String, language: String, contained: [Allergen], denied: [Allergen]
    ) throws {
        let judgement = try Judge.interpreter().judgement(
            ofText: text, language: language, kind: .label, profile: Judge.everyone())
        for allergen in contained { #expect(judgement.verdicts[allergen]?.verdict == .contains, "\(allergen)") }
        for allergen in denied {
            let verdict = judgement.verdicts[allergen]?.verdict
            #expect(verdict != .contains && verdict != .likely, "\(allergen)")
        }
    }

    @Test(arguments: [
        ("en", ["Tasting notes", "Serving suggestion", "Recipe idea", "Pairs well with"], "almonds and butter"),
        ("de", ["Verkostungsnotiz", "Serviervorschlag", "Rezeptidee"], "Mandeln und Butter"),
        ("fr", ["Notes de dégustation", "Suggestion de présentation"], "amandes et beurre"),
        ("es", ["Notas de cata", "Sugerencia de presentación"], "almendras y leche"),
        ("it", ["Note di degustazione", "Suggerimento di presentazione"], "mandorle e burro"),
        ("nl", ["Proefnotities", "Serveersuggestie"], "amandelen en boter"),
    ]) func `what a food tastes like or is served with is no ingredient`(
        language: String, headings: [String], foods: String
    ) throws {
        for heading in headings {
            let judgement = try Judge.interpreter().judgement(
                ofText: "Extra Olio 500 ml. \(heading): \(foods).", language: language, kind: .label,
                profile: Judge.everyone())
            for allergen in [Allergen.nuts, .milk] {
                let verdict = judgement.verdicts[allergen]?.verdict
                #expect(verdict != .contains && verdict != .likely, "\(heading): \(allergen)")
            }
        }
    }

    /// Exemptions of the law are looked up behind every word of a name, also where the name is longer than any of them.
    @Test func `names of any length are compared with the law's exemptions`() throws {
        let interpreter = try Judge.interpreter()
        let exempt = [
            "glucose", "syrup", "wheat", "fully", "refined", "soya", "oil", "fish", "gelatine", "Worcestershire",
            "sauce",
        ]
        var random = SplitMix(state: 61)
        for _ in 0..<300 {
            let words = (0..<(1 + random.below(14))).map { _ in exempt[random.below(exempt.count)] }
            _ = try interpreter.judgement(
                ofText: "Ingredients: \(words.joined(separator: " ")).", language: "en", kind: .label,
                profile: Judge.everyone())
        }
    }

    static let claims = [
        ("en", "Contains no known allergens."), ("en", "Free from the 14 major allergens."), ("en", "Allergens: none."),
        ("en", "Made without allergens."), ("de", "Enthält keine Allergene."), ("de", "Frei von Allergenen."),
        ("fr", "Ne contient pas d'allergènes."), ("fr", "Sans allergènes."), ("es", "No contiene alérgenos."),
        ("es", "Sin alérgenos."), ("it", "Non contiene allergeni."), ("nl", "Bevat geen allergenen."),
        ("pt", "Não contém alergénios."), ("pl", "Nie zawiera alergenów."), ("cs", "Neobsahuje alergeny."),
    ]
    static let unclaimed = [
        ("en", "Contains no nuts. Allergens in bold."), ("en", "Not free from allergens."), ("en", "Allergens: milk."),
        ("en", "Contains no milk, see allergens."), ("de", "Ohne Nüsse. Allergene sind fett gedruckt."),
    ]

    /// What is usual is told as doubt beside such a claim, and what is printed is told as before.
    @Test(arguments: claims) func `a claim of no allergens at all outweighs what is usual, not what is printed`(
        language: String, claim: String
    ) throws {
        let milk = [
            "en": "Milk", "de": "Milch", "fr": "Lait", "es": "Leche", "it": "Latte", "nl": "Melk", "pt": "Leite",
            "pl": "Mleko", "cs": "Mléko",
        ]
        for (text, expected) in [("Frosting", false), (milk[language] ?? "", true)] {
            for page in ["\(text). \(claim)", "\(claim) \(text)."] {
                #expect(try isWarning(page, language) == expected, "\(page)")
            }
        }
    }

    @Test(arguments: unclaimed) func `no other denial lowers what is usual`(language: String, sentence: String) throws {
        #expect(try isWarning("Frosting. " + sentence, language), "\(sentence)")
    }

    /// True if milk is warned of.
    func isWarning(_ text: String, _ language: String) throws -> Bool {
        let judgement = try Judge.interpreter().judgement(
            ofText: text, language: language, kind: .label, profile: Judge.everyone())
        return [.contains, .likely].contains(judgement.verdicts[.milk]?.verdict)
    }
}
