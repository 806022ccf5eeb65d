import Testing
import Core

@testable import Allergens

@Suite("Labels")
struct LabelRulesTests {
    private func word(_ label: Label?, _ allergen: Allergen) -> AllergenVerdict.Kind? {
        label?.verdicts["everyone"]?[allergen]?.verdict
    }

    private func reason(_ label: Label?, _ allergen: Allergen) -> String? {
        label?.verdicts["everyone"]?[allergen]?.reason
    }

    @Test func `a well-read list reports contained and not mentioned allergens`() throws {
        let label = try Judge.label(.page("Ingredients: wheat flour, sugar, palm oil, salt.", "May contain nuts."))
        #expect(word(label, .gluten) == .contains)
        #expect(word(label, .nuts) == .mayContain)
        #expect(word(label, .milk) == .notFoundInText)
        #expect(label?.verdicts["everyone"]?.count == 14)
    }

    @Test(arguments: ["(", "[{(", "a (b, "])
    func `unclosed brackets take time linear in the label`(bracket: String) throws {
        let text = "Ingredients: sugar, " + String(repeating: bracket, count: 20_000) + "peanuts"
        let label = try Judge.interpreter().productFindings(ingredients: text, declared: [])
        #expect(label.contains { $0.allergen == .peanuts })
    }

