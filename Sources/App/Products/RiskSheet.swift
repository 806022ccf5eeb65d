import HTTP
import Core
import Foundation
import Risk

/// The ingredient sheet of a label: what is on file, with numbered references.
struct RiskSheet {
    let assessment: IngredientAssessment
    /// Gives the sentences in the reader's language; nil shows those of the outcome.
    let release: EvidenceRelease?
    let texts: PageTexts

    func values() -> Values {
        let groups: [(String, [IngredientAssessment.Ingredient])] = [
            ("high", assessment.high_risk), ("moderate", assessment.moderate_risk), ("low", assessment.low_risk),
            ("none", assessment.no_level),
        ]
        var ingredients: [Values] = []
        for (level, list) in groups {
            for one in list { ingredients.append(ingredient(one, level, anchor: "ri\(ingredients.count + 1)")) }
        }
        let rest = [("noevidence", assessment.no_evidence), ("unread", assessment.not_read)].filter { !$0.1.isEmpty }
        let limits = assessment.limits.compactMap {
            AssessmentText.limits[$0]?[texts.language == "de" ? 1 : 0]
        }
        return [
            "place": assessment.jurisdiction.map {
                texts.text("risk.place", ["place": texts.text("jurisdiction.\($0)")])
            }
                ?? texts.text("risk.place.none"),
            "facts": facts, "ingredients": ingredients,
            "groups": rest.map { key, list -> Values in
                [
                    "names": list.map(\.name).joined(separator: ", "), "level": texts.text("risk.\(key)"),
                    "text": texts.text("risk.\(key).text"),
                ]
            },
            "limits": limits, "hasLimits": !limits.isEmpty, "hasReferences": !assessment.citations.isEmpty,
            "references": assessment.citations.map(reference),
        ]
    }

    /// The texts of the reasons why there is no Nutri-Score.
    private static let noScore = [
        "category without Nutri-Score": "risk.nutri.exempt", "nutrition not per 100 g": "risk.nutri.perServing",
        "nutrition incomplete": "risk.nutri.incomplete",
    ]
    private static let bars = ["high": "high", "moderate": "medium", "low": "low"]

    private func ingredient(_ one: IngredientAssessment.Ingredient, _ level: String, anchor: String) -> Values {
        var values: Values = [
            "name": one.name, "anchor": anchor, "style": level, "level": texts.text("risk.\(level)"),
            "uses": uses(one), "hasUses": !one.common_uses.isEmpty,
        ]
        if let stored = one.overview, let citation = one.citations.last {
            values["overview"] = release?.overview(of: one.subjects, language: texts.language) ?? stored
            values["overviewRef"] = "\(citation)"
        }
        if let bars = Self.bars[level] { values["bars"] = bars }
        if let dose = one.dose {
            values["dose"] = dose.text
            values["doseRefs"] = marks(dose.citations)
        }
        let law: Set<String> = ["legal-status", "listing", "label-rule", "label-warning", "allergen-legal"]
        let parts = [
            ("risk.health", one.statements.filter { !law.contains($0.kind) }),
            ("risk.law", one.statements.filter { law.contains($0.kind) }),
        ].filter { !$0.1.isEmpty }
        values["parts"] = parts.map { key, statements -> Values in
            ["head": texts.text(key), "lines": statements.map(line)]
        }
        return values
    }

    private func uses(_ one: IngredientAssessment.Ingredient) -> [String] {
        one.common_uses.map { release?.className($0, language: texts.language) ?? $0 }
    }

    private func line(_ one: IngredientAssessment.Statement) -> Values {
        let evidence = texts.text("risk.ev.\(one.evidence_level)")
        let meta = [
            one.jurisdiction == "INT" ? nil : one.jurisdiction, one.body, one.date ?? texts.text("risk.undated"),
            texts.text("risk.status"), evidence,
            one.effective.map { texts.text("risk.from", ["date": $0]) },
        ]
        return [
            "text": release?.sentence(of: one.id, language: texts.language) ?? one.text,
            "meta": meta.compactMap(\.self).joined(separator: ", "),
            "refs": marks(one.citations),
        ]
    }

    /// Numbers that open a reference.
    private func marks(_ citations: [Int]) -> [Values] {
        citations.map { ["n": "\($0)", "spoken": texts.text("risk.source", ["n": "\($0)"])] }
    }

    private func reference(_ one: IngredientAssessment.Citation) -> Values {
        // Only web addresses become links.
        let url = URL(string: one.url).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
        return [
            "n": "\(one.id)", "source": one.source, "year": "\(one.year)", "title": one.title,
            "url": url?.absoluteString ?? "#ref\(one.id)", "host": url?.host() ?? one.ref,
        ]
    }

    /// The three components, never added up.
    private var facts: [Values] {
        let components = assessment.components
        let nutrition =
            components.nutrition.grade.map {
                texts.text("risk.nutri.value", ["grade": $0, "points": "\(components.nutrition.score ?? 0)"])
            } ?? texts.text(components.nutrition.reason.flatMap { Self.noScore[$0] } ?? "risk.nutri.none")
        let additives = components.additives
        let counts = [
            ("high", additives.high), ("moderate", additives.moderate), ("low", additives.low),
            ("none", additives.no_level), ("noevidence", additives.no_evidence),
        ].filter { !$0.1.isEmpty }.map { key, names in
            "\(names.count) \(texts.text("risk.\(key)")): \(names.joined(separator: ", "))"
        }
        let processing = components.processing
        let nova =
            processing.nova_group.map { group in
                // Who disputes it is in the reference; without one the sheet names the group only.
                let key = processing.citations.isEmpty ? ".uncited" : ""
                let words = processing.markers.prefix(6).map(\.text).joined(separator: ", ")
                return words.isEmpty
                    ? texts.text("risk.nova.plain\(key)", ["n": "\(group)"])
                    : texts.text("risk.nova.value\(key)", ["n": "\(group)", "words": words])
            } ?? texts.text("risk.nova.none")
        return [
            ["head": texts.text("risk.nutri"), "text": nutrition, "refs": marks(components.nutrition.citations)],
            [
                "head": texts.text("risk.additives"),
                "text": counts.isEmpty ? texts.text("risk.additives.none") : counts.joined(separator: "; "),
                "refs": marks([]),
            ],
            ["head": texts.text("risk.nova"), "text": nova, "refs": marks(processing.citations)],
        ]
    }
}
