import Core
import Foundation
import Risk

/// The ingredient sheet of a label: what is on file, with numbered references.
struct RiskSheet {
    /// A number that opens a reference.
    struct Mark { let n, spoken: String }

    /// One of the three components, which are never added up.
    struct Fact {
        let head, text: String
        let refs: [Mark]
    }

    struct Ingredient {
        let name, anchor, style, level: String
        /// How many bars are full; nil for an ingredient without a level.
        let bars: String?
        let overview: Overview?
        let hasUses: Bool
        let uses: [String]
        let dose: Dose?
        let parts: [Part]
    }

    struct Overview { let text, n: String }

    struct Dose {
        let text: String
        let refs: [Mark]
    }

    /// Health, or law and labels.
    struct Part {
        let head: String
        let lines: [Line]
    }

    struct Line {
        let text, meta: String
        let refs: [Mark]
    }

    /// Ingredients of which nothing is known.
    struct Group { let names, level, text: String }

    struct Reference { let n, source, year, title, url, host: String }

    let place: String
    let facts: [Fact]
    let ingredients: [Ingredient]
    let groups: [Group]
    let hasLimits: Bool
    let limits: [String]
    let hasReferences: Bool
    let references: [Reference]

    /// - Parameter release: gives the sentences in the reader's language; nil shows those of the outcome.
    init(assessment: IngredientAssessment, release: EvidenceRelease?, texts: PageTexts) {
        let words = Words(release: release, texts: texts)
        place =
            assessment.jurisdiction.map {
                texts.text("risk.place", ["place": texts.text("jurisdiction.\($0)")])
            } ?? texts.text("risk.place.none")
        facts = words.facts(assessment.components)
        let levels = [
            ("high", assessment.high_risk), ("moderate", assessment.moderate_risk), ("low", assessment.low_risk),
            ("none", assessment.no_level),
        ].flatMap { level, list in list.map { (level, $0) } }
        ingredients = levels.enumerated().map { index, one in words.ingredient(one.1, one.0, anchor: "ri\(index + 1)") }
        groups = [("noevidence", assessment.no_evidence), ("unread", assessment.not_read)].filter { !$0.1.isEmpty }.map
        {
            key, list in
            Group(
                names: list.map(\.name).joined(separator: ", "), level: texts.text("risk.\(key)"),
                text: texts.text("risk.\(key).text"))
        }
        limits = assessment.limits.compactMap { AssessmentText.limits[$0]?[texts.language == "de" ? 1 : 0] }
        hasLimits = !limits.isEmpty
        references = assessment.citations.map { Reference($0) }
        hasReferences = !references.isEmpty
    }
}

extension RiskSheet.Reference {
    fileprivate init(_ one: IngredientAssessment.Citation) {
        // Only web addresses become links.
        let address = URL(string: one.url).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
        self.init(
            n: "\(one.id)", source: one.source, year: "\(one.year)", title: one.title,
            url: address?.absoluteString ?? "#ref\(one.id)", host: address?.host() ?? one.ref)
    }
}

/// The sentences of a sheet in the reader's language.
private struct Words {
    let release: EvidenceRelease?
    let texts: PageTexts

    /// The texts of the reasons why there is no Nutri-Score.
    private static let noScore = [
        "category without Nutri-Score": "risk.nutri.exempt", "nutrition not per 100 g": "risk.nutri.perServing",
        "nutrition incomplete": "risk.nutri.incomplete",
    ]
    private static let bars = ["high": "high", "moderate": "medium", "low": "low"]
    /// Kinds of statements about law and labels.
    private static let law: Set = ["legal-status", "listing", "label-rule", "label-warning", "allergen-legal"]

    func ingredient(
        _ one: IngredientAssessment.Ingredient, _ level: String, anchor: String
    ) -> RiskSheet.Ingredient {
        let parts = [
            ("risk.health", one.statements.filter { !Self.law.contains($0.kind) }),
            ("risk.law", one.statements.filter { Self.law.contains($0.kind) }),
        ].filter { !$0.1.isEmpty }
        return .init(
            name: one.name, anchor: anchor, style: level, level: texts.text("risk.\(level)"), bars: Self.bars[level],
            overview: overview(one), hasUses: !one.common_uses.isEmpty,
            uses: one.common_uses.map { release?.className($0, language: texts.language) ?? $0 },
            dose: one.dose.map { .init(text: $0.text, refs: marks($0.citations)) },
            parts: parts.map { key, statements in .init(head: texts.text(key), lines: statements.map(line)) })
    }

    private func overview(_ one: IngredientAssessment.Ingredient) -> RiskSheet.Overview? {
        guard let stored = one.overview, let citation = one.citations.last else { return nil }
        return .init(
            text: release?.overview(of: one.subjects, language: texts.language) ?? stored, n: "\(citation)")
    }

    private func line(_ one: IngredientAssessment.Statement) -> RiskSheet.Line {
        let meta = [
            one.jurisdiction == "INT" ? nil : one.jurisdiction, one.body, one.date ?? texts.text("risk.undated"),
            texts.text("risk.status"), texts.text("risk.ev.\(one.evidence_level)"),
            one.effective.map { texts.text("risk.from", ["date": $0]) },
        ]
        return .init(
            text: release?.sentence(of: one.id, language: texts.language) ?? one.text,
            meta: meta.compactMap(\.self).joined(separator: ", "), refs: marks(one.citations))
    }

    private func marks(_ citations: [Int]) -> [RiskSheet.Mark] {
        citations.map { .init(n: "\($0)", spoken: texts.text("risk.source", ["n": "\($0)"])) }
    }

    func facts(_ components: IngredientAssessment.Components) -> [RiskSheet.Fact] {
        [
            .init(
                head: texts.text("risk.nutri"), text: nutrition(components.nutrition),
                refs: marks(components.nutrition.citations)),
            .init(head: texts.text("risk.additives"), text: additives(components.additives), refs: []),
            .init(
                head: texts.text("risk.nova"), text: processing(components.processing),
                refs: marks(components.processing.citations)),
        ]
    }

    private func nutrition(_ nutrition: IngredientAssessment.Nutrition) -> String {
        guard let grade = nutrition.grade else {
            return texts.text(nutrition.reason.flatMap { Self.noScore[$0] } ?? "risk.nutri.none")
        }
        return texts.text("risk.nutri.value", ["grade": grade, "points": "\(nutrition.score ?? 0)"])
    }

    private func additives(_ additives: IngredientAssessment.Additives) -> String {
        let counts = [
            ("high", additives.high), ("moderate", additives.moderate), ("low", additives.low),
            ("none", additives.no_level), ("noevidence", additives.no_evidence),
        ].filter { !$0.1.isEmpty }.map { key, names in
            "\(names.count) \(texts.text("risk.\(key)")): \(names.joined(separator: ", "))"
        }
        return counts.isEmpty ? texts.text("risk.additives.none") : counts.joined(separator: "; ")
    }

    private func processing(_ processing: IngredientAssessment.Processing) -> String {
        guard let group = processing.nova_group else { return texts.text("risk.nova.none") }
        // Who disputes it is in the reference; without one the sheet names the group only.
        let key = processing.citations.isEmpty ? ".uncited" : ""
        let words = processing.markers.prefix(6).map(\.text).joined(separator: ", ")
        return words.isEmpty
            ? texts.text("risk.nova.plain\(key)", ["n": "\(group)"])
            : texts.text("risk.nova.value\(key)", ["n": "\(group)", "words": words])
    }
}
