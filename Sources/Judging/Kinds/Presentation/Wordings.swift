import Core

/// The wordings of all languages.
package struct Wordings: Sendable {
    private let all: [String: Wording]
    private let english: Wording

    /// - Throws: ``StartupError`` (78) with the file and the key.
    package init(from models: ModelFolder) throws {
        let all = try Wording.loadAll(from: models)
        guard let english = all["en"] else {
            throw StartupError(.unavailable, "models/wording/en.json is missing: restore it from the repository")
        }
        self.all = all
        self.english = english
    }

    /// BCP 47, sorted.
    package var languages: [String] { all.keys.sorted() }

    /// The wording of a language, or nil.
    package subscript(_ language: String) -> Wording? { all[language] }

    /// The wording for one person; English if their language has none.
    package func wording(for person: AllergenProfile?) -> Wording { person?.language.flatMap { all[$0] } ?? english }

    /// The wording for a group: their common language, else English.
    package func common(_ people: [AllergenProfile]) -> Wording {
        let languages = Set(people.map { $0.language ?? "en" })
        return languages.count == 1 ? wording(for: people.first) : english
    }
}
