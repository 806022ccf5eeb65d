import Core
import Foundation
import Risk

/// What is on file about the ingredients of a label: what stands out first, each statement once, with numbered references.
struct RiskSheet {
    /// An ingredient with a level, which opens its sheet.
    struct Concern {
        struct Dot { let isFull: Bool }

        let name, why, level, address: String
        let dots: [Dot]
    }

    /// An ingredient without a level, with its share where it is printed.
    struct Ordinary { let text, address: String }

    /// A statement, with the ingredients that it concerns.
    struct Shared {
        let names: String
        let line: Line
    }

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
    /// The Nutri-Score and the NOVA group; nil if they were not computed.
    let grade, group: String?
    let facts: [Fact]
    /// The most severe, and the rest of those with a level.
    let concerns, others: [Concern]
    let hasConcerns: Bool
    let othersHead: String?
    let ordinary: [Ordinary]
    let ordinaryHead: String?
    let statements: [Shared]
    let hasStatements: Bool
    let groups: [Group]
    let hasLimits: Bool
    let limits: [String]
    let hasReferences: Bool
    let references: [Reference]

    private static let mostConcerns = 3

    /// - Parameters:
    ///   - photo: whose label it is.
    ///   - release: gives the sentences in the reader's language; nil shows those of the outcome.
    init(assessment: IngredientAssessment, of photo: String, release: EvidenceRelease?, texts: PageTexts) {
        let words = Words(release: release, texts: texts)
        place = words.place(assessment)
        grade = assessment.components.nutrition.grade
        group = assessment.components.processing.nova_group.map { "\($0)" }
        facts = words.facts(assessment.components)
        let all = Array(assessment.sheets.enumerated())
        func address(_ index: Int) -> String { "/photos/\(photo)/ingredients/\(index + 1)" }
        let levelled = all.filter { $0.element.level != "none" }.map { index, one in
            Concern(
                name: one.ingredient.name, why: words.why(one.ingredient), level: texts.text("risk.\(one.level)"),
                address: address(index), dots: (1...3).map { .init(isFull: $0 <= Self.bars[one.level] ?? 0) })
        }
        concerns = Array(levelled.prefix(Self.mostConcerns))
        hasConcerns = !concerns.isEmpty
        others = Array(levelled.dropFirst(Self.mostConcerns))
        othersHead = others.isEmpty ? nil : texts.text("risk.others", ["n": "\(others.count)"])
        ordinary = all.filter { $0.element.level == "none" }.map { index, one in
            Ordinary(text: words.named(one.ingredient), address: address(index))
        }
        ordinaryHead = ordinary.isEmpty ? nil : texts.text("risk.ordinary", ["n": "\(ordinary.count)"])
        statements = words.shared(assessment.sheets.map(\.ingredient))
        hasStatements = !statements.isEmpty
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

    private static let bars = ["high": 3, "moderate": 2, "low": 1]
}

extension IngredientAssessment {
    /// The ingredients that have a sheet, the most severe first, with the key of their level.
    fileprivate var sheets: [(level: String, ingredient: Ingredient)] {
        [("high", high_risk), ("moderate", moderate_risk), ("low", low_risk), ("none", no_level)].flatMap {
            level, list in list.map { (level, $0) }
        }
    }
}

/// The page of one ingredient; with script it slides over the page of its label.
struct IngredientPage: Page {
    static let template = "ingredient"
    static let styles = ["result", "risk"]

    let heading, back, place: String
    let ingredient: RiskSheet.Ingredient
    let hasReferences: Bool
    let references: [RiskSheet.Reference]

    /// Nil if the label has no ingredient of this number, from 1.
    init?(
        _ number: Int, in assessment: IngredientAssessment, of photo: String, release: EvidenceRelease?,
        _ texts: PageTexts
    ) {
        let words = Words(release: release, texts: texts)
        let all = assessment.sheets
        guard all.indices.contains(number - 1) else { return nil }
        let (level, one) = all[number - 1]
        heading = one.name
        back = "/photos/\(photo)#risk"
        place = words.place(assessment)
        ingredient = words.ingredient(one, level, anchor: "sheet")
        let cited = Set(one.statements.flatMap(\.citations) + (one.dose?.citations ?? []) + one.citations.suffix(1))
        references = assessment.citations.filter { cited.contains($0.id) }.map { RiskSheet.Reference($0) }
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

    func place(_ assessment: IngredientAssessment) -> String {
        assessment.jurisdiction.map {
            texts.text("risk.place", ["place": texts.text("jurisdiction.\($0)")])
        } ?? texts.text("risk.place.none")
    }

    /// The name with its share where it is printed.
    func named(_ one: IngredientAssessment.Ingredient) -> String {
        let share = one.percent.map { $0 == $0.rounded() ? " \(Int($0)) %" : " \($0) %" } ?? ""
        return one.name + share
    }

    /// A few words on what it is: its share and its uses.
    func why(_ one: IngredientAssessment.Ingredient) -> String {
        let uses = one.common_uses.prefix(2).map { release?.className($0, language: texts.language) ?? $0 }
        let share = one.percent.map { $0 == $0.rounded() ? "\(Int($0)) %" : "\($0) %" }
        return ([share].compactMap(\.self) + uses).joined(separator: ", ")
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
