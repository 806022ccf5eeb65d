import Core
import Foundation

/// The phrases of one kind of document by meaning and language: `models/documents/*.json`.
struct WordTable: DataFile {
    static let schema = "tablesight.document-words/1"

    var version: String
    /// Meaning → BCP 47 (`mul` for several languages) → phrases.
    var meanings: [String: [String: [String]]]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(!meanings.isEmpty, "meanings", "empty")
        for (meaning, languages) in meanings {
            for (language, phrases) in languages {
                try DataFileProblem.check(
                    phrases.allSatisfy { Folding.words(of: $0).isEmpty == false }, "meanings.\(meaning).\(language)",
                    "a phrase has no letter")
            }
        }
    }

    /// - Throws: `StartupError` 78 if a meaning is unknown or missing.
    func phrases<Meaning>(as type: Meaning.Type, file: String) throws -> Phrases<Meaning>
    where Meaning: RawRepresentable & CaseIterable & Hashable & Sendable, Meaning.RawValue == String {
        if let unknown = meanings.keys.sorted().first(where: { Meaning(rawValue: $0) == nil }) {
            throw StartupError(.configuration, "models/\(file), meanings.\(unknown): unknown; \(Self.remedy)")
        }
        return Phrases(pairs(as: type))
    }

    /// Pairs of meaning and phrase, in the order of the meanings.
    func pairs<Meaning>(as type: Meaning.Type) -> [(Meaning, String)]
    where Meaning: RawRepresentable & CaseIterable, Meaning.RawValue == String {
        Meaning.allCases.flatMap { meaning in
            (meanings[meaning.rawValue] ?? [:]).sorted { $0.key < $1.key }.flatMap { $0.value.map { (meaning, $0) } }
        }
    }
}
