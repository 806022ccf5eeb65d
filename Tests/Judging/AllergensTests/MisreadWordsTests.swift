import Testing
import Core

@testable import Allergens

@Suite("Misread words")
struct MisreadWordsTests {
    private func judge(_ text: String, _ kind: AllergenInterpreter.TextKind = .label) throws -> TextJudgement {
        try TextJudge(Judge.interpreter(), language: "en", regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: "en", kind: kind, text: text))
    }

    /// Reference implementation without a band. Insertions, deletions and substitutions cost 2, confusions 1, "rn"
    /// for "m" 1.
    private func distance(_ a: [UInt8], _ b: [UInt8], _ confused: (UInt8, UInt8) -> Bool) -> Int {
        var rows = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    rows[i][j] = 2 * (i + j)
                    continue
                }
                let swap = a[i - 1] == b[j - 1] ? 0 : confused(a[i - 1], b[j - 1]) ? 1 : 2
                var cost = min(rows[i - 1][j] + 2, rows[i][j - 1] + 2, rows[i - 1][j - 1] + swap)
                let rn = Array("rn".utf8)
                let m = UInt8(ascii: "m")
                if i > 1, Array(a[(i - 2)..<i]) == rn, b[j - 1] == m { cost = min(cost, rows[i - 2][j - 1] + 1) }
                if j > 1, Array(b[(j - 2)..<j]) == rn, a[i - 1] == m { cost = min(cost, rows[i - 1][j - 2] + 1) }
                rows[i][j] = cost
            }
        }
        return rows[a.count][b.count]
    }

    @Test func `the banded distance equals the reference up to its limit, and its filter keeps near words`() {
        let confusions = LetterConfusions()
        var generator = SystemRandomNumberGenerator()
        func word() -> [UInt8] {
            (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                "rnmcelo0i1".utf8.randomElement(using: &generator) ?? 0x61
            }
        }
        for _ in 0..<3000 {
            let (a, b) = (word(), word())
            let plain = distance(a, b) { confusions.distance([$0], [$1][...], limit: 9) == 1 }
            for limit in [2, 4, 6] {
                let quick = confusions.distance(a, b[...], limit: limit)
                #expect(plain <= limit ? quick == plain : quick > limit, "\(a) \(b) within \(limit)")
            }
            let apart = confusions.classes(of: a) &- confusions.classes(of: b)
            #expect(Int(pointwiseMax(apart, 0 &- apart).wrappedSum()) <= plain)
        }
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
