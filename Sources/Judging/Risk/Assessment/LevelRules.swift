import Core

/// The level of an ingredient, from the conclusions of its current statements. Each rule has an id.
struct LevelRules {
    /// `EU`, `US`, `US-CA`; nil if unknown.
    let jurisdiction: String?
    /// The day of the reading, `yyyy-MM-dd`.
    let date: String

    struct Result {
        var level: IngredientAssessment.Level?
        /// The rule's id; nil without a level.
        var rule: String?
        /// Positions of the statements that decided.
        var deciding: [Int] = []
        /// True if the use is prohibited in the jurisdiction on the day.
        var isProhibited = false
    }

    private typealias Rule = (id: String, level: IngredientAssessment.Level, (EvidenceFile.Statement) -> Bool)

    /// - Parameter statements: verified and current.
    func result(for statements: [EvidenceFile.Statement]) -> Result {
        let hasDose = statements.contains { $0.kind == "dose-response" }
        let rules: [Rule] = [
            ("high.prohibited", .high, { isProhibited($0) }),
            ("high.concern", .high, { $0.finding == .concern }),
            ("high.mean-above-value", .high, { $0.finding == .meanAboveValue }),
            ("high.group-1-with-dose", .high, { hasDose && ($0.kind == "dose-response" || isOral($0, ["1"])) }),
            ("moderate.concern-high-intake", .moderate, { $0.finding == .concernHighIntake }),
            ("moderate.high-above-value", .moderate, { $0.finding == .highAboveValue }),
            ("moderate.mandatory-warning", .moderate, { $0.kind == "label-warning" && applies($0) }),
            ("moderate.intake-guideline", .moderate, { $0.kind == "intake-guideline" }),
            ("moderate.group-by-mouth", .moderate, { isOral($0, ["1", "2A"]) }),
            ("low.no-concern", .low, { $0.finding == .noConcern }),
            ("low.below-value", .low, { $0.finding == .belowValue }),
        ]
        for rule in rules {
            let deciding = statements.indices.filter { rule.2(statements[$0]) }
            guard !deciding.isEmpty else { continue }
            return Result(
                level: rule.level, rule: rule.id, deciding: deciding, isProhibited: rule.id == "high.prohibited")
        }
        return Result()
    }

    /// True if the law of the statement applies to the user. An unknown jurisdiction gets all warnings.
    private func applies(_ one: EvidenceFile.Statement) -> Bool {
        guard let jurisdiction else { return true }
        return one.jurisdiction == jurisdiction || one.jurisdiction == "INT"
            || jurisdiction.hasPrefix(one.jurisdiction + "-")
    }

    /// Only where the law is known to be the user's, and from the day on which it applies.
    private func isProhibited(_ one: EvidenceFile.Statement) -> Bool {
        guard one.finding == .prohibited, jurisdiction != nil, applies(one) else { return false }
        guard let from = one.effective ?? one.date else { return true }
        return from <= date
    }

    /// Hazard classes count only for intake by mouth of the substance itself.
    private func isOral(_ one: EvidenceFile.Statement, _ groups: Set<String>) -> Bool {
        guard one.kind == "hazard-classification", one.finding != .contaminant, let group = one.group else {
            return false
        }
        return groups.contains(group) && one.route == "oral"
    }
}
