import Testing
import Core

@testable import Allergens

@Suite("Words, traps and denials")
struct WordRulesTests {
    @Test(
        "A trap reports its own allergens and hides the words inside it",
        arguments: [
            ("coconut milk", "en", []), ("almond milk", "en", [Allergen.nuts]), ("oat milk", "en", [.gluten]),
            ("cocoa butter", "en", []), ("peanut butter", "en", [.peanuts]), ("buckwheat flour", "en", []),
            ("nutmeg", "en", []), ("eggplant", "en", []), ("butternut squash", "en", []), ("lactic acid", "en", []),
            ("milk thistle", "en", []), ("chestnut", "en", []), ("oyster mushrooms", "en", []),
            ("crème de cassis", "en", []),
            ("Kokosmilch", "de", []), ("Kokosmilchpulver", "de", []), ("Kokosnussmilchpulver", "de", []),
            ("Sojamilchpulver", "de", [.soybeans]), ("Kakaobutter", "de", []),
            ("Buchweizenmehl", "de", []), ("Muskatnuss", "de", []), ("Milchsäure", "de", []),
            ("Sojamilch", "de", [.soybeans]), ("Hafermilch", "de", [.gluten]), ("Erdnussbutter", "de", [.peanuts]),
            ("Weizeneiweiß", "de", [.gluten]), ("Tintenfisch", "de", [.molluscs]), ("Leberkäse", "de", []),
        ] as [(String, String, Set<Allergen>)])
    func traps(text: String, language: String, expected: Set<Allergen>) throws {
        #expect(try Judge.allergens(text, language: language) == expected)
    }

    @Test(
        "German compounds are split if a part is a food",
        arguments: [
            ("Weizenmehl", [Allergen.gluten]), ("Haselnusskuchen", [.nuts, .gluten]), ("Vollmilchschokolade", [.milk]),
            ("Magermilchpulver", [.milk]), ("Hühnereiweiß", [.eggs]), ("Eiernudeln", [.eggs, .gluten]),
            ("Senfkörner", [.mustard]),
            ("Reis", []), ("Leier", []), ("Feier", []), ("Ei", [.eggs]), ("Erdnüsse", [.peanuts]),
            ("Kaesesauce", [.milk]), ("Eisbergsalat", []), ("Nudelpfanne", [.gluten]), ("Pilzrahmsoße", [.milk]),
            ("Sojarahm", [.soybeans]), ("Nusskartoffeln", []),
        ] as [(String, Set<Allergen>)])
    func compounds(text: String, expected: Set<Allergen>) throws {
        #expect(try Judge.allergens(text, language: "de") == expected)
    }

    @Test(
        "Ice cream of any fruit is likely milk, and a word that only ends alike is not",
        arguments: [
            ("de", ["Erdbeer", "Himbeer", "Zitronen", "Bananen", "Kirsch", "Mango", "Kaffee"], "eis"),
            ("nl", ["aardbeien", "citroen", "bananen", "mango"], "ijs"),
            ("sv", ["jordgubbs", "hallon", "banan", "mango"], "glass"),
            ("fi", ["mansikka", "banaani", "mango"], "jäätelö"),
            ("hu", ["eper", "málna", "citrom", "mangó"], "fagylalt"),
        ])
    func iceCreams(language: String, fruits: [String], ice: String) throws {
        for fruit in fruits {
            let polarity: AllergenFinding.Polarity = ["nl", "hu"].contains(language) ? .contains : .likely
            #expect(try Judge.allergens(fruit + ice, language: language, polarity) == [.milk], "\(fruit + ice)")
        }
        for word in [
            "Wassereis", "Kräuterreis", "Tomatenreis", "Hinweis", "Tagespreis", "Currymais", "Vorspeise", "radijs",
        ] {
            #expect(try Judge.allergens(word, language: language) == [], "\(word)")
            #expect(try Judge.allergens(word, language: language, .likely) == [], "\(word)")
        }
        #expect(try Judge.allergens("Sojaeis", language: "de") == [.soybeans])
    }

    @Test(
        "A free-from claim suppresses the word inside it",
        arguments: [
            ("gluten-free", "en", Allergen.gluten), ("dairy free", "en", .milk), ("without nuts", "en", .nuts),
            ("no milk", "en", .milk),
            ("does not contain milk", "en", .milk), ("suitable for people with a milk allergy", "en", .milk),
            ("glutenfrei", "de", .gluten), ("laktosefreie", "de", .milk), ("ohne Milch", "de", .milk),
            ("frei von Gluten", "de", .gluten),
        ])
    func freeClaims(text: String, language: String, allergen: Allergen) throws {
        #expect(try Judge.allergens(text, language: language, .freeClaim) == [allergen])
        #expect(try Judge.allergens(text, language: language).isEmpty)
    }

    @Test(
        "Common words of recipes are not misread allergens",
        arguments: [
            ("asiatische Soße", "de"), ("ägyptischer Art", "de"), ("heller Teller", "de"), ("ovenschotel", "nl"),
            ("brochettes", "fr"), ("tajine", "fr"), ("frutas del bosque", "es"), ("tazones", "es"),
            ("caseiro", "pt"), ("razowego", "pl"), ("melted", "en"),
        ])
    func commonWords(text: String, language: String) throws {
        #expect(try Judge.allergens(text, language: language).isEmpty)
    }

