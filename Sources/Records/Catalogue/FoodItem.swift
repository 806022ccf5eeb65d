import Foundation
import Core
import Foods

/// A product for food diaries; other programs depend on these names.
package struct FoodItem: Sendable, Hashable, Codable {
    package struct Serving: Sendable, Hashable, Codable {
        package var sizeLabel: String
        package var grams: Double
        /// Grams divided by 100; multiply figures per 100 g by it.
        package var multiplier: Double
    }

    /// Origin of the figures.
    package enum Source: String, Sendable, Hashable, Codable, CaseIterable { case verified, userCreated, scanned }

    /// `off:737628064502`.
    package var id: String
    package var name: String
    package var brand: String?
    /// Nil for a generic food.
    package var barcode: String?
    /// Kilocalories and grams per 100 g or 100 ml; nil if not stated.
    package var calories, protein, carbs, fat: Double?
    package var defaultServing: Serving
    package var altServings: [Serving]
    package var source: Source
    /// Trust level of the record's source.
    package var trust: Product.Trust
    /// ISO 8601 duration in whole days since the last change of the record; nil if unknown.
    package var age: String?
    /// The day a server sent it, `yyyy-MM-dd` in UTC; nil for an imported record.
    package var retrieved: String?

    /// - Parameter date: the date at which the age is calculated.
    package init(_ product: CatalogueProduct, asOf date: Date) {
        let hundred = Serving(sizeLabel: "100 g", grams: 100, multiplier: 1)
        let stated = product.servingGrams.flatMap { grams in
            grams > 0 ? Serving(sizeLabel: product.serving ?? "1 serving", grams: grams, multiplier: grams / 100) : nil
        }
        let servings = (stated.map { [$0] } ?? product.portions.map { Serving($0) }) + [hundred]
        id = "\(product.source):\(product.code)"
        name = product.name
        brand = product.brand
        barcode = product.gtin?.normalised
        let food = product.nutrients
        (calories, protein, carbs, fat) = (food.energyKcal, food.protein, food.carbohydrate, food.fat)
        (defaultServing, altServings) = (servings[0], Array(servings.dropFirst()))
        source = product.isVerified ? .verified : .userCreated
        trust = product.trust
        age = product.age(asOf: date)
        retrieved = product.retrievedDay
    }
}

extension FoodItem.Serving {
    fileprivate init(_ portion: GenericFood.Portion) {
        self.init(
            sizeLabel: portion.sizeLabel, grams: portion.grams,
            multiplier: (portion.grams * 10_000).rounded() / 1_000_000)
    }
}

extension GenericFood.Portion {
    /// `1 egg (50 g)`.
    package var sizeLabel: String {
        "\(label) (\(grams.formatted(.number.locale(.init(identifier: "en_GB")).grouping(.never).precision(.fractionLength(0...1)))) g)"
    }
}

extension CatalogueProduct {
    /// The day a server sent it, `yyyy-MM-dd` in UTC; nil for an imported record.
    package var retrievedDay: String? {
        retrieved.flatMap(CatalogueProduct.day)
    }

    /// Age such as `P30D`; `P0D` if the record is dated after `date`.
    package func age(asOf date: Date) -> String? {
        guard let modified, Self.moments.contains(modified) else { return nil }
        let today = Int64(date.timeIntervalSince1970.rounded(.down))
        return "P\(max(0, today.subtractingReportingOverflow(modified).partialValue / 86_400))D"
    }

    /// The day of the last change, `yyyy-MM-dd` in UTC; nil if not stated.
    package var recordedDay: String? { modified.flatMap(CatalogueProduct.day) }

    /// Valid dates in seconds since 1970, for the years 1970 to 9999; sources contain any 64-bit number.
    static let moments: ClosedRange<Int64> = 0...253_402_300_799

    private static func day(_ seconds: Int64) -> String? {
        guard moments.contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }
}
