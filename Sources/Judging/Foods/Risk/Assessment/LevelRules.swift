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

    /// The rules, strongest first.
    private enum Rule: String, CaseIterable {
        case prohibited = "high.prohibited"
        case concern = "high.concern"
        case meanAboveValue = "high.mean-above-value"
        case group1WithDose = "high.group-1-with-dose"
        case concernHighIntake = "moderate.concern-high-intake"
        case highAboveValue = "moderate.high-above-value"
        case mandatoryWarning = "moderate.mandatory-warning"
        case intakeGuideline = "moderate.intake-guideline"
        case groupByMouth = "moderate.group-by-mouth"
        case noConcern = "low.no-concern"
        case belowValue = "low.below-value"

        var level: IngredientAssessment.Level {
            switch self {
            case .prohibited, .concern, .meanAboveValue, .group1WithDose: .high
            case .concernHighIntake, .highAboveValue, .mandatoryWarning, .intakeGuideline, .groupByMouth: .moderate
            case .noConcern, .belowValue: .low
            }
        }
    }

    /// - Parameter records: verified and current.
    func result(for records: [EvidenceRelease.Record]) -> Result {
        let hasDose = records.contains { $0.statement.kind == "dose-response" }
        for rule in Rule.allCases {
            let deciding = records.indices.filter { decides(rule, records[$0].statement, hasDose: hasDose) }
            guard !deciding.isEmpty else { continue }
            return Result(
                level: rule.level, rule: rule.rawValue, deciding: deciding, isProhibited: rule == .prohibited)
        }
        return Result()
    }

    private func decides(_ rule: Rule, _ one: EvidenceFile.Statement, hasDose: Bool) -> Bool {
        switch rule {
        case .prohibited: isProhibited(one)
        case .concern: one.finding == .concern
        case .meanAboveValue: one.finding == .meanAboveValue
        case .group1WithDose: hasDose && (one.kind == "dose-response" || isOral(one, ["1"]))
        case .concernHighIntake: one.finding == .concernHighIntake
        case .highAboveValue: one.finding == .highAboveValue
        case .mandatoryWarning: one.kind == "label-warning" && applies(one)
        case .intakeGuideline: one.kind == "intake-guideline"
        case .groupByMouth: isOral(one, ["1", "2A"])
        case .noConcern: one.finding == .noConcern
        case .belowValue: one.finding == .belowValue
        }
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
