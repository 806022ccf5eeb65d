import Testing
import Core

@testable import Allergens

@Suite("Japanese labels")
struct JapaneseLabelsTests {
    private func judge(_ text: String, regime: String = "japan") throws -> TextJudgement {
        try TextJudge(Judge.interpreter(), language: "ja", regime: regime, profile: nil)
            .judgement(of: .init(id: "1", language: "ja", regime: regime, kind: .label, text: text))
    }

    private func contained(_ text: String, regime: String = "eu14") throws -> Set<Allergen> {
        Set(try judge(text, regime: regime).findings.filter { $0.polarity == .contains }.map(\.allergen))
    }

    @Test func `a list without blanks gives ingredients, declarations and absence claims`() throws {
        let judged = try judge("原材料名：小麦粉（国内製造）、砂糖、植物油脂、卵、脱脂粉乳、食塩／膨張剤、香料、（一部に小麦・卵・乳成分を含む）")
        for allergen in [Allergen.wheat, .eggs, .milk] { #expect(judged.verdicts[allergen]?.verdict == .contains) }
        for allergen in [Allergen.shrimp, .crab, .walnut, .buckwheat, .peanuts] {
            #expect(judged.verdicts[allergen]?.verdict == .notFoundInText)
        }
        #expect(judged.findings.contains { $0.allergen == .milk && $0.strength == .declared })
        #expect(judged.findings.flatMap(\.evidence).contains { $0.text == "脱脂粉乳" })
    }

    @Test func `what Japanese law does not require to be declared is never reported as absent`() throws {
        let judged = try judge("米、砂糖、食塩、醸造酢、でん粉、しょうが、酵母エキス、香料")
        #expect(judged.verdicts[.walnut]?.verdict == .notFoundInText)
        for allergen in [Allergen.soybeans, .sesame, .almond, .apple, .beef] {
            #expect(judged.verdicts[allergen]?.verdict == .cannotTell)
        }
        let european = try judge("米、砂糖、食塩、醸造酢、でん粉、しょうが、酵母エキス、香料", regime: "eu14")
        for allergen in [Allergen.gluten, .nuts, .crustaceans] {
            #expect(european.verdicts[allergen]?.verdict == .cannotTell)
        }
    }

    private static let traps: [(text: String, expected: Set<Allergen>)] = [
        ("ココナッツミルク", []), ("豆乳", [.soybeans]), ("バター風味調味料", []), ("カカオバター", []), ("乳酸菌", []),
        ("乳化剤", []), ("乳化剤（大豆由来）", [.soybeans]), ("ピーナッツバター", [.peanuts]), ("グルタミン酸Na", []),
        ("パンプキンシード", []), ("スイカ", []), ("いかなる", []), ("明らかに", []), ("麦芽糖", []), ("カニカマ", [.fish]),
        ("アーモンドミルク", [.nuts]), ("牛乳", [.milk]), ("バター", [.milk]), ("えび", [.crustaceans]), ("いか", [.molluscs]),
    ]

    @Test("A trap hides the words inside it, and kana words do not match inside others", arguments: traps)
    func trap(text: String, expected: Set<Allergen>) throws { #expect(try contained(text) == expected) }

    @Test(
        "The eight mandatory ingredients are found in kana, kanji and half-width letters",
        arguments: [
            ("えび", Allergen.shrimp), ("海老", .shrimp), ("ｴﾋﾞ", .shrimp), ("カニ", .crab), ("蟹", .crab), ("クルミ", .walnut),
            ("胡桃", .walnut), ("コムギ", .wheat), ("小麦粉", .wheat), ("蕎麦粉", .buckwheat), ("ソバ", .buckwheat),
            ("たまご", .eggs), ("鶏卵", .eggs), ("全粉乳", .milk), ("落花生", .peanuts), ("ピーナツ", .peanuts),
        ] as [(String, Allergen)])
    func mandatory(text: String, allergen: Allergen) throws {
        #expect(try contained("砂糖、\(text)、食塩", regime: "japan").contains(allergen))
    }

    @Test func `a sentence about the factory is a precaution, and a denial covers the word before it`() throws {
        let judged = try judge("米、食塩。本品製造工場では小麦・そば・えびを含む製品を製造しています。")
        for allergen in [Allergen.wheat, .buckwheat, .shrimp] {
            #expect(judged.verdicts[allergen]?.verdict == .mayContain)
        }
        let denied = try judge("小麦不使用。米粉、砂糖")
        #expect(denied.findings.contains { $0.allergen == .wheat && $0.polarity == .freeClaim })
        #expect(!denied.findings.contains { $0.polarity == .contains })
    }
}
