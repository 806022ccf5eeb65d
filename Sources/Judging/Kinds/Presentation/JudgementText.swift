import Allergens
import Core

/// A text's judgement in a few lines.
package struct JudgementText {
    package let lines: [String]

    package init(_ judgement: TextJudgement, _ wording: Wording) {
        let order: [AllergenVerdict.Kind] = [.contains, .likely, .mayContain, .cannotTell, .notFoundInText]
        var lines: [String] = []
        for word in order {
            for allergen in Allergen.allCases {
                guard let verdict = judgement.verdicts[allergen], verdict.verdict == word else { continue }
                let found = judgement.findings.filter { $0.allergen == allergen }.flatMap(\.evidence).map(\.text)
                let shown = found.isEmpty ? "" : "  [\(found.joined(separator: ", ").printable)]"
                let reason = word == .cannotTell ? verdict.reason.flatMap(wording.reason).map { " (\($0))" } : nil
                let own = Set(judgement.findings.filter { $0.allergen == .personal }.compactMap(\.leaf)).sorted()
                let isOwn = allergen == .personal && !own.isEmpty
                lines.append(
                    (isOwn
                        ? wording.sentence(word, on: own.joined(separator: ", "))
                        : wording.sentence(word, on: allergen))
                        + (reason ?? "") + shown)
            }
        }
        self.lines = lines + ["", wording.limits, wording.emergency]
    }
}
