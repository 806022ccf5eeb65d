import Core
import Foods
import Foundation

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
        let uses: [String]
        /// Since when there is no description or no statement.
        let nothing: [String]
        let dose: Dose?
        let parts: [Part]
    }

    struct Overview {
        let text: String
        let refs: [Mark]
    }

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

    /// Ingredients without a statement.
    struct Group {
        struct Name {
            let text: String
            /// Its sheet; nil for a name that was not looked up.
            let address: String?
        }

        let level, text: String
        let names: [Name]
    }

    struct Reference { let n, source, year, title, url, host: String }

    let place: String
    /// The Nutri-Score and the NOVA group; nil if they were not computed.
    let grade, group: String?
    let facts: [Fact]
    /// The most severe, and the rest of those with a level.
    let concerns, others: [Concern]
    let othersHead: String?
    let ordinary: [Ordinary]
    let ordinaryHead: String?
    let statements: [Shared]
    let groups: [Group]
    let limits: [String]
    let references: [Reference]

    private static let mostConcerns = 3

    /// - Parameters:
    ///   - photo: whose label it is.
    ///   - release: gives the sentences in the reader's language; nil shows those of the outcome.
    init(assessment: IngredientAssessment, of photo: String, release: EvidenceRelease?, texts: PageTexts) {
        let words = RiskWords(release: release, texts: texts, citations: assessment.citations)
        place = words.place(assessment)
        grade = assessment.components.nutrition.grade
        group = assessment.components.processing.nova_group.map { "\($0)" }
        facts = words.facts(assessment.components)
        let all = Array(assessment.sheets.enumerated())
        func address(_ index: Int) -> String { "/photos/\(photo)/ingredients/\(index + 1)" }
        let levelled = all.filter { Self.bars[$0.element.level] != nil }.map { index, one in
            Concern(
                name: one.ingredient.name, why: words.why(one.ingredient), level: texts.text("risk.\(one.level)"),
                address: address(index), dots: (1...3).map { .init(isFull: $0 <= Self.bars[one.level] ?? 0) })
        }
        concerns = Array(levelled.prefix(Self.mostConcerns))
        others = Array(levelled.dropFirst(Self.mostConcerns))
        othersHead = others.isEmpty ? nil : texts.text("risk.others", ["n": "\(others.count)"])
        ordinary = all.filter { $0.element.level == "none" }.map { index, one in
            Ordinary(text: words.named(one.ingredient), address: address(index))
        }
        ordinaryHead = ordinary.isEmpty ? nil : texts.text("risk.ordinary", ["n": "\(ordinary.count)"])
        statements = words.shared(assessment.sheets.map(\.ingredient))
        let silent = all.filter { $0.element.level == "noevidence" }.map { index, one in
            Group.Name(text: one.ingredient.name, address: address(index))
        }
        let unread = assessment.not_read.map { Group.Name(text: $0.name, address: nil) }
        groups = [("noevidence", silent), ("unread", unread)].filter { !$0.1.isEmpty }.map { key, names in
            Group(
                level: texts.text("risk.\(key)"),
                text: texts.text("risk.\(key).text", ["day": release?.date ?? "–"]), names: names)
        }
        limits = assessment.limits.compactMap { AssessmentText.limits[$0]?[texts.language == "de" ? 1 : 0] }
        // The documents of an overview are cited on the sheet of the ingredient only.
        let components = assessment.components
        let cited = Set(
            all.flatMap { $0.element.ingredient.statements.flatMap(\.citations) } + components.nutrition.citations
                + components.processing.citations)
        references = assessment.citations.filter { cited.contains($0.id) }.map { Reference($0) }
    }

    private static let bars = ["high": 3, "moderate": 2, "low": 1]
}

extension IngredientAssessment {
    /// The ingredients that have a sheet, the most severe first, with the key of their level.
    var sheets: [(level: String, ingredient: Ingredient)] {
        let lists = [
            ("high", high_risk), ("moderate", moderate_risk), ("low", low_risk), ("none", no_level),
            ("noevidence", no_evidence),
        ]
        return lists.flatMap { level, list in list.map { (level, $0) } }
    }
}

extension RiskSheet.Reference {
    init(_ one: IngredientAssessment.Citation) {
        // Only web addresses become links.
        let address = URL(string: one.url).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
        self.init(
            n: "\(one.id)", source: one.source, year: "\(one.year)", title: one.title,
            url: address?.absoluteString ?? "#ref\(one.id)", host: address?.host() ?? one.ref)
    }
}

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
        let words = RiskWords(release: release, texts: texts, citations: assessment.citations)
        let all = assessment.sheets
        guard all.indices.contains(number - 1) else { return nil }
        let (level, one) = all[number - 1]
        heading = one.name
        back = "/photos/\(photo)#risk"
        place = words.place(assessment)
        ingredient = words.ingredient(one, level, anchor: "sheet")
        let cited = Set(
            one.statements.flatMap(\.citations) + (one.dose?.citations ?? []) + words.overviewCitations(of: one))
        references = assessment.citations.filter { cited.contains($0.id) }.map { RiskSheet.Reference($0) }
    }
}
