import Testing
import Core

@testable import Allergens

@Suite("Words glued by OCR or layout")
struct GluedWordsTests {
    private func findings(_ text: String, _ language: String) throws -> [AllergenFinding] {
        try Judge.interpreter().judgement(
            ofText: text, language: language, kind: .label,
            profile: AllergenProfile(name: "all", allergens: [:])
        ).findings
    }

    @Test(
        "A change of case or script separates glued words",
        arguments: [
            ("vanille de MadagascarŒufs", "fr", Allergen.eggs, "Œufs"), ("sucreLAIT", "fr", .milk, "LAIT"),
            ("farineBLÉ", "fr", .gluten, "BLÉ"), ("BLÉsucre", "fr", .gluten, "BLÉ"),
            ("zuccheroLATTE", "it", .milk, "LATTE"),
            ("WaterFlavoringWheat", "en", .gluten, "Wheat"), ("azúcarHuevo", "es", .eggs, "Huevo"),
            ("sukkerмлекоMilk", "en", .milk, "Milk"),
        ] as [(String, String, Allergen, String)])
    func splits(text: String, language: String, allergen: Allergen, evidence: String) throws {
        let finding = try #require(try findings(text, language).first { $0.allergen == allergen })
        #expect(finding.polarity == .contains)
        #expect(finding.strength == .ingredient || finding.strength == .declared)
        #expect(finding.evidence.map(\.text).contains(evidence))
        #expect(!finding.evidence.map(\.text).contains(text))
    }

    private static let wholeWords: [(text: String, language: String, expected: Set<Allergen>)] = [
        ("WEIZENmehl", "de", [.gluten]), ("KOKOSmilch", "de", []), ("KOKOSNUSSmilchpulver", "de", []),
        ("KARTOFFELstärke", "de", []), ("roomBOTER", "nl", [.milk]), ("LEBERkäse", "de", []), ("OlivOn", "en", []),
        ("OlivOn", "en", []), ("McChicken", "en", []), ("iPhone", "en", []), ("GlutenFREE", "en", []),
        ("GlutenFree", "en", []),
    ]

    @Test("Emphasis inside a compound and the spelling of brands split nothing", arguments: wholeWords)
    func keeps(text: String, language: String, expected: Set<Allergen>) throws {
        let found = try findings(text, language).filter { $0.polarity == .contains }
        #expect(Set(found.map(\.allergen)) == expected)
    }

    @Test(
        "A misread capital or small letter splits nothing",
        arguments: [("SElGLE", "fr", Allergen.gluten), ("MILKFAt", "en", .milk)]
            as [(String, String, Allergen)])
    func misread(text: String, language: String, allergen: Allergen) throws {
        #expect(try findings("\(text), sel", language).contains { $0.allergen == allergen })
    }

    @Test func `a denial does not reach into the next glued word`() throws {
        #expect(try findings("sans glutenLAIT", "fr").contains { $0.allergen == .milk && $0.polarity == .contains })
    }

    @Test func `the box of a split word is the box of the printed word`() throws {
        let label = try #require(
            try Judge.label(.page("Ingrédients : sucre, vanille de MadagascarŒufs, sel.", "À consommer avant fin 2027"))
        )
        let evidence = try #require(label.findings.first { $0.allergen == .eggs }?.evidence.first)
        #expect(evidence.text == "Œufs")
        let box = try #require(evidence.box)
        #expect(box.width == Double("MadagascarŒufs,".count) * 10)
    }
}
