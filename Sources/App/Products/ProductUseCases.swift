import Catalogue
import Core
import Foundation
import HTTP
import Foods
import Store

/// What the catalogue knows about products. Runs on a thread of its own, because SQLite blocks.
actor ProductUseCases {
    private let executor = ThreadExecutor(label: "catalogue")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let catalogue: Catalogue
    private let risk: RiskInterpreter

    init(_ catalogue: Catalogue, risk: RiskInterpreter) {
        self.catalogue = catalogue
        self.risk = risk
    }

    /// A product in Open Food Facts' format; an unknown number has an answer too.
    ///
    /// - Parameter fields: names separated by commas; nil for all.
    func openFoodFacts(_ code: String, fields: String?) throws -> OpenFoodFactsAnswer {
        try OpenFoodFactsAnswer(code: code, fields: fields, from: catalogue)
    }

    /// - Throws: `Problem` 404 for an unknown product, 503 if the catalogue cannot be read.
    func product(_ gtin: GTIN) throws -> FoodItem {
        guard let product = try read({ try catalogue.product(gtin) }) else {
            throw Problem(404, "notFound", "no product \(gtin.normalised) in the catalogue")
        }
        return FoodItem(product, asOf: Date())
    }

    /// What is on file about the ingredients of a product.
    ///
    /// - Parameter jurisdiction: whose law decides; nil lists all law.
    /// - Throws: `Problem` 404 for a product that is unknown or has no ingredients, 503 if the catalogue cannot be
    ///   read.
    func assessment(
        _ gtin: GTIN, jurisdiction: Jurisdiction?, language: AssessmentLanguage
    ) throws -> IngredientAssessment {
        guard let product = try read({ try catalogue.product(gtin) }), let text = product.ingredients else {
            throw Problem(404, "notFound", "no product \(gtin.normalised) with ingredients in the catalogue")
        }
        return risk.assessment(
            ofText: text,
            .init(
                language: product.language, jurisdiction: jurisdiction?.rawValue, reader: language.rawValue,
                nutrition: product.per100))
    }

    /// The products whose names match best.
    ///
    /// - Throws: `Problem` (503) if the catalogue cannot be read.
    func search(_ words: String, limit: Int) throws -> FoundProducts {
        FoundProducts(
            items: try read { try catalogue.search(words, limit: limit) }.map { FoodItem($0.product, asOf: Date()) })
    }

    private func read<Value>(_ body: () throws -> Value) throws(Problem) -> Value {
        do { return try body() } catch {
            throw Problem(503, "notReady", "the catalogue cannot be read: run `tablesight catalogue verify`")
        }
    }
}

extension CatalogueProduct {
    /// The nutrients for the Nutri-Score; nil if the record has no nutrition table.
    fileprivate var per100: NutritionPer100? {
        guard let energy = nutrients.energyKcal, nutrients.sugars != nil else { return nil }
        return NutritionPer100(
            energyKJ: energy * 4.184, fat: nutrients.fat, saturatedFat: nutrients.saturatedFat,
            carbohydrate: nutrients.carbohydrate, sugars: nutrients.sugars, fibre: nutrients.fibre,
            protein: nutrients.protein, salt: nutrients.salt, confidence: trust.probability)
    }
}

struct FoundProducts: Codable, Sendable {
    var items: [FoodItem]
}

extension IngredientAssessment: Documented {
    package static var about: String? { "See docs/outcome.md, label.assessment." }
    package static var added: [String: any Decodable.Type] { ["ingredients_assessment": Legacy.self] }
}

extension OpenFoodFactsAnswer.Value: SelfDescribed {
    package static var schema: Schema { Schema("A text, a number, a list of texts, or numbers by name.") }
    package static var sample: Self { .text("") }
}
