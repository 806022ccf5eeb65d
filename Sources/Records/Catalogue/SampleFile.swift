import Core
import GRDB

/// The sample records of the models as a catalogue file in memory.
enum SampleFile {
    static let source = "samples"

    static func notice(_ name: String) -> String {
        "“\(name)” is an invented sample product: import real ones with `tablesight catalogue import FILE`"
    }

    /// - Throws: ``StartupError`` that names the file, the product and the remedy.
    static func database(of models: ModelFolder) throws -> DatabaseQueue {
        let samples = try SampleProducts(models: models)
        let tags = try AllergenTags(models: models)
        let products = samples.all.compactMap { CatalogueProduct($0, tags) }
        let writer = try CatalogueWriter(path: ":memory:")
        var state = ImportState(origin: samples.version, format: SampleProducts.schema)
        state.accepted = products.count
        state.isComplete = true
        try writer.write(products, state)
        return try writer.index(state)
    }
}

extension CatalogueProduct {
    /// What to say about an invented record of the samples; nil for a real record.
    package var sampleNotice: String? {
        source == SampleFile.source ? SampleFile.notice(name) : nil
    }

    /// True for a real record that is not the work of many hands.
    package var isVerified: Bool { trust != .crowd && source != SampleFile.source }

    /// Nil if the record has no valid number.
    fileprivate init?(_ record: ProductRecord, _ tags: AllergenTags) {
        guard let gtin = GTIN(record.gtin) else { return nil }
        self.init(
            number: gtin.number, name: record.name, brand: record.brand, quantity: record.quantity,
            language: record.language, ingredients: record.ingredients, allergens: tags.text(record.contains),
            traces: tags.text(record.mayContain),
            nutrients: record.per100 ?? Per100(), serving: record.serving, servingGrams: record.servingGrams,
            trust: record.trust,
            modified: Int64(record.recorded.number) * 86_400, source: SampleFile.source)
    }
}
