import Core

/// The allergen tags of records, such as `en:milk`: `models/catalogue/allergen-tags.json`.
package struct AllergenTags: Sendable {
    private let allergens: [String: Allergen]
    private let tags: [Allergen: String]

    /// - Throws: ``StartupError`` that names the file and the key.
    package init(models: ModelFolder) throws {
        allergens = try models.load(File.self, from: "catalogue/allergen-tags.json").tags
        // Of two tags for one allergen, the first by name is written.
        tags = Dictionary(
            allergens.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a tag that names none of the known allergens.
    package subscript(tag: String) -> Allergen? { allergens[tag] }

    /// The tags as in a record, separated by commas; nil for none.
    func text(_ list: [Allergen]) -> String? {
        list.isEmpty ? nil : list.compactMap { tags[$0] }.joined(separator: ",")
    }

    private struct File: DataFile {
        static let schema = "tablesight.allergen-tags/1"

        var tags: [String: Allergen]
    }
}
