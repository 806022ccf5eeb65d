import Foundation
import Vocabulary

/// Finds the products that a photo's barcodes name.
public struct ProductInterpreter: Sendable {
    private let catalogue: ProductCatalogue

    /// Loads the catalogue of `models`.
    /// - Throws: `StartupError` where its file is missing or wrong.
    public init(models: ModelFolder) throws { catalogue = try ProductCatalogue(models: models) }

    /// The catalogue's name and version, `samples@1`.
    public var catalogueVersion: String { catalogue.version }

    /// One product for each number that retail codes and GS1 Digital Links in QR codes name, in the order of the barcodes.
    ///
    /// A code whose check digit is wrong names nothing and is not looked up. A number that no product can have comes back
    /// with the reason `restrictedPrefix`, one that the catalogue lacks with `notInCatalogue`.
    /// Nothing here says that an allergen is absent.
    /// - Parameter date: the day that ages are counted to.
    public func products(for barcodes: [BarcodeReading], asOf date: Date) -> [Product] {
        var seen: Set<GTIN> = []
        return barcodes.compactMap(\.productNumber).filter { seen.insert($0).inserted }.map { gtin in
            guard RestrictedPrefix(gtin) == nil else { return Product(gtin: gtin.digits, reason: "restrictedPrefix") }
            guard let record = catalogue[gtin] else { return Product(gtin: gtin.digits, reason: "notInCatalogue") }
            return record.product(gtin, asOf: CalendarDay(date))
        }
    }
}

extension BarcodeReading {
    /// The number that the code gives to a product; nil for codes that are for other things than selling.
    fileprivate var productNumber: GTIN? {
        if format.hasPrefix("QR") { return DigitalLink(text)?.gtin }
        let retail = ["EAN-", "UPC-", "ISBN-", "DataBar"].contains(where: format.hasPrefix)
        return retail ? gtin.flatMap { GTIN($0) } : nil
    }
}

extension ProductRecord {
    /// What an outcome says of the product: the declared allergens as findings, each with the record's own words.
    fileprivate func product(_ gtin: GTIN, asOf day: CalendarDay) -> Product {
        func findings(_ allergens: [Allergen], _ polarity: AllergenFinding.Polarity, _ words: String?)
            -> [AllergenFinding]
        {
            allergens.map {
                AllergenFinding(
                    allergen: $0, polarity: polarity, strength: .declared,
                    evidence: [.init(text: words ?? "", language: language, ruleId: "catalogue", lexeme: $0.rawValue)],
                    probability: trust.probability)
            }
        }
        // A record that is dated after the day asked for is not older than that day.
        let days = max(0, day.number - recorded.number)
        return Product(
            gtin: gtin.digits, name: name, brand: brand, trust: trust, age: "P\(days)D", ingredients: ingredients,
            findings: findings(contains, .contains, containsText) + findings(mayContain, .mayContain, mayContainText))
    }
}

extension Product.Trust {
    /// Probability that what such a record declares holds. Set by judgement, to be replaced once corrections are counted.
    fileprivate var probability: Double {
        switch self {
        case .producer: 0.97
        case .retailer: 0.9
        case .crowd: 0.7
        }
    }
}
