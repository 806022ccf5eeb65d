public import Core
import Foundation

/// The lists that the vocabulary is compiled from: `models/lexicons`, and the name lists of `models/vocabulary`.
public struct VocabularySources: Sendable {
    let lexicons: [AllergenLexicon]
    /// The name lists, each with its file's name, by name.
    let lists: [(name: String, list: NameList)]
    /// FNV-1a of the bytes of all files. The compiled file keeps it, so that a test finds lists that changed since.
    let digest: UInt64

    /// - Throws: ``StartupError`` with the file and the entry.
    public init(models: ModelFolder) throws {
        lexicons = try AllergenLexicon.loadAll(from: models)
        lists = try models.names(in: "vocabulary", withExtension: "json").map {
            (String($0.dropLast(5)), try models.load(NameList.self, from: "vocabulary/\($0)"))
        }
        let files = try ["lexicons", "vocabulary"].flatMap { folder in
            try models.names(in: folder, withExtension: "json").map { models.url.appending(path: "\(folder)/\($0)") }
        }
        digest = PhraseTrie.hash(try files.map { try Data(contentsOf: $0) }.joined())
    }

    /// True if the compiled file of the folder is made from these lists.
    public func areCompiled(in models: ModelFolder) throws -> Bool {
        try VocabularyFile.load(from: models).sources == digest
    }

    private static let rounds = 3

    /// The compiled file, and a line for each phrase that was left out because it would hide an allergen.
    public func compiled() throws -> (file: Data, conflicts: [String]) {
        let names = lists.map(\.list)
        var kept: Set<VocabularyBuilder.KeptName> = []
        var builder = VocabularyBuilder(lexicons, lists: names)
        // What a part seems to say, the whole may hide; such names stay. A name that stays may hide no other one.
        for _ in 0..<Self.rounds {
            let lost = VocabularyBuilder.lost(names, in: LexiconIndex(builder.vocabulary()))
            guard !lost.isSubset(of: kept) else { break }
            kept.formUnion(lost)
            builder = VocabularyBuilder(lexicons, lists: names, kept: kept)
        }
        let vocabulary = builder.vocabulary()
        let lost = VocabularyBuilder.lost(names, in: LexiconIndex(vocabulary)).map {
            "\($0.language)\t\($0.name)\t\($0.allergen) is not found"
        }
        return (
            Data(try VocabularyFile.encoded(vocabulary, sources: digest)),
            builder.conflicts.map { "\($0.language)\t\($0.phrase)\t\($0.reason)" } + lost.sorted()
        )
    }
}
