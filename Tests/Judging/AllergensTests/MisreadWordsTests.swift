import Testing
import Core

@testable import Allergens

@Suite("Misread words")
struct MisreadWordsTests {
    private func judge(_ text: String, _ kind: AllergenInterpreter.TextKind = .label) throws -> TextJudgement {
        try TextJudge(Judge.interpreter(), language: "en", regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: "en", kind: kind, text: text))
    }

    @Test(arguments: [
        ("Water, sugar, EGG5, salt, yeast.", Allergen.eggs), ("Water, salt, sugar, 50Y LECITHIN.", .soybeans),
    ])
    func `digits between letters are corrected to letters`(text: String, allergen: Allergen) throws {
        #expect(try judge(text).verdicts[allergen]?.verdict == .contains)
    }

    @Test func `numbers, quantities and additives are not corrected`() throws {
        let judged = try judge("Sugar 100g, salt, colour E150d, vitamin B12, water 50 ml.")
        #expect(judged.unclear.isEmpty, "\(judged.unclear)")
    }

    @Test func `a short word is corrected only on a poorly recognised page`() throws {
        let bad = try judge("Watar, sugor, rggs, flout, solt, yeost, vinegor, pepper.")
        #expect(bad.verdicts[.eggs]?.verdict == .contains)
        let good = try judge("Water, sugar, rggs, maize, salt, yeast, vinegar, pepper.")
        #expect(good.verdicts[.eggs]?.verdict != .notFoundInText, "the absence claim on eggs is retracted too")
    }

    @Test func `a dish name with one misread letter is recognised`() throws {
        #expect(try judge("Chickcn Lasaqne", .dish).verdicts[.milk]?.verdict == .likely)
    }
}
