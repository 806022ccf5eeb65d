import Foundation
import Core

/// The answer to `GET /api/v2/product/{code}.json` in Open Food Facts' format.
public struct OpenFoodFactsAnswer: Sendable {
    /// HTTP status: 200, 404 for an unknown number, 503 if the catalogue cannot be read.
    public var status: Int
    /// JSON.
    public var body: Data

    /// - Parameters:
    ///   - code: the code in the request's path, with or without `.json`.
    ///   - fields: names of the query's `fields`, separated by commas; nil for all.
    public init(code: String, fields: String? = nil, from catalogue: Catalogue) {
        let code = code.hasSuffix(".json") ? String(code.dropLast(5)) : code
        let padded = code.count < 8 ? String(repeating: "0", count: 8 - code.count) + code : code
        do {
            guard let gtin = GTIN(padded), let product = try catalogue.product(gtin) else {
                self.init(404, Body(code: code, status: 0, status_verbose: "product not found"))
                return
            }
            var fields = fields.map { Set($0.split(separator: ",").map(String.init)) }
            if fields?.contains("all") == true { fields = nil }
            self.init(
                200,
                Body(
                    code: product.code, status: 1, status_verbose: "product found",
                    product: Self.product(product).filter { fields?.contains($0.key) ?? true }))
        } catch {
            self.init(503, Body(code: code, status: 0, status_verbose: "catalogue cannot be read"))
        }
    }

    private init(_ status: Int, _ body: Body) {
        self.status = status
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.body = (try? encoder.encode(body)) ?? Data("{\"status\":0}".utf8)
    }

    private static func product(_ product: CatalogueProduct) -> [String: Value] {
        func tags(_ text: String?) -> Value {
            .tags(text.map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } } ?? [])
        }
        var nutriments: [String: Double] = [:]
        let food = product.nutrients
        for (key, figure) in [
            ("energy-kcal_100g", food.calories), ("proteins_100g", food.protein), ("carbohydrates_100g", food.carbs),
            ("fat_100g", food.fat), ("saturated-fat_100g", food.saturated), ("sugars_100g", food.sugars),
            ("fiber_100g", food.fiber), ("salt_100g", food.salt),
        ] { nutriments[key] = figure }
        var fields: [String: Value] = [
            "code": .text(product.code), "_id": .text(product.code), "product_name": .text(product.name),
            "brands": .text(product.brand ?? ""), "quantity": .text(product.quantity ?? ""),
            "ingredients_text": .text(product.ingredients ?? ""), "allergens_tags": tags(product.allergens),
            "traces_tags": tags(product.traces), "nutriments": .figures(nutriments),
            "trust": .text(product.trust.rawValue),
        ]
        if let language = product.language { fields["lang"] = .text(language) }
        if let serving = product.serving { fields["serving_size"] = .text(serving) }
        if let grams = product.servingGrams { fields["serving_quantity"] = .figure(grams) }
        if let modified = product.modified { fields["last_modified_t"] = .whole(modified) }
        return fields
    }

    private struct Body: Encodable {
        var code: String
        var status: Int
        // The key that clients expect.
        var status_verbose: String
        var product: [String: Value]?
    }

    private enum Value: Encodable {
        case text(String), tags([String]), figures([String: Double]), figure(Double), whole(Int64)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let value): try container.encode(value)
            case .tags(let value): try container.encode(value)
            case .figures(let value): try container.encode(value)
            case .figure(let value): try container.encode(value)
            case .whole(let value): try container.encode(value)
            }
        }
    }
}
