import Foundation
import GRDB
import Core
import Foods

/// Imported products of all sources, and generic foods. Each source has one file, which is reopened after an import
/// replaced it.
package final class Catalogue: Sendable {
    package let folder: URL
    private let files: [String: CatalogueFile]
    /// Nil for a catalogue without generic foods and sample records.
    private let models: ModelFolder?
    private let genericFoods = Once<GenericFoods>()
    private let samples = Once<SampleRecords>()
    /// Cached answers of servers about products that no import has.
    let cache: RemoteCache

    /// Sources, most trusted first.
    static let sources = ["usda", "off"]

    /// - Parameter models: their generic foods and sample records are read at the first use; nil for imported products
    ///   only.
    package init(folder: URL, models: ModelFolder? = nil) {
        self.folder = folder
        self.models = models
        files = Dictionary(
            uniqueKeysWithValues: Self.sources.map {
                ($0, CatalogueFile(path: folder.appending(path: "\($0).sqlite").path, source: $0))
            })
        cache = RemoteCache(path: folder.appending(path: "remote.sqlite").path)
    }

    /// `TABLESIGHT_CATALOGUE`, or else `tablesight/catalogue` in the folder of the user's data.
    package static func usualFolder(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let named = environment["TABLESIGHT_CATALOGUE"] { return URL(filePath: named) }
        return UserFolder.data(environment: environment).appending(path: "tablesight/catalogue")
    }

    /// The record with this number, or nil. The more trusted of the first of ``storedProducts(_:)`` and the sample
    /// counts; if both are equal, the stored one.
    package func product(_ gtin: GTIN) throws -> CatalogueProduct? {
        try [storedProducts(gtin).first, sample(gtin)].compactMap(\.self).max { $0.trust.rank < $1.trust.rank }
    }

    func sample(_ gtin: GTIN) throws -> CatalogueProduct? {
        try models.map { models in try samples.get { try SampleRecords(models) } }?[gtin]
    }

    /// The generic foods; nil for a catalogue without models.
    package func generic() throws -> GenericFoods? {
        try models.map { models in
            try genericFoods.get {
                try GenericFoods(models: models, words: FoodWords(models: models))
            }
        }
    }

    /// All records with this number: the imported ones, the most trusted first, then a cached answer of a server.
    package func storedProducts(_ gtin: GTIN) throws -> [CatalogueProduct] {
        let imported = try inOrder.compactMap { try $0.product(gtin.number) }
        let order = imported.indices.sorted { (-imported[$0].trust.rank, $0) < (-imported[$1].trust.rank, $1) }
        return order.map { imported[$0] } + [(try? cache.entry(gtin))??.product].compactMap(\.self)
    }

    package func importedProduct(_ gtin: GTIN) throws -> CatalogueProduct? {
        try inOrder.compactMap { try $0.product(gtin.number) }.max { $0.trust.rank < $1.trust.rank }
    }

    /// Version of the cached answers, as in outcomes; nil if there are none.
    package var remoteVersion: String? { cache.version }

    /// Generic foods with this name, then products whose name or brand has these words, also if misspelt, verified ones
    /// first, then other generic foods. Samples are found by number only: they are invented.
    ///
    /// - Parameter isUnfinished: true if the person may still type the final word.
    package func search(_ text: String, limit: Int = 20, isUnfinished: Bool = false) throws -> [SearchHit] {
        let foods = try self.generic()
        let generic = foods?.matches(text, limit: limit) ?? []
        let words = SearchWords.of(text)
        let meaningful = foods?.words.meaningful(words) ?? words
        let named = generic.prefix { $0.score >= GenericFoods.wholeName }.prefix(Self.mostNamed)
        let products = try inOrder.flatMap { try $0.search(meaningful, limit: limit, isUnfinished: isUnfinished) }
            .sorted { ($0.isVerified ? 0 : 1, -$0.score) < ($1.isVerified ? 0 : 1, -$1.score) }
        let others = (generic.dropFirst(named.count).map { SearchHit($0) } + products.filter { $0.score < Self.named })
            .sorted { $0.score > $1.score }
        return Array((named.map { SearchHit($0) } + products.filter { $0.score >= Self.named } + others).prefix(limit))
    }

    /// A product that scores less lacks some of the typed words.
    private static let named = 0.6

    /// Generic foods before products: `milk` is above all milk, and somebody may mean a brand.
    private static let mostNamed = 3

    package func contents() throws -> [CatalogueContents] { try inOrder.compactMap { try $0.contents() } }

    /// Sources and their imports, without counting products, so that every start can use it.
    package func imported() throws -> [(source: String, state: ImportState)] {
        try inOrder.compactMap { file in try file.state().map { (file.source, $0) } }
    }

    /// Errors in the files; empty if there are none.
    package func faults() throws -> [String] { try inOrder.flatMap { try $0.faults() } }

    private var inOrder: [CatalogueFile] { Self.sources.compactMap { files[$0] } }
}

package struct SearchHit: Sendable {
    package var product: CatalogueProduct
    /// 0…1: share of the words that match, reduced for misspellings and for other words in the name.
    package var score: Double
    package var isVerified: Bool { product.trust != .crowd }
}

extension SearchHit {
    fileprivate init(_ match: GenericFoods.Match) {
        self.init(product: CatalogueProduct(match.food, name: match.name), score: match.score)
    }
}

package struct CatalogueContents: Sendable {
    package var source: String
    package var products: Int
    package var verified: Int
    package var bytes: Int
    package var state: ImportState
}
