import Catalogue
import Kinds
import Foundation
import Core

/// The imported catalogue and cached server answers as a product source: records become evidence with their source's
/// trust.
struct ImportedProducts: ProductSource {
    /// Import times of the sources, and the version of the cached answers; empty for none.
    var version: String {
        [imported.isEmpty ? nil : imported, catalogue.remoteVersion].compactMap(\.self).joined(separator: ", ")
    }

    private let imported: String
    /// Creation time of each source's file; ages are relative to it.
    private let days: [String: Date]
    private let catalogue: Catalogue
    private let tags: AllergenTags

    init(catalogue: Catalogue, models: ModelFolder) throws {
        self.catalogue = catalogue
        tags = try AllergenTags(models: models)
        let files = try catalogue.imported()
        days = Dictionary(
            files.compactMap { file in
                file.state.completed.map { (file.source, Date(timeIntervalSince1970: Double($0))) }
            }, uniquingKeysWith: { first, _ in first })
        imported = files.map { "\($0.source)@\($0.state.completed ?? 0)" }.joined(separator: ", ")
    }

    func products(_ gtin: GTIN) -> [Product] {
        // A catalogue damaged at run time gives no products; `tablesight catalogue verify` reports the error.
        ((try? catalogue.storedProducts(gtin)) ?? []).map { product($0, gtin) }
    }

    private func product(_ record: CatalogueProduct, _ gtin: GTIN) -> Product {
        let day = record.retrieved.map { Date(timeIntervalSince1970: Double($0)) } ?? days[record.source]
        return Product(
            gtin: gtin.digits, name: record.name, brand: record.brand, trust: record.trust,
            age: day.flatMap { record.age(asOf: $0) }, recorded: record.recordedDay, ingredients: record.ingredients,
            findings: findings(record.allergens, .contains, record) + findings(record.traces, .mayContain, record),
            retrieved: record.retrievedDay)
    }

    /// Findings from the tags; tags without a known allergen are skipped.
    private func findings(
        _ list: String?, _ polarity: AllergenFinding.Polarity, _ record: CatalogueProduct
    ) -> [AllergenFinding] {
        var seen: Set<Allergen> = []
        return (list ?? "").split(separator: ",").compactMap { tag in
            let tag = tag.trimmingCharacters(in: .whitespaces)
            guard let allergen = tags[tag], seen.insert(allergen).inserted else { return nil }
            return AllergenFinding(
                allergen: allergen, polarity: polarity, strength: .declared,
                evidence: [.init(text: tag, language: record.language ?? "und", ruleId: "catalogue", lexeme: tag)],
                probability: record.trust.probability)
        }
    }
}
