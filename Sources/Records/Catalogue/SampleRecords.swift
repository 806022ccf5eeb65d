import Core

/// The invented records of the models by number, for photos of samples.
struct SampleRecords: Sendable {
    static let source = "samples"

    private let products: SampleProducts
    private let tags: AllergenTags

    init(_ models: ModelFolder) throws {
        products = try SampleProducts(models: models)
        tags = try AllergenTags(models: models)
    }

    subscript(gtin: GTIN) -> CatalogueProduct? { products[gtin].flatMap { CatalogueProduct($0, tags) } }
}

extension CatalogueProduct {
    /// What to say about an invented record of the samples; nil for a real record.
    package var sampleNotice: String? {
        source == SampleRecords.source
            ? "“\(name)” is an invented sample product: import real ones with `tablesight catalogue import FILE`" : nil
    }

    /// True for a real record that is not the work of many hands.
    package var isVerified: Bool { trust != .crowd && source != SampleRecords.source }

    /// Nil if the record has no valid number.
    fileprivate init?(_ record: ProductRecord, _ tags: AllergenTags) {
        guard let gtin = GTIN(record.gtin) else { return nil }
        self.init(
            number: gtin.number, name: record.name, brand: record.brand, quantity: record.quantity,
            language: record.language, ingredients: record.ingredients, allergens: tags.text(record.contains),
            traces: tags.text(record.mayContain),
            nutrients: record.per100 ?? Per100(), serving: record.serving, servingGrams: record.servingGrams,
            trust: record.trust,
            modified: Int64(record.recorded.number) * 86_400, source: SampleRecords.source)
    }
}

/// The allergen tags of records, such as `en:milk`: `models/catalogue/allergen-tags.json`.
package struct AllergenTags: Sendable {
    private let allergens: [String: Allergen]
    private let tags: [Allergen: String]

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
