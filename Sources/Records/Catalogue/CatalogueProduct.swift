import Foundation
import Core

/// One product of the imported catalogue.
package struct CatalogueProduct: Sendable, Hashable {
    /// GTIN of up to 14 digits, as a number.
    package var number: Int64
    package var name: String
    package var brand: String?
    package var quantity: String?
    /// Language code as in the source; nil if not stated.
    package var language: String?
    /// Ingredients as printed.
    package var ingredients: String?
    /// The source's tags, separated by commas: `en:milk,en:gluten`.
    package var allergens: String?
    package var traces: String?
    package var nutrients = Per100()
    /// The serving as stated by the source, and its grams or millilitres.
    package var serving: String?
    package var servingGrams: Double?
    package var trust: Product.Trust
    /// Last change of the record, seconds since 1970; nil if unknown.
    package var modified: Int64?
    /// `off`, `usda` or `samples`.
    package var source: String
    /// When a server sent it, seconds since 1970; nil for an imported record.
    package var retrieved: Int64?

    /// 14 digits.
    package var digits: String { String(format: "%014lld", number) }
    package var gtin: GTIN? { GTIN(digits) }
    /// The normalised form that catalogues use as key: 8, 13 or 14 digits.
    package var code: String { gtin?.normalised ?? digits }
    /// Name and brand, the text that a search covers.
    var searchText: String { brand.map { "\(name) \($0)" } ?? name }
}

extension Product.Trust {
    /// Higher is more trusted: producer > retailer > crowd.
    var rank: Int { [.crowd: 0, .retailer: 1, .producer: 2][self] ?? 0 }

    init(rank: Int) { self = rank >= 2 ? .producer : rank == 1 ? .retailer : .crowd }
}
