import Core

extension LabelKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        guard let label = outcome.label else { return [] }
        let count = text.common.phrase(.ingredientsRead, ["n": String(label.ingredients.count)])
        let documents = DocumentText(text.common)
        return ["  \(text.common.domain(.label).padding(8)) \(count)"] + text.verdicts(label.verdicts)
            + (label.nutrition.map(documents.lines) ?? []) + (label.dates.map(documents.lines) ?? [])
    }
}
