import Allergens
import Vocabulary

/// A judgement in a few lines.
struct JudgementText {
    let lines: [String]

    init(_ judgement: TextJudgement, _ wording: Wording) {
        let order: [AllergenVerdict.Word] = [.contains, .likely, .mayContain, .cannotTell, .notFoundInText]
        var lines: [String] = []
        for word in order {
            for allergen in Allergen.allCases where judgement.verdicts[allergen]?.verdict == word {
                let found = judgement.findings.filter { $0.allergen == allergen }.flatMap(\.evidence).map(\.text)
                let shown = found.isEmpty ? "" : "  [\(found.joined(separator: ", "))]"
                let own = Set(judgement.findings.filter { $0.allergen == .personal }.compactMap(\.leaf)).sorted()
                let isOwn = allergen == .personal && !own.isEmpty
                lines.append(
                    (isOwn
                        ? wording.sentence(word, on: own.joined(separator: ", "))
                        : wording.sentence(word, on: allergen))
                        + shown)
            }
        }
        self.lines = lines + ["", wording.limits, wording.emergency]
    }
}
