import Foundation
import Testing
import Core

@testable import Allergens

@Suite("Words that warn falsely")
struct FalseWarningTests {
    private func judgement(_ text: String, _ language: String) throws -> TextJudgement {
        try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text))
    }

    private func verdict(_ text: String, _ allergen: Allergen, _ language: String) throws -> AllergenVerdict? {
        try judgement(text, language).verdicts[allergen]
    }

    @Test(
        .enabled(if: FileManager.default.isReadableFile(atPath: "/usr/share/dict/italian")),
        arguments: [
            ("Caffè corretto", Allergen.gluten, "it"), ("Pizza a scelta", .gluten, "it"), ("Aloo mutter", .milk, "en"),
            ("Nachtisch", .fish, "de"), ("Olive branch", .eggs, "en"),
        ])
    func `a correct word of the page's language is not corrected to an allergen`(
        text: String, allergen: Allergen, language: String
    ) throws {
        let verdict = try verdict(text, allergen, language)
        #expect(verdict?.verdict == .cannotTell || text.hasPrefix("Pizza") && verdict?.verdict == .likely)
    }

    @Test(arguments: [("Büffelmozarella", Allergen.milk, "de"), ("Salmom", .fish, "en"), ("Espaguetti", .gluten, "es")])
    func `a misspelt word still names its allergen`(text: String, allergen: Allergen, language: String) throws {
        #expect(try verdict(text, allergen, language)?.verdict == .contains)
    }

    @Test(
        arguments: [
            ("Bún chả", Allergen.gluten, "und"), ("BÚN BÒ", .gluten, "en"), ("Bun cha", .gluten, "en"),
            ("Teh tarik kurang manis", .peanuts, "und"), ("Manis", .peanuts, "ms"),
        ])
    func `a short word with other accents is another language's word`(
        text: String, allergen: Allergen, language: String
    ) throws {
        #expect(try verdict(text, allergen, language)?.verdict == .cannotTell)
    }

    @Test(
        arguments: [
            ("Mani tostado con sal", Allergen.peanuts, "es"), ("Bun with ham", .gluten, "en"), ("Blé", .gluten, "fr"),
            ("MANI TOSTADO", .peanuts, "und"), ("Chleb", .gluten, "pl"), ("Kefir", .milk, "und"),
        ])
    func `print without accents still names the allergen`(text: String, allergen: Allergen, language: String) throws {
        #expect(try verdict(text, allergen, language)?.verdict == .contains)
    }

    @Test(
        arguments: [
            ("Galette S/gluten", "fr"), ("Pan s/ gluten", "es"), ("Pasta S/GLUTEN", "it"), ("Bolo s/ glúten", "pt"),
            ("Kuchen o/Gluten", "de"), ("Pasta w/o gluten", "en"), ("Carrot cake (gf)", "en"),
            ("Carrot cake (GF)", "en"), ("GF White Bread", "en"), ("V GF Brownie", "en"),
            ("Lasagne (gf, v)", "en"), ("Chicken curry (gf)", "en"),
        ])
    func `an abbreviated denial weakens gluten and never clears it`(text: String, language: String) throws {
        let verdict = try verdict(text, .gluten, language)
        #expect(verdict?.verdict == .cannotTell)
    }

    @Test(
        arguments: [
            ("Huevo s/ pan", Allergen.gluten, "es"), ("Rye bread (gf)", .gluten, "en"), ("GF Rye bread", .gluten, "en"),
            ("Burger (gfo)", .gluten, "en"),
            ("Leche s/ lactosa", .milk, "es"), ("Butter cake (gf)", .milk, "en"),
            ("Pan s/ gluten con trigo", .gluten, "es"),
        ])
    func `an abbreviated denial hides nothing else`(text: String, allergen: Allergen, language: String) throws {
        let word = try verdict(text, allergen, language)?.verdict
        #expect(word == .contains || word == .likely)
    }

    @Test func `a weakened word keeps a legend from clearing its allergen`() throws {
        let legend = "\nAllergene: A Gluten, C Ei, G Milch, L Sellerie, D Fisch"
        let text = "Nachtisch (C,G)" + legend
        let fish = try TextJudge(Judge.interpreter(), language: "de", regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: "de", kind: .menuLine, text: text)).verdicts[.fish]
        #expect(fish?.verdict != .notFoundInText)
    }

    @Test func `an allergen that the kitchen buys says so where it is not likely`() {
        func verdict(_ allergen: Allergen, _ probability: Double, _ rule: String = "dish") -> AllergenVerdict {
            VerdictRules.verdict(
                on: allergen,
                findings: [
                    AllergenFinding(
                        allergen: allergen, leaf: nil, polarity: .likely, strength: .dishKnowledge,
                        evidence: [.init(text: "roll", language: "en", ruleId: rule, lexeme: "roll")],
                        probability: probability)
                ], absenceClaim: .unsupported(reason: "noDeclaration"), sensitivity: .high)
        }
        #expect(verdict(.soybeans, 0.49).verdict == .cannotTell)
        #expect(verdict(.soybeans, 0.49).reason == "kitchenDecides")
        #expect(verdict(.soybeans, 0.49).probability == 0.49)
        #expect(verdict(.soybeans, 0.5).verdict == .likely)
        #expect(verdict(.mustard, 0.49).reason == "dishKnowledge")
        // Dishes that this kitchen declared tell what it buys.
        #expect(verdict(.soybeans, 0.49, "houseHabit").reason != "kitchenDecides")
    }

    @Test func `a page names the allergens that its kitchen decides once`() throws {
        let menu = try #require(
            try Judge.menu(.page("Rindsuppe 4,90", "Bratkartoffeln 3,80", "Gulasch 9,80", "Rouladen 12,80")))
        let decided = menu.sections.flatMap(\.items).flatMap { $0.verdicts["everyone"] ?? [:] }
            .filter { $0.value.reason == "kitchenDecides" }
        try #require(!decided.isEmpty)
        #expect(Set(menu.kitchenDecides ?? []) == Set(decided.map(\.key)))
        #expect(decided.allSatisfy { $0.value.verdict == .cannotTell })
        #expect(menu.kitchenDecides(for: ["somebody else"]).isEmpty)
    }

    /// Sizes of packs, with every unit and digits that OCR takes for letters.
    @Test(arguments: [
        "l", "cl", "ml", "dl", "g", "kg", "er", "st", "stk", "p", "oz", "lb", "ct", "pk", "x", "ks", "szt", "db",
    ])
    func `the size of a pack is no misread food`(unit: String) throws {
        let judge = try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
        let sizes = [
            "0,33", "0.5", "1", "3", "6", "10", "12", "31", "33", "38", "50", "71", "100", "330", "500", "1000",
        ]
        for size in sizes.flatMap({ ["\($0)\(unit)", "\($0) \(unit)", "\($0)\(unit.uppercased())"] }) {
            for (kind, name) in [
                (AllergenInterpreter.TextKind.label, "Juice"), (.dish, "Juice"), (.label, "Wasser"), (.dish, "Wasser"),
            ] {
                let judgement = try judge.judgement(
                    of: .init(id: "1", language: nil, kind: kind, text: "\(name) \(size)"))
                #expect(judgement.findings.isEmpty, "\(name) \(size) as \(kind)")
            }
        }
    }
}
