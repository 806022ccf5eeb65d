import Catalogue
import Foundation
import HTTPAPI
import Core

/// Answers the API's product requests one at a time on its own thread, because SQLite blocks.
actor CatalogueService {
    private let executor = ThreadExecutor(label: "catalogue")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let catalogue: Catalogue

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// The routes that this service answers.
    nonisolated var routes: ProductRoutes {
        ProductRoutes(
            openFoodFacts: { await self.openFoodFacts($0, fields: $1) }, product: { await self.product($0) },
            search: { await self.search($0, limit: $1) })
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
