import Foundation
import Core

/// The answer to `GET /api/v2/product/{code}.json` in Open Food Facts' format.
package struct OpenFoodFactsAnswer: Sendable, Hashable, Codable {
    package var code: String
    /// 1 for a known product, else 0.
    package var status: Int
    // The key that clients expect.
    package var status_verbose: String
    /// The requested fields; nil for an unknown product.
    package var product: [String: Value]?

    /// - Parameters:
    ///   - code: the code in the request's path, with or without `.json`.
    ///   - fields: names of the query's `fields`, separated by commas; nil for all.
    package init(code: String, fields: String? = nil, from catalogue: Catalogue) throws {
        let code = code.hasSuffix(".json") ? String(code.dropLast(5)) : code
        guard let gtin = try? GTIN(ofAnyLength: code), let product = try catalogue.product(gtin) else {
            self.init(code: code, status: 0, status_verbose: "product not found")
            return
        }
        var fields = fields.map { Set($0.split(separator: ",").map(String.init)) }
        if fields?.contains("all") == true { fields = nil }
        self.init(
            code: product.code, status: 1, status_verbose: "product found",
            product: Self.product(product).filter { fields?.contains($0.key) ?? true })
    }

    private init(code: String, status: Int, status_verbose: String, product: [String: Value]? = nil) {
        self.code = code
        self.status = status
        self.status_verbose = status_verbose
        self.product = product
    }

    /// The answer if the catalogue cannot be read.
    package static func unreadable(_ code: String) -> OpenFoodFactsAnswer {
        OpenFoodFactsAnswer(code: code, status: 0, status_verbose: "catalogue cannot be read")
    }

    private static func product(_ product: CatalogueProduct) -> [String: Value] {
        func tags(_ text: String?) -> Value {
            .tags(text.map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } } ?? [])
        }
        var nutriments: [String: Double] = [:]
        let food = product.nutrients
        for (key, figure) in [
            ("energy-kcal_100g", food.energyKcal), ("proteins_100g", food.protein), ("salt_100g", food.salt),
            ("carbohydrates_100g", food.carbohydrate), ("fat_100g", food.fat), ("sugars_100g", food.sugars),
            ("saturated-fat_100g", food.saturatedFat), ("fiber_100g", food.fibre),
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

    package enum Value: Sendable, Hashable, Codable {
        case text(String), tags([String]), figures([String: Double]), figure(Double), whole(Int64)

        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let tags = try? value.decode([String].self) {
                self = .tags(tags)
            } else if let figures = try? value.decode([String: Double].self) {
                self = .figures(figures)
            } else if let whole = try? value.decode(Int64.self) {
                self = .whole(whole)
            } else {
                self = .figure(try value.decode(Double.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
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
