import Foundation
import Core

/// What an imported catalogue knows of one product.
public struct CatalogueProduct: Sendable, Hashable {
    /// 14 digits as a number.
    public var number: Int64
    public var name: String
    public var brand: String?
    public var quantity: String?
    /// As the source spells it; nil where it says nothing.
    public var language: String?
    /// The list of ingredients as printed.
    public var ingredients: String?
    /// The source's tags, separated by commas: `en:milk,en:gluten`.
    public var allergens: String?
    public var traces: String?
    /// Per 100 g or 100 ml: kilocalories, and grams of the rest.
    public var nutrients = Nutrients()
    /// The serving in the source's words, and its grams or millilitres.
    public var serving: String?
    public var servingGrams: Double?
    public var trust: Product.Trust
    /// When the record was last changed, seconds since 1970; nil where unknown.
    public var modified: Int64?
    /// `off` or `usda`.
    public var source: String
    /// When a server gave it, seconds since 1970; nil for an imported record.
    public var retrieved: Int64?

    public struct Nutrients: Sendable, Hashable {
        public var calories, protein, carbs, fat, saturated, sugars, fiber, salt: Double?
    }

    /// 14 digits.
    public var digits: String { String(format: "%014lld", number) }
    public var gtin: GTIN? { GTIN(digits) }
    /// As catalogues key it: 8 digits, or 13, or 14.
    public var code: String { gtin?.normalised ?? digits }
    /// Name and brand, which a search looks in.
    var searchText: String { brand.map { "\(name) \($0)" } ?? name }
}

extension Product.Trust {
    /// Higher is better; the order of producer > retailer > crowd.
    var rank: Int { [.crowd: 0, .retailer: 1, .producer: 2][self] ?? 0 }

    init(rank: Int) { self = rank >= 2 ? .producer : rank == 1 ? .retailer : .crowd }
}
