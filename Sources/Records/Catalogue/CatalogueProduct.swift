import Foundation
import Core

/// One product of the imported catalogue.
public struct CatalogueProduct: Sendable, Hashable {
    /// GTIN of up to 14 digits, as a number.
    public var number: Int64
    public var name: String
    public var brand: String?
    public var quantity: String?
    /// Language code as in the source; nil if not stated.
    public var language: String?
    /// Ingredients as printed.
    public var ingredients: String?
    /// The source's tags, separated by commas: `en:milk,en:gluten`.
    public var allergens: String?
    public var traces: String?
    /// Per 100 g or 100 ml: kilocalories, and grams of the others.
    public var nutrients = Nutrients()
    /// The serving as stated by the source, and its grams or millilitres.
    public var serving: String?
    public var servingGrams: Double?
    public var trust: Product.Trust
    /// Last change of the record, seconds since 1970; nil if unknown.
    public var modified: Int64?
    /// `off`, `usda` or `samples`.
    public var source: String
    /// When a server sent it, seconds since 1970; nil for an imported record.
    public var retrieved: Int64?

    public struct Nutrients: Sendable, Hashable {
        public var calories, protein, carbs, fat, saturated, sugars, fiber, salt: Double?
    }

    /// 14 digits.
    public var digits: String { String(format: "%014lld", number) }
    public var gtin: GTIN? { GTIN(digits) }
    /// The normalised form that catalogues use as key: 8, 13 or 14 digits.
    public var code: String { gtin?.normalised ?? digits }
    /// Name and brand, the text that a search covers.
    var searchText: String { brand.map { "\(name) \($0)" } ?? name }
}

extension Product.Trust {
    /// Higher is more trusted: producer > retailer > crowd.
    var rank: Int { [.crowd: 0, .retailer: 1, .producer: 2][self] ?? 0 }

    init(rank: Int) { self = rank >= 2 ? .producer : rank == 1 ? .retailer : .crowd }
}
