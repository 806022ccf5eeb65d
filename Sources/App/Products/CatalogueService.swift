import Catalogue
import Foods
import Foundation
import HTTP
import Core
import Risk
import Store

/// Answers the API's product requests one at a time on its own thread, because SQLite blocks.
actor CatalogueService {
    private let executor = ThreadExecutor(label: "catalogue")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let catalogue: Catalogue

    private let risk: RiskInterpreter

    init(_ catalogue: Catalogue, risk: RiskInterpreter) {
        self.catalogue = catalogue
        self.risk = risk
    }

    /// The routes that this service answers.
    nonisolated var routes: ProductRoutes {
        ProductRoutes(
            openFoodFacts: { await self.openFoodFacts($0, fields: $1) }, product: { await self.product($0) },
            search: { await self.search($0, limit: $1) },
            assessment: { await self.assessment($0, jurisdiction: $1, language: $2) })
    }

    private func openFoodFacts(_ code: String, fields: String?) -> ProductAnswer {
        let answer = OpenFoodFactsAnswer(code: code, fields: fields, from: catalogue)
        return ProductAnswer(status: answer.status, body: answer.body)
    }

    private func product(_ code: String) -> ProductAnswer {
        guard let gtin = GTIN(code) ?? GTIN(upcE: code) else {
            return Self.refusal(400, "\(code) is not a product number with a valid check digit")
        }
        return answer { try catalogue.product(gtin).map { FoodItem($0, asOf: Date()) } }
            ?? Self.refusal(404, "no product \(gtin.normalised) in the catalogue")
    }

    /// What is on file about the ingredients of a record.
    private func assessment(_ code: String, jurisdiction: String?, language: String) -> ProductAnswer {
        guard let gtin = GTIN(code) ?? GTIN(upcE: code) else {
            return Self.refusal(400, "\(code) is not a product number with a valid check digit")
        }
        return answer {
            try catalogue.product(gtin).flatMap { product in
                product.ingredients.map { text in
                    risk.assessment(
                        ofText: text,
                        .init(
                            language: product.language, jurisdiction: jurisdiction, reader: language,
                            nutrition: product.per100))
                }
            }
        } ?? Self.refusal(404, "no product \(gtin.normalised) with ingredients in the catalogue")
    }

    private func search(_ words: String, limit: Int) -> ProductAnswer {
        answer {
            Found(items: try catalogue.search(words, limit: limit).map { FoodItem($0.product, asOf: Date()) })
        } ?? Self.refusal(404, "no product matches the search")
    }

    /// Nil if there is no result.
    private func answer(_ body: () throws -> (some Encodable)?) -> ProductAnswer? {
        do {
            guard let value = try body() else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return ProductAnswer(status: 200, body: try encoder.encode(value))
        } catch {
            return Self.refusal(503, "the catalogue cannot be read: run `tablesight catalogue verify`")
        }
    }

    private struct Found: Encodable {
        var items: [FoodItem]
    }

    /// Problem details, as for all errors.
    private static func refusal(_ status: Int, _ message: String) -> ProductAnswer {
        let code = status == 400 ? "badRequest" : status == 404 ? "notFound" : "notReady"
        return ProductAnswer(status: status, body: Problem(status, code, message).body, isProblem: true)
    }
}

extension CatalogueProduct {
    /// The nutrients for the Nutri-Score; nil if the record has no nutrition table.
    fileprivate var per100: NutritionPer100? {
        guard nutrients.calories != nil, nutrients.sugars != nil else { return nil }
        return NutritionPer100(
            energyKJ: nutrients.calories.map { $0 * 4.184 }, fat: nutrients.fat, saturatedFat: nutrients.saturated,
            carbohydrate: nutrients.carbs, sugars: nutrients.sugars, fibre: nutrients.fiber,
            protein: nutrients.protein, salt: nutrients.salt, confidence: trust.probability)
    }
}
