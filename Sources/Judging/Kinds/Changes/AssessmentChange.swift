import Core

/// An ingredient about which another evidence release says something else.
package struct AssessmentChange: Sendable, Hashable, Codable {
    /// The hash of the photo's content, `sha256:…`.
    package var id: String?
    package var path: String
    /// The name of the ingredient, as printed.
    package var ingredient: String
    /// Nil without a level, and for an ingredient that was not there before.
    package var before, after: IngredientAssessment.Level?
    /// Ids of the statements that came, went or read differently.
    package var statements: [String]

    /// What an assessment says about one ingredient.
    struct State: Sendable, Hashable {
        struct Statement: Sendable, Hashable {
            var id, text: String
        }

        var level: IngredientAssessment.Level?
        var rule: String?
        var statements: [Statement]

        init(level: IngredientAssessment.Level?, rule: String?, statements: [Statement]) {
            self.level = level
            self.rule = rule
            self.statements = statements
        }

        init(_ ingredient: IngredientAssessment.Ingredient) {
            level = ingredient.risk_level
            rule = ingredient.rule
            statements = ingredient.statements.map { .init(id: $0.id, text: $0.text) }
        }
    }

    /// The ingredients that differ between two judgements of one photo. Outcomes that were stored before there were
    /// assessments announce nothing.
    package static func between(_ old: JudgedOutcome, _ new: JudgedOutcome) -> [AssessmentChange] {
        guard old.versions.risk != nil, old.ingredients != new.ingredients else { return [] }
        return Set(old.ingredients.keys).union(new.ingredients.keys).sorted().compactMap { name in
            let (before, after) = (old.ingredients[name], new.ingredients[name])
            guard before != after else { return nil }
            let changed = Set(before?.statements ?? []).symmetricDifference(after?.statements ?? [])
            return AssessmentChange(
                id: new.id, path: new.path, ingredient: name, before: before?.level, after: after?.level,
                statements: Set(changed.map(\.id)).sorted())
        }
    }
}
