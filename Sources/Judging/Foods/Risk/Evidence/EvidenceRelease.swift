import Core
import Foundation

/// The evidence release of `models/risk`, checked and indexed.
package struct EvidenceRelease: Sendable {
    /// One statement with its sentences and its place in the release. A reference, because a label asks for dozens of
    /// records, and a copy would retain some thirty texts each.
    final class Record: Sendable {
        let statement: EvidenceFile.Statement
        /// Indices into `documents`.
        let documents: [Int]
        /// Language → sentence.
        let sentences: [String: String]
        /// True if the output may show it: verified and current.
        let isShown: Bool

        init(statement: EvidenceFile.Statement, documents: [Int], sentences: [String: String], isShown: Bool) {
            self.statement = statement
            self.documents = documents
            self.sentences = sentences
            self.isShown = isShown
        }
    }

    /// A reference type, because copying a release would otherwise retain every part.
    private final class Parts: Sendable {
        let manifest: EvidenceManifest
        let documents: [EvidenceFile.Citation]
        let records: [Record]
        /// The statements that the output may show, from the newest to the oldest; definitions are not among them.
        let shown: [Record]
        /// Subject → the record that says what it is.
        let definitions: [String: Record]
        /// Subject → indices in `shown` of its records, those of its group included.
        let shownBySubject: [String: [Int]]
        let byID, documentByID: [String: Int]
        let subjects: SubjectsFile
        let index: SubjectIndex
        let sentences: SentenceRenderer

        init(
            manifest: EvidenceManifest, documents: [EvidenceFile.Citation], records: [Record],
            bySubject: [String: [Int]], subjects: SubjectsFile, index: SubjectIndex,
            sentences: SentenceRenderer
        ) {
            self.manifest = manifest
            self.documents = documents
            self.records = records
            let order = records.indices.filter { records[$0].isShown && !records[$0].statement.isDefinition }.sorted {
                one, other in
                let (first, second) = (records[one].statement.date ?? "", records[other].statement.date ?? "")
                return first != second ? first > second : one < other
            }
            shown = order.map { records[$0] }
            definitions = Dictionary(
                records.filter { $0.isShown && $0.statement.isDefinition }.flatMap { record in
                    record.statement.subjects.map { ($0, record) }
                }, uniquingKeysWith: { first, _ in first })
            let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
            shownBySubject = bySubject.mapValues { $0.compactMap { places[$0] }.sorted() }
            self.subjects = subjects
            self.index = index
            self.sentences = sentences
            documentByID = Dictionary(
                documents.indices.map { (documents[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
            byID = Dictionary(
                records.indices.map { (records[$0].statement.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private let parts: Parts

    /// Ids of the documents behind the classes of additives, the Nutri-Score and the dispute about NOVA.
    /// A release may lack them; the component then has no citation.
    static let taxonomy = "off:additives"
    static let nutriScoreDocument = "doi:10.1038/s43016-024-00920-3"
    static let novaDispute = "doi:10.1097/nt.0000000000000400"

    /// `2026-11-22.1#0123456789ab`: the version and the start of the hash. Every outcome stores it.
    package var version: String { Self.version(parts.manifest) }
    /// The day of the release, `yyyy-MM-dd`.
    package var date: String { parts.manifest.date }
    /// The hashes that the files of the release must have.
    package var hashes: [String: String] { parts.manifest.files }

    private static func version(_ manifest: EvidenceManifest) -> String {
        "\(manifest.version)#\(manifest.hash.prefix(12))"
    }

    /// The version of the release in a folder, without loading the rest.
    /// - Throws: `StartupError` with the file and the key.
    package static func version(in models: ModelFolder) throws -> String {
        try version(models.load(EvidenceManifest.self, from: "risk/release.json"))
    }

    var documents: [EvidenceFile.Citation] { parts.documents }
    var index: SubjectIndex { parts.index }
    var sentences: SentenceRenderer { parts.sentences }

    /// The files of one release, before they are checked.
    package struct Files: Sendable {
        package var manifest: EvidenceManifest
        package var evidence: EvidenceFile
        package var subjects: SubjectsFile
        package var sentences: SentencesFile

        /// - Throws: `StartupError` with the file, the key and the remedy.
        package init(from models: ModelFolder) throws {
            manifest = try models.load(EvidenceManifest.self, from: "risk/release.json")
            evidence = try models.load(EvidenceFile.self, from: "risk/evidence.json")
            subjects = try models.load(SubjectsFile.self, from: "risk/subjects.json")
            sentences = try models.load(SentencesFile.self, from: "risk/sentences.json")
        }

        /// Dangling, duplicate and expired references; empty for a release that may ship.
        package var problems: [EvidenceProblem] {
            EvidenceCheck(evidence: evidence, subjects: subjects, sentences: sentences, date: manifest.date).problems
        }
    }

    /// Loads and checks the release.
    /// - Parameter includesUnverified: true also shows records that no curator verified; for curators only.
    /// - Throws: `StartupError` with the file and the record.
    package init(models: ModelFolder, includesUnverified: Bool = false) throws {
        try self.init(Files(from: models), includesUnverified: includesUnverified)
    }

    /// - Throws: `StartupError` 78 with the first problem.
    package init(_ files: Files, includesUnverified: Bool = false) throws {
        let problems = files.problems
        if let first = problems.first {
            throw StartupError(
                .configuration,
                "models/risk/evidence.json, \(first.record): \(first.detail) (\(problems.count) problems; "
                    + "`tablesight evidence check` lists them)")
        }
        let documents = files.evidence.citations
        let numbers = Dictionary(uniqueKeysWithValues: documents.indices.map { (documents[$0].id, $0) })
        let renderer = SentenceRenderer(file: files.sentences)
        var records: [Record] = []
        for one in files.evidence.statements {
            var sentences: [String: String] = [:]
            for language in SentencesFile.languages {
                guard let text = renderer.sentence(of: one, language: language) else {
                    throw StartupError(
                        .configuration,
                        "models/risk/evidence.json, \(one.id): a field of its sentence \(one.sentence) is missing")
                }
                sentences[language] = text
            }
            records.append(
                Record(
                    statement: one, documents: one.citations.compactMap { numbers[$0] }, sentences: sentences,
                    isShown: one.isCurrent && (one.verified || includesUnverified)))
        }
        parts = Parts(
            manifest: files.manifest, documents: documents, records: records,
            bySubject: Self.bySubject(records, files.subjects), subjects: files.subjects,
            index: SubjectIndex(files.subjects), sentences: renderer)
    }

    private static func bySubject(_ records: [Record], _ subjects: SubjectsFile) -> [String: [Int]] {
        var own: [String: [Int]] = [:]
        for (number, record) in records.enumerated() {
            for subject in record.statement.subjects { own[subject, default: []].append(number) }
        }
        var result = own
        let parents = Dictionary(
            subjects.additives.map { ($0.id, $0.parents ?? []) }, uniquingKeysWith: { first, _ in first })
        for (id, groups) in parents {
            // Two steps: E450(i) belongs to E450, and no group lies deeper than that.
            let all = groups + groups.flatMap { parents[$0] ?? [] }
            for group in all {
                result[id, default: []] += (own[group] ?? []).filter { result[id]?.contains($0) != true }
            }
        }
        return result.filter { !$0.value.isEmpty }
    }

    /// A record that the output may show. Numbers rise from the newest record to the oldest.
    func shownRecord(_ number: Int) -> Record { parts.shown[number] }

    /// Numbers of the records of a subject and its groups that the output may show.
    func shownRecords(of subject: String) -> [Int] { parts.shownBySubject[subject] ?? [] }

    /// The number of a document by its id.
    func document(_ id: String) -> Int? { parts.documentByID[id] }

    /// The sentence of a stored statement in another language; nil if the release does not have it any more.
    package func sentence(of statement: String, language: String) -> String? {
        guard let number = parts.byID[statement] else { return nil }
        return parts.records[number].sentences[language]
    }

    /// The record that says what an ingredient is; nil without one that the output may show.
    func definition(of subject: String) -> Record? { parts.definitions[subject] }

    /// The name of a functional class, or of another use of an ingredient; its key if it is unknown.
    package func useName(_ id: String, language: String) -> String {
        if let known = parts.index.className(id, language: language) { return known }
        let words = parts.sentences.file.words["use:" + id]
        return words?[language] ?? words?["en"] ?? id
    }

    /// A statement with everything that a curator asks about it.
    package struct Shown: Sendable {
        package var statement: EvidenceFile.Statement
        package var sentence: String
        package var citations: [EvidenceFile.Citation]
    }

    /// The statements of a subject, or the statement or document of this id.
    package func shown(_ id: String) -> [Shown] {
        let wanted = id.lowercased()
        func isMeant(_ subject: String) -> Bool {
            SubjectIndex.plain(subject) == SubjectIndex.plain(wanted) || subject == wanted
                || subject == "ing:" + wanted
        }
        return parts.records.filter { record in
            record.statement.id == id || record.statement.citations.contains(id)
                || record.statement.subjects.contains(where: isMeant)
        }.map { record in
            Shown(
                statement: record.statement, sentence: record.sentences["en"] ?? "",
                citations: record.documents.map { parts.documents[$0] })
        }
    }

    /// Numbers of records, for a summary: all, verified, shown.
    package var counts: (statements: Int, verified: Int, shown: Int, documents: Int) {
        (
            parts.records.count, parts.records.count { $0.statement.verified }, parts.records.count { $0.isShown },
            parts.documents.count
        )
    }
}
