import Foundation
import Core
import Foods

/// One product of the catalogue, or a generic food.
package struct CatalogueProduct: Sendable, Hashable {
    /// GTIN of up to 14 digits, as a number; of a generic food its id in FoodData Central.
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
    /// `off`, `usda`, `fdc` or `samples`.
    package var source: String
    /// When a server sent it, seconds since 1970; nil for an imported record.
    package var retrieved: Int64?
    /// Portions of a generic food, the usual one first.
    package var portions: [GenericFood.Portion] = []

    package var isGeneric: Bool { source == GenericFoods.source }
    /// 14 digits.
    package var digits: String { String(format: "%014lld", number) }
    /// Nil for a generic food.
    package var gtin: GTIN? { isGeneric ? nil : GTIN(digits) }
    /// The normalised form that catalogues use as key: 8, 13 or 14 digits.
    package var code: String { gtin?.normalised ?? (isGeneric ? "\(number)" : digits) }
    /// Name and brand, the text that a search covers.
    var searchText: String { brand.map { "\(name) \($0)" } ?? name }
}

extension CatalogueProduct {
    /// - Parameter name: what it is called in the language in which it was found.
    init(_ food: GenericFood, name: String) {
        self.init(
            number: food.id, name: name, nutrients: food.nutrients, trust: .producer, source: GenericFoods.source)
        portions = food.portions
    }
}

extension Product.Trust {
    /// Higher is more trusted: producer > retailer > crowd.
    var rank: Int { [.crowd: 0, .retailer: 1, .producer: 2][self] ?? 0 }

    init(rank: Int) { self = rank >= 2 ? .producer : rank == 1 ? .retailer : .crowd }
}
