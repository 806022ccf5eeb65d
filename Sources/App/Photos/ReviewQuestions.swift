import HTTP
import Core
import Foundation
import Store
import Synchronization

/// An unsure verdict that a person may decide.
struct ReviewQuestion: Sendable {
    /// The photo's id.
    var id: String
    /// The photo's title.
    var title: String?
    /// The dish's name, `label`, or a product number.
    var item: String
    var allergen: Allergen
    /// The person with the most serious verdict.
    var person: String
    var verdict: AllergenVerdict
    var findings: [AllergenFinding]
    /// Where the item is printed, pixels of the upright photo.
    var box: Quad?
    var width, height: Int
    /// Record and label give different verdicts.
    var isContradiction: Bool

    /// A stable name of the question in addresses.
    var key: String { "\(id)|\(item)|\(allergen.rawValue)" }
}

extension ReviewQuestion {
    /// A warning below this probability is asked about.
    private static let sure = 0.85

    /// The unsure verdicts of one photo that nobody has decided, most serious first.
    static func all(in outcome: Outcome) -> [ReviewQuestion] {
        guard let id = outcome.id else { return [] }
        var found: [ReviewQuestion] = []
        func add(
            _ item: String, _ verdicts: Verdicts, _ findings: [AllergenFinding], _ box: Quad?,
            _ differing: Set<Allergen>
        ) {
            var worst: [Allergen: (person: String, verdict: AllergenVerdict)] = [:]
            for (person, own) in verdicts.sorted(by: { $0.key < $1.key }) {
                for (allergen, verdict) in own where allergen != .personal {
                    if let known = worst[allergen], known.verdict.verdict.severity >= verdict.verdict.severity {
                        continue
                    }
                    worst[allergen] = (person, verdict)
                }
            }
            for (allergen, entry) in worst where entry.verdict.by == nil {
                let verdict = entry.verdict
                let isUnsure =
                    verdict.verdict == .likely
                    || verdict.verdict.isWarning && verdict.probability < sure && verdict.verdict != .mayContain
                guard isUnsure || differing.contains(allergen) else { continue }
                found.append(
                    ReviewQuestion(
                        id: id, title: outcome.title, item: item, allergen: allergen, person: entry.person,
                        verdict: verdict, findings: findings.filter { $0.allergen == allergen }, box: box,
                        width: outcome.source.width ?? 0, height: outcome.source.height ?? 0,
                        isContradiction: differing.contains(allergen)))
            }
        }
        for item in outcome.menu?.sections.flatMap(\.items) ?? [] {
            add(item.name, item.verdicts, item.findings, item.box, [])
        }
        let differing = Set((outcome.products ?? []).flatMap { $0.contradictions ?? [] }.map(\.allergen))
        if let label = outcome.label { add("label", label.verdicts, label.findings, nil, differing) }
        return found.sorted {
            (rank($0), $1.item, $1.allergen.rawValue) > (rank($1), $0.item, $0.allergen.rawValue)
        }
    }

    static func rank(_ question: ReviewQuestion) -> Double {
        (question.isContradiction ? 100 : 0) + Double(question.verdict.verdict.severity) * 10
            + question.verdict.probability
    }
}

/// The questions of photos that were looked at before: an outcome is decoded once, not for each request.
final class ReviewQuestions: Sendable {
    private struct Entry {
        var outcome: Data
        var questions: [ReviewQuestion]
        var use: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: photos that are remembered, at least 1.
    init(most: Int = 128) { self.most = max(1, most) }

    /// Number of remembered photos.
    var count: Int { state.withLock { $0.entries.count } }

    /// The questions of an outcome; `json` decides whether it is still the one that was decoded.
    func all(of id: String, in json: Data) throws -> [ReviewQuestion] {
        let known = state.withLock { state -> [ReviewQuestion]? in
            state.uses += 1
            guard state.entries[id]?.outcome == json else { return nil }
            state.entries[id]?.use = state.uses
            return state.entries[id]?.questions
        }
        if let known { return known }
        let questions = ReviewQuestion.all(in: try JSONCoding.decode(Outcome.self, from: json))
        state.withLock { state in
            state.entries[id] = Entry(outcome: json, questions: questions, use: state.uses)
            guard state.entries.count > most else { return }
            let oldest = state.entries.min { $0.value.use < $1.value.use }
            if let oldest { state.entries[oldest.key] = nil }
        }
        return questions
    }
}
