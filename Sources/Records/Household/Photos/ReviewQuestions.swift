import Core
import Foundation
import Store

package struct ReviewQuestion: Sendable {
    package var id: String
    package var title: String?
    /// The dish's name as the program read it, `label`, or a product number; and the name of now.
    package var item, name: String
    package var allergen: Allergen
    /// The person with the most serious verdict.
    package var person: String
    package var verdict: AllergenVerdict
    package var findings: [AllergenFinding]
    /// Where the item is printed, pixels of the upright photo.
    package var box: Quad?
    package var width, height: Int
    /// As in `Outcome.quarterTurns`.
    package var quarters: Int
    /// Record and label give different verdicts.
    package var isContradiction: Bool
    package var isAnswered: Bool { verdict.by != nil }

    package func isAsked(by review: Review) -> Bool { review.item == item && review.allergen == allergen }
}

extension ReviewQuestion {
    /// A warning below this probability is asked about.
    private static let sure = 0.85

    /// The unsure verdicts of one photo in the order of the print, those with an answer too.
    static func all(in outcome: Outcome) -> [ReviewQuestion] {
        guard let id = outcome.id else { return [] }
        let turns = outcome.quarterTurns
        var found: [ReviewQuestion] = []
        func add(
            _ item: String, _ name: String, _ verdicts: Verdicts, _ findings: [AllergenFinding], _ box: Quad?,
            _ differing: Set<Allergen> = []
        ) {
            var worst: [Allergen: (person: String, verdict: AllergenVerdict)] = [:]
            for (person, own) in verdicts.sorted(by: { $0.key < $1.key }) {
                for (allergen, verdict) in own where allergen != .personal {
                    if let known = worst[allergen], known.verdict.order >= verdict.order { continue }
                    worst[allergen] = (person, verdict)
                }
            }
            // An answer can change what the program says of the other dishes, and the answered question stays.
            let asked = worst.filter {
                isUnsure($0.value.verdict.own) || differing.contains($0.key) || $0.value.verdict.said != nil
            }.sorted {
                ($0.value.verdict.order, $1.key.rawValue) > ($1.value.verdict.order, $0.key.rawValue)
            }
            found += asked.map { allergen, entry in
                ReviewQuestion(
                    id: id, title: outcome.title, item: item, name: name, allergen: allergen, person: entry.person,
                    verdict: entry.verdict, findings: findings.filter { $0.allergen == allergen }, box: box,
                    width: outcome.source.width ?? 0, height: outcome.source.height ?? 0,
                    quarters: turns,
                    isContradiction: differing.contains(allergen))
            }
        }
        for item in outcome.menu?.sections.flatMap(\.items) ?? [] {
            add(item.corrected?.system?.name ?? item.name, item.name, item.verdicts, item.findings, item.box)
        }
        let differing = Set((outcome.products ?? []).flatMap { $0.contradictions ?? [] }.map(\.allergen))
        if let label = outcome.label {
            add(Review.label, Review.label, label.verdicts, label.findings, nil, differing)
        }
        return found
    }

    private static func isUnsure(_ verdict: AllergenVerdict.Own) -> Bool {
        switch verdict.verdict {
        case .likely: true
        case .contains: verdict.probability < sure
        // What is typical and not probable is asked where it could harm much.
        case .cannotTell:
            verdict.reason != AllergenVerdict.noDeclaration && (verdict.risk == .medium || verdict.risk == .high)
        case .mayContain, .notFoundInText: false
        }
    }

    var rank: Double { (isContradiction ? 100 : 0) + verdict.order }
}

extension AllergenVerdict {
    /// Order by the program's own verdict, which an answer does not change.
    fileprivate var order: Double { Double(own.verdict.severity) * 10 + own.probability }
}
