import Core

/// `models/risk/evidence.json`: documents, and statements that cite them.
package struct EvidenceFile: DataFile, Sendable {
    package static let schema = "tablesight.evidence/1"

    /// One document.
    package struct Citation: Sendable, Hashable, Decodable {
        package var id, title, author, source, url, kind, jurisdiction: String
        package var year: Int
        package var date, doi, identifier: String?
        /// The id of the document that replaces it.
        package var supersededBy: String?
        /// True if a curator saw the document in a stored source.
        package var verified: Bool
        /// Where it was seen.
        package var readIn: [String]
    }

    /// One statement about one or more subjects.
    package struct Statement: Sendable, Hashable, Decodable {
        /// What a statement concludes; the rules of the level read nothing else of it.
        package enum Finding: String, Sendable, Hashable, Decodable {
            case prohibited, permitted
            case concern
            case concernHighIntake = "concern-high-intake"
            case noConcern = "no-concern"
            case meanAboveValue = "mean-above-value"
            case highAboveValue = "high-above-value"
            case belowValue = "below-value"
            /// About a substance that the label does not name; it never gives a level.
            case contaminant
        }

        package enum Status: String, Sendable, Hashable, Decodable {
            case inForce = "in-force"
            case superseded, withdrawn
        }

        package enum Nutrient: String, Sendable, Hashable, Decodable { case sugars, saturates }

        /// The kind of a statement that says what an ingredient is. It is the overview, and no statement about risk.
        package static let definition = "definition"

        package var id: String
        /// `E250`, `ing:salt`.
        package var subjects: [String]
        package var kind: String
        package var jurisdiction, body: String
        /// `yyyy-MM-dd`, `yyyy-MM` or `yyyy`; nil for undated law.
        package var date: String?
        /// The day from which a law applies.
        package var effective: String?
        /// The last day on which the record may be used without a new check.
        package var expires: String?
        package var status: Status
        /// The id of the statement or document that replaces it.
        package var supersededBy: String?
        /// `regulation`, `authority-opinion`, `meta-analysis` …
        package var level: String
        /// Key of `sentences.json`.
        package var sentence: String
        package var citations: [String]
        package var verified: Bool
        package var readIn: [String]
        package var finding: Finding?
        package var population: String?
        package var populations: [String]?
        package var value: Double?
        package var values: [Double]?
        package var unit, substance, dose, group, route, note: String?
        /// What the ingredient of a definition is used for: functional classes, or the words `use:…` of sentences.json.
        package var uses: [String]?
        /// The value counts this amount of the nutrition table, whatever it comes from.
        package var nutrient: Nutrient?

        package var isDefinition: Bool { kind == Self.definition }
        /// True if nothing replaces the statement.
        package var isCurrent: Bool { status == .inForce && supersededBy == nil }
    }

    package var version: String
    package var citations: [Citation]
    package var statements: [Statement]
}

/// `models/risk/subjects.json`: the names of additives, ingredients and functional classes.
package struct SubjectsFile: DataFile, Sendable {
    package static let schema = "tablesight.risk-subjects/1"

    package struct Subject: Sendable, Hashable, Decodable {
        package var id: String
        /// Language → names.
        package var names: [String: [String]]
        /// International number without the letter E.
        package var ins: String?
        package var classes: [String]?
        /// The group of additives that it belongs to, `E322` of `E322(i)`.
        package var parents: [String]?
        /// It is an additive only after one of these classes: calcium carbonate is also a mineral.
        package var onlyAfterClass: [String]?
        package var isNonNutritiveSweetener: Bool?
        /// The day on which a curator last searched for a definition in vain.
        package var searched: String?
    }

    package var version: String
    package var additives, ingredients, classes: [Subject]
}

/// `models/risk/sentences.json`: the sentences, by key and language, with the record's fields in braces.
package struct SentencesFile: DataFile, Sendable {
    package static let schema = "tablesight.risk-sentences/1"
    /// Every sentence exists in these languages.
    package static let languages = ["en", "de"]

    package var sentences, units, words: [String: [String: String]]

    package func validate(name: String) throws(DataFileProblem) {
        for (list, entries) in [("sentences", sentences), ("units", units), ("words", words)] {
            for (key, texts) in entries {
                for language in Self.languages {
                    try DataFileProblem.check(
                        texts[language]?.isEmpty == false, "\(list).\(key).\(language)", "missing or empty")
                }
            }
        }
    }
}

/// `models/risk/release.json`: the version of the release and the hashes of its files.
package struct EvidenceManifest: DataFile, Sendable {
    package static let schema = "tablesight.evidence-release/1"

    package var version: String
    /// The day of the release, `yyyy-MM-dd`. Records must be valid on it.
    package var date: String
    /// SHA-256 over the hashes of all files.
    package var hash: String
    /// File name → SHA-256.
    package var files: [String: String]

    package func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(hash.count == 64, "hash", "64 hexadecimal digits expected")
        try DataFileProblem.check(date.count == 10, "date", "yyyy-MM-dd expected")
    }
}
