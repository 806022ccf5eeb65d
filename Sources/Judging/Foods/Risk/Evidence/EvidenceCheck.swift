import Core

/// A record of the release that must not ship.
package struct EvidenceProblem: Sendable, Hashable, Comparable, Codable {
    /// The record's id.
    package var record: String
    /// What is wrong, and what is expected.
    package var detail: String

    package static func < (first: Self, second: Self) -> Bool {
        (first.record, first.detail) < (second.record, second.detail)
    }
}

/// Checks the references of a release: none dangles, none is listed twice, none is expired.
struct EvidenceCheck {
    let evidence: EvidenceFile
    let subjects: SubjectsFile
    let sentences: SentencesFile
    /// The day of the release, `yyyy-MM-dd`.
    let date: String

    private static let kinds: Set<String> = [
        "guidance-value", "risk-assessment", "exposure", "dose-response", "intake-guideline", "intake-reference",
        "hazard-classification", "legal-status", "label-warning", "label-rule", "allergen-legal", "study", "listing",
        EvidenceFile.Statement.definition,
    ]
    private static let jurisdictions: Set<String> = ["EU", "US", "US-CA", "UK", "INT"]

    /// All problems, in the order of the records' ids; empty for a release that may ship.
    var problems: [EvidenceProblem] {
        let documents = Dictionary(evidence.citations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let uses = Set(
            subjects.classes.map(\.id)
                + sentences.words.keys.filter { $0.hasPrefix("use:") }.map { String($0.dropFirst(4)) })
        let known = Set(
            (subjects.additives + subjects.ingredients).map(\.id) + evidence.statements.map(\.id) + documents.keys)
        var problems: [EvidenceProblem] = []
        problems += Self.duplicates(evidence.citations.map(\.id)) + Self.duplicates(evidence.statements.map(\.id))
        problems += Self.duplicates((subjects.additives + subjects.ingredients).map(\.id))
        for citation in evidence.citations { problems += self.problems(of: citation, documents) }
        for statement in evidence.statements {
            problems += self.problems(of: statement, documents, known)
            for use in statement.uses ?? [] where !uses.contains(use) {
                problems.append(EvidenceProblem(record: statement.id, detail: "the use \(use) has no name"))
            }
        }
        // Two definitions of one ingredient would hide each other.
        let defined = evidence.statements.filter(\.isDefinition).flatMap(\.subjects)
        problems += Self.duplicates(defined).map {
            EvidenceProblem(record: $0.record, detail: "more than one definition")
        }
        return problems.sorted()
    }

    private static func duplicates(_ ids: [String]) -> [EvidenceProblem] {
        Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }.keys.map {
            EvidenceProblem(record: $0, detail: "this id is listed twice")
        }
    }

    private func problems(
        of one: EvidenceFile.Citation, _ documents: [String: EvidenceFile.Citation]
    ) -> [EvidenceProblem] {
        var found: [String] = []
        if !one.url.hasPrefix("https://") && !one.url.hasPrefix("http://") { found.append("the address is no URL") }
        if one.url.contains("?term=") || one.url.contains("/search?") || one.url.contains("?q=") {
            found.append("a search is no document: name the document itself")
        }
        if one.title.isEmpty { found.append("the title is empty") }
        if one.kind != "database", one.doi == nil, one.identifier == nil {
            found.append("neither doi nor identifier")
        }
        if !(1800...2100).contains(one.year) { found.append("the year \(one.year) is out of range") }
        if one.verified, one.readIn.isEmpty { found.append("verified, but readIn does not say where") }
        if let next = one.supersededBy, documents[next] == nil {
            found.append("superseded by \(next), which is missing")
        }
        return found.map { EvidenceProblem(record: one.id, detail: $0) }
    }

    private func problems(
        of one: EvidenceFile.Statement, _ documents: [String: EvidenceFile.Citation], _ known: Set<String>
    ) -> [EvidenceProblem] {
        var found: [String] = []
        if one.citations.isEmpty { found.append("no citation") }
        if Set(one.citations).count < one.citations.count { found.append("a citation is listed twice") }
        for id in one.citations {
            guard let document = documents[id] else {
                found.append("cites \(id), which is missing")
                continue
            }
            if one.isCurrent, let next = document.supersededBy {
                found.append("in force, but its document \(id) is superseded by \(next)")
            }
            if one.verified, !document.verified { found.append("verified, but its document \(id) is not") }
        }
        for subject in one.subjects where !known.contains(subject) {
            found.append("is about \(subject), which subjects.json does not list")
        }
        if one.subjects.isEmpty { found.append("no subject") }
        if one.status == .inForce, let next = one.supersededBy { found.append("in force, but superseded by \(next)") }
        if let next = one.supersededBy, !known.contains(next) {
            found.append("superseded by \(next), which is missing")
        }
        if let expires = one.expires, expires < date { found.append("expired on \(expires): check it again") }
        if sentences.sentences[one.sentence] == nil { found.append("no sentence \(one.sentence)") }
        if !Self.kinds.contains(one.kind) { found.append("the kind \(one.kind) is unknown") }
        if !Self.jurisdictions.contains(one.jurisdiction) { found.append("the jurisdiction is unknown") }
        if one.verified, one.readIn.isEmpty { found.append("verified, but readIn does not say where") }
        return found.map { EvidenceProblem(record: one.id, detail: $0) }
    }
}
