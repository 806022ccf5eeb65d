import Core
import Foods

/// The page of one ingredient; with script it slides over the page of its label.
struct IngredientPage: Page {
    static let template = "ingredient"
    static let styles = ["result", "risk"]

    let heading, back, place: String
    let ingredient: RiskSheet.Ingredient
    let references: [RiskSheet.Reference]

    /// Nil if the label has no ingredient of this number, from 1.
    init?(
        _ number: Int, in assessment: IngredientAssessment, of photo: String, release: EvidenceRelease?,
        _ texts: PageTexts
    ) {
        let words = RiskWords(release: release, texts: texts)
        let all = assessment.sheets
        guard all.indices.contains(number - 1) else { return nil }
        let (level, one) = all[number - 1]
        heading = one.name
        back = "/photos/\(photo)#risk"
        place = words.place(assessment)
        ingredient = words.ingredient(one, level, anchor: "sheet")
        let cited = Set(one.statements.flatMap(\.citations) + (one.dose?.citations ?? []) + one.citations.suffix(1))
        references = assessment.citations.filter { cited.contains($0.id) }.map { RiskSheet.Reference($0) }
    }
}
