import Core
import Foods

/// The sentences of a sheet in the reader's language.
struct RiskWords {
    let release: EvidenceRelease?
    let texts: PageTexts
    /// The documents of the assessment.
    let citations: [IngredientAssessment.Citation]

    /// The texts of the reasons why there is no Nutri-Score.
    private static let noScore = [
        "category without Nutri-Score": "risk.nutri.exempt", "nutrition not per 100 g": "risk.nutri.perServing",
        "nutrition incomplete": "risk.nutri.incomplete",
    ]
    private static let bars = ["high": "high", "moderate": "medium", "low": "low"]
    /// Kinds of statements about law and labels.
    private static let law: Set = ["legal-status", "listing", "label-rule", "label-warning", "allergen-legal"]

    func place(_ assessment: IngredientAssessment) -> String {
        assessment.jurisdiction.map {
            texts.text("risk.place", ["place": texts.text("jurisdiction.\($0)")])
        } ?? texts.text("risk.place.none")
    }

    /// The name with its share where it is printed.
    func named(_ one: IngredientAssessment.Ingredient) -> String {
        [one.name, share(of: one)].compactMap(\.self).joined(separator: " ")
    }

    /// `13 %`; nil if the label does not state it.
    private func share(of one: IngredientAssessment.Ingredient) -> String? {
        one.percent.map { $0 == $0.rounded() ? "\(Int($0)) %" : "\($0) %" }
    }

    /// A few words on what it is: its share and its uses.
    func why(_ one: IngredientAssessment.Ingredient) -> String {
        let uses = uses(of: one).prefix(2)
        return ([share(of: one)].compactMap(\.self) + uses).joined(separator: ", ")
    }

    private func uses(of one: IngredientAssessment.Ingredient) -> [String] {
        one.common_uses.map { release?.useName($0, language: texts.language) ?? $0 }
    }

    /// Each statement once, with the ingredients that it concerns.
    func shared(_ ingredients: [IngredientAssessment.Ingredient]) -> [RiskSheet.Shared] {
        var order: [String] = []
        var names: [String: [String]] = [:]
        var lines: [String: RiskSheet.Line] = [:]
        for one in ingredients {
            for statement in one.statements {
                let shown = line(statement)
                let key = shown.text + "|" + shown.meta
                if lines[key] == nil { order.append(key) }
                lines[key] = shown
                names[key, default: []].append(one.name)
            }
        }
        return order.compactMap { key in
            lines[key].map { .init(names: (names[key] ?? []).joined(separator: ", "), line: $0) }
        }
    }

    func ingredient(
        _ one: IngredientAssessment.Ingredient, _ level: String, anchor: String
    ) -> RiskSheet.Ingredient {
        let parts = [
            ("risk.health", one.statements.filter { !Self.law.contains($0.kind) }),
            ("risk.law", one.statements.filter { Self.law.contains($0.kind) }),
        ].filter { !$0.1.isEmpty }
        return .init(
            name: one.name, anchor: anchor, style: level, level: texts.text("risk.\(level)"), bars: Self.bars[level],
            overview: overview(one), uses: uses(of: one),
            nothing: nothing(one),
            dose: one.dose.map { .init(text: $0.text, refs: marks($0.citations)) },
            parts: parts.map { key, statements in .init(head: texts.text(key), lines: statements.map(line)) })
    }

    /// Since when the release has no description, or no statement, of the ingredient.
    private func nothing(_ one: IngredientAssessment.Ingredient) -> [String] {
        let language = texts.language
        let description = release?.nothing(.description, on: one.subjects, language: language)
        let evidence = release?.nothing(.evidence, on: one.subjects, language: language) ?? one.risk
        return [one.overview == nil ? description : nil, one.statements.isEmpty ? evidence : nil].compactMap {
            $0.map { $0 + "." }
        }
    }

    private func overview(_ one: IngredientAssessment.Ingredient) -> RiskSheet.Overview? {
        guard let stored = one.overview else { return nil }
        let (text, numbers) = knownOverview(of: one) ?? (stored, Array(one.citations.suffix(1)))
        return .init(text: text, refs: marks(numbers))
    }

    /// The numbers of the documents behind the overview.
    func overviewCitations(of one: IngredientAssessment.Ingredient) -> [Int] {
        one.overview == nil ? [] : knownOverview(of: one)?.1 ?? Array(one.citations.suffix(1))
    }

    /// The overview in the reader's language; nil if the release cites documents that the stored assessment lacks.
    private func knownOverview(of one: IngredientAssessment.Ingredient) -> (String, [Int])? {
        guard let known = release?.overview(of: one.subjects, language: texts.language) else { return nil }
        let numbers = known.references.compactMap { ref in citations.first { $0.ref == ref }?.id }
        return numbers.count == known.references.count ? (known.text, numbers) : nil
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