    @Test(
        "Words with several senses keep the one that their neighbours show",
        arguments: [
            ("pasta al radicchio", "it", [Allergen.gluten]), ("pasta di pomodoro", "it", []),
            ("Pâtes au saumon", "fr", [.gluten, .fish]), ("pâté de foie", "fr", []),
            ("pasta z bakłażana", "pl", []), ("pasta jajeczna", "pl", [.eggs]),
            ("ciasteczka z masłem orzechowym", "pl", [.gluten, .peanuts]), ("z mlekiem kokosowym", "pl", []),
            ("s kokosovým mlékem", "cs", []), ("s arašídovým máslem", "cs", [.peanuts]),
            ("pão de queijo", "pt", [.milk]), ("biscoito de polvilho", "pt", []), ("creme de paçoca", "pt", [.peanuts]),
        ] as [(String, String, Set<Allergen>)])
    func senses(text: String, language: String, expected: Set<Allergen>) throws {
        #expect(try Judge.allergens(text, language: language).subtracting(expected).isEmpty)
        #expect(try Judge.allergens(text, language: language).union([.gluten]) == expected.union([.gluten]))
    }

    @Test func `a free-from claim does not hide neighbouring allergens`() throws {
        #expect(try Judge.allergens("lactose-free milk", language: "en") == [.milk])
        #expect(try Judge.allergens("sugar without nuts, milk", language: "en") == [.milk])
        #expect(try Judge.allergens("milk, egg and gluten-free flour", language: "en").isSuperset(of: [.milk, .eggs]))
        #expect(try Judge.allergens("non GMO soy", language: "en") == [.soybeans])
        #expect(try Judge.allergens("Contains soy, milk and hazelnut", language: "en") == [.soybeans, .milk, .nuts])
        #expect(try Judge.allergens("ohne Nüsse und Milch", language: "de") == [.milk])
    }

    @Test func `a negated list ends with its sentence`() throws {
        let text = "Free from gluten, milk and eggs. Contains soya."
        #expect(try Judge.allergens(text, language: "en", .freeClaim) == [.gluten, .milk, .eggs])
        #expect(try Judge.allergens(text, language: "en") == [.soybeans])
    }

    @Test func `vegan claims clear no allergen`() throws {
        #expect(try Judge.allergens("vegan cake with milk and egg", language: "en").isSuperset(of: [.milk, .eggs]))
    }

    @Test func `a gluten-free option does not describe the dish as served`() throws {
        let findings = try Judge.interpreter().findings(inText: "Burger (gluten free option)", language: "en")
        #expect(findings.contains { $0.allergen == .gluten && $0.polarity == .option })
        #expect(findings.contains { $0.allergen == .gluten && $0.polarity == .likely })
    }

    @Test(
        "Cross-contact gives a separate warning",
        arguments: [
            ("May contain nuts", "en", [Allergen.nuts]),
            ("May contain traces of milk and soya", "en", [.milk, .soybeans]),
            ("Made in a facility that also contains peanuts", "en", [.peanuts]),
            ("Not suitable for milk allergy sufferers", "en", [.milk]),
            ("Kann Spuren von Nüssen und Sesam enthalten", "de", [.nuts, .sesame]),
            ("Kann Milch enthalten", "de", [.milk]),
            ("In einem Betrieb hergestellt, der auch Erdnüsse verarbeitet", "de", [.peanuts]),
        ] as [(String, String, Set<Allergen>)])
    func precautions(text: String, language: String, expected: Set<Allergen>) throws {
        #expect(try Judge.allergens(text, language: language, .mayContain) == expected)
        #expect(try Judge.allergens(text, language: language).isEmpty)
    }

    @Test func `a precaution does not extend over the declaration next to it`() throws {
        let text = "Contains: milk. May contain nuts. Contains: wheat"
        #expect(try Judge.allergens(text, language: "en") == [.milk, .gluten])
        #expect(try Judge.allergens(text, language: "en", .mayContain) == [.nuts])
    }

    @Test func `a misread word raises a fuzzy warning, and short words are not corrected`() throws {
        let findings = try Judge.interpreter().findings(inText: "haze1nuts", language: "en")
        let finding = try #require(findings.first)
        #expect(finding.allergen == .nuts && finding.leaf == "hazelnut")
        #expect(finding.strength == .fuzzy && finding.polarity == .contains, "half a letter of nine is wrong")
        #expect(finding.evidence.first?.editDistance == 1)
        #expect(try Judge.interpreter().findings(inText: "ege", language: "en").isEmpty)
        #expect(try Judge.interpreter().findings(inText: "milx", language: "en").isEmpty)
    }

    @Test func `the usual allergens of a dish are at most LIKELY`() throws {
        let findings = try Judge.interpreter().findings(inText: "Spaghetti Carbonara", language: "en")
        let egg = try #require(findings.first { $0.allergen == .eggs })
        #expect(egg.polarity == .likely && egg.strength == .dishKnowledge)
        #expect(findings.contains { $0.allergen == .gluten && $0.polarity == .contains })
    }

    @Test func `both the tags and the ingredients of a record give findings`() throws {
        let findings = try Judge.interpreter().productFindings(
            ingredients: "sugar, cocoa butter, whey powder", declared: ["en:sesame-seeds", "en:nuts"])
        #expect(Set(findings.map(\.allergen)) == [.sesame, .nuts, .milk])
    }

    @Test func `an English word does not match a German fish with the same folding`() throws {
        let store = try Judge.interpreter().findings(inText: "Store dry / Trocken lagern.", language: "de")
        #expect(!store.contains { $0.allergen == .fish })
        let sturgeon = try Judge.interpreter().findings(inText: "Stör mit Kartoffeln", language: "de")
        #expect(sturgeon.contains { $0.allergen == .fish })
    }
}
