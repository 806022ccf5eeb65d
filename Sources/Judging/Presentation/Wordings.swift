import Core

/// The wordings of all languages.
public struct Wordings: Sendable {
    private let all: [String: Wording]
    private let english: Wording

    /// - Throws: ``StartupError`` (78) with the file and the key.
    public init(from models: ModelFolder) throws {
        let all = try Wording.loadAll(from: models)
        guard let english = all["en"] else {
            throw StartupError(.unavailable, "models/wording/en.json is missing: restore it from the repository")
        }
        self.all = all
        self.english = english
    }

    /// BCP 47, sorted.
    public var languages: [String] { all.keys.sorted() }

    /// The wording of a language, or nil.
    public subscript(_ language: String) -> Wording? { all[language] }

    /// The wording for one person; English if their language has none.
    public func wording(for person: AllergenProfile?) -> Wording { person?.language.flatMap { all[$0] } ?? english }

    /// The wording for a group: their common language, else English.
    public func common(_ people: [AllergenProfile]) -> Wording {
        let languages = Set(people.map { $0.language ?? "en" })
        return languages.count == 1 ? wording(for: people.first) : english
    }
}
