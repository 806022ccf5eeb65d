import Core

/// `models/risk/evidence.json`: documents, and statements that cite them.
public struct EvidenceFile: DataFile, Sendable {
    public static let schema = "tablesight.evidence/1"

    /// One document.
    public struct Citation: Sendable, Hashable, Decodable {
        public var id, title, author, source, url, kind, jurisdiction: String
        public var year: Int
        public var date, doi, identifier: String?
        /// The id of the document that replaces it.
        public var supersededBy: String?
        /// True if a curator saw the document in a stored source.
        public var verified: Bool
        /// Where it was seen.
        public var readIn: [String]
    }

    /// One statement about one or more subjects.
    public struct Statement: Sendable, Hashable, Decodable {
        /// What a statement concludes; the rules of the level read nothing else of it.
        public enum Finding: String, Sendable, Hashable, Decodable {
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

        public enum Status: String, Sendable, Hashable, Decodable {
            case inForce = "in-force"
            case superseded, withdrawn
        }

        public var id: String
        /// `E250`, `ing:salt`.
        public var subjects: [String]
        public var kind: String
        public var jurisdiction, body: String
        /// `yyyy-MM-dd`, `yyyy-MM` or `yyyy`; nil for undated law.
        public var date: String?
        /// The day from which a law applies.
        public var effective: String?
        /// The last day on which the record may be used without a new check.
        public var expires: String?
        public var status: Status
        /// The id of the statement or document that replaces it.
        public var supersededBy: String?
        /// `regulation`, `authority-opinion`, `meta-analysis` …
        public var level: String
        /// Key of `sentences.json`.
        public var sentence: String
        public var citations: [String]
        public var verified: Bool
        public var readIn: [String]
        public var finding: Finding?
        public var population: String?
        public var populations: [String]?
        public var value: Double?
        public var values: [Double]?
        public var unit, substance, dose, group, route, note: String?

        /// True if nothing replaces the statement.
        public var isCurrent: Bool { status == .inForce && supersededBy == nil }
    }

    public var version: String
    public var citations: [Citation]
    public var statements: [Statement]
}

/// `models/risk/subjects.json`: the names of additives, ingredients and functional classes.
public struct SubjectsFile: DataFile, Sendable {
    public static let schema = "tablesight.risk-subjects/1"

    public struct Subject: Sendable, Hashable, Decodable {
        public var id: String
        /// Language → names.
        public var names: [String: [String]]
        /// International number without the letter E.
        public var ins: String?
        public var classes: [String]?
        /// The group of additives that it belongs to, `E322` of `E322(i)`.
        public var parents: [String]?
        /// It is an additive only after one of these classes: calcium carbonate is also a mineral.
        public var onlyAfterClass: [String]?
        public var isNonNutritiveSweetener: Bool?
    }

    public var version: String
    public var additives, ingredients, classes: [Subject]
}

/// `models/risk/sentences.json`: the sentences, by key and language, with the record's fields in braces.
public struct SentencesFile: DataFile, Sendable {
    public static let schema = "tablesight.risk-sentences/1"
    /// Every sentence exists in these languages.
    public static let languages = ["en", "de"]

    public var sentences, units, words: [String: [String: String]]

    public func validate(name: String) throws(DataFileProblem) {
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
public struct EvidenceManifest: DataFile, Sendable {
    public static let schema = "tablesight.evidence-release/1"

    public var version: String
    /// The day of the release, `yyyy-MM-dd`. Records must be valid on it.
    public var date: String
    /// SHA-256 over the hashes of all files.
    public var hash: String
    /// File name → SHA-256.
    public var files: [String: String]

    public func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(hash.count == 64, "hash", "64 hexadecimal digits expected")
        try DataFileProblem.check(date.count == 10, "date", "yyyy-MM-dd expected")
    }
}