    @Test func `empty text is never NOT_FOUND`() throws {
        let label = try Judge.label(TextReading(languages: ["en"], lines: []))
        #expect(
            label?.verdicts["everyone"]?.values.allSatisfy { $0.verdict == .cannotTell && $0.reason == "nothingRead" }
                == true)
    }

    @Test func `a list with low confidence gives CANNOT_TELL and still warns`() throws {
        let label = try Judge.label(
            .page(confidence: 0.6, "Ingredients: wheat flour, sugar, salt.", "Best before: see lid"))
        #expect(word(label, .gluten) == .contains)
        #expect(word(label, .milk) == .cannotTell)
        #expect(reason(label, .milk) == "lowReadingQuality")
        let probability = try #require(label?.verdicts["everyone"]?[.gluten]?.probability)
        #expect(probability < 0.85)
    }

    @Test func `an unrecognised line retracts the absence claim and keeps warnings`() throws {
        var page = TextReading.page("Ingredients: wheat flour, sugar, palm oil, salt.", "Best before: see lid")
        page.unreadLines = 1
        let label = try Judge.label(page)
        #expect(word(label, .gluten) == .contains)
        #expect(word(label, .milk) == .cannotTell)
        #expect(reason(label, .milk) == "unreadRegion")
        #expect(label?.coverage.unreadRegions == 1)
    }

    @Test func `print in a script that is not read retracts the absence claim and keeps warnings`() throws {
        var page = TextReading.page("Ingredients: wheat flour, sugar, palm oil, salt.", "Best before: see lid")
        page.unreadLines = 3
        page.unreadScripts = [.korean]
        let label = try Judge.label(page)
        #expect(word(label, .gluten) == .contains)
        #expect(word(label, .milk) == .cannotTell)
        #expect(reason(label, .milk) == "unreadScript")
    }

    @Test func `unknown ingredients retract the absence claim`() throws {
        let label = try Judge.label(.page("Ingredients: sugar, zxqwv, grblth, salt.", "Best before: see lid"))
        #expect(reason(label, .milk) == "unknownIngredients")
        #expect(word(label, .milk) == .cannotTell)
    }

    @Test(arguments: [
        "Ingredients: sugar, salt, cocoa (butter", "Ingredients: sugar, salt,", "Ingredients: sugar, salt",
    ])
    func `a list with a missing end gives CANNOT_TELL`(text: String) throws {
        #expect(reason(try Judge.label(.page(text)), .eggs) == "listCutOff")
    }

    @Test func `text without an ingredient list gives CANNOT_TELL`() throws {
        let label = try Judge.label(.page("Contains: milk", "Best before: see lid"))
        #expect(word(label, .milk) == .contains)
        #expect(reason(label, .eggs) == "noIngredientList")
    }

    @Test func `a statement alone gives no ingredient list`() throws {
        let profile = try Judge.everyone()
        let judged = try Judge.interpreter().judgement(
            ofText: "Contains soy, milk and hazelnut. May contain celery.", language: "en", kind: .label,
            profile: profile)
        #expect(judged.verdicts[.milk]?.verdict == .contains)
        #expect(judged.verdicts[.celery]?.verdict == .mayContain)
        #expect(judged.verdicts[.fish]?.verdict == .cannotTell)
    }

    @Test func `a language without a lexicon gives CANNOT_TELL`() throws {
        let label = try Judge.label(.page(languages: ["fi"], "Ingredients: sugar, salt."))
        #expect(reason(label, .milk) == "languageNotSupported")
        let profile = try Judge.everyone()
        let judged = try Judge.interpreter().judgement(
            ofText: "sokeri, suola.", language: "fi", kind: .label, profile: profile)
        #expect(judged.verdicts.values.allSatisfy { $0.verdict == .cannotTell })
    }

    @Test func `a contradiction is shown and presence wins`() throws {
        let label = try Judge.label(
            .page("Dairy free!", "Ingredients: sugar, whey powder, salt.", "Storage: keep cool"))
        #expect(word(label, .milk) == .contains)
        #expect(reason(label, .milk) == "contradiction")
    }

    @Test func `a free-from claim alone clears no allergen`() throws {
        let label = try Judge.label(.page("Gluten free", "May contain nuts"))
        #expect(word(label, .gluten) == .cannotTell)
    }

    @Test func `hyphenated lines are joined and evidence keeps its words`() throws {
        let label = try Judge.label(.page("Zutaten: Zucker, Wei-", "zenmehl, Salz.", "Lagerung: kühl"))
        let finding = try #require(label?.findings.first { $0.allergen == .gluten })
        let evidence = try #require(finding.evidence.first)
        #expect(evidence.text == "Weizenmehl")
        #expect(evidence.language == "de")
        #expect(evidence.ocrConfidence == 0.96)
        // The box spans the broken word on the first line and the second line.
        #expect(evidence.box?.minY == 0 && evidence.box?.maxY == 50)
    }

    @Test func `the ingredient tree keeps nesting and percentages`() throws {
        let label = try #require(
            try Judge.label(
                .page(
                    "Ingredients: chocolate 30% (sugar, cocoa mass), flour (wheat), salt and pepper.", "Storage: cool"))
        )
        #expect(label.ingredients.map(\.text) == ["chocolate", "flour", "salt", "pepper"])
        #expect(label.ingredients[0].percent == 30)
        #expect(label.ingredients[0].ingredients.map(\.text) == ["sugar", "cocoa mass"])
    }

    @Test func `text after storage and nutrition headings is no ingredient`() throws {
        let label = try Judge.label(
            .page("Ingredients: sugar, salt.", "Serving suggestion: pour over with milk.", "Contains: soya"))
        #expect(word(label, .milk) == .notFoundInText)
        #expect(word(label, .soybeans) == .contains)
    }

    @Test func `two languages one after the other are both read`() throws {
        let label = try Judge.label(
            .page(
                "Ingredients: sugar, whey powder, salt.", "Zutaten: Zucker, Molkenpulver, Salz. Kann Nüsse enthalten.",
                "Lagerung: kühl"))
        #expect(word(label, .milk) == .contains)
        #expect(word(label, .nuts) == .mayContain)
        #expect(word(label, .eggs) == .notFoundInText)
    }

    @Test func `risk is sensitivity times probability`() {
        #expect(VerdictRules.risk(.severe, 0.97) == .high)
        #expect(VerdictRules.risk(.mild, 0.97) == .medium)
        #expect(VerdictRules.risk(.mild, 0.5) == .low)
    }
}
