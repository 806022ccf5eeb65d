import Foods
import Core
import Foundation

/// Invented products, places, prices and experiences to try the program with: `models/groceries/samples.json`.
package struct SampleGroceries: DataFile, Sendable {
    package static let schema = "tablesight.grocery-samples/1"

    struct Product: Sendable, Decodable {
        var gtin, category, brand, quantity: String?
        var name: String
        var tags: [String]
    }
    struct Price: Sendable, Decodable {
        /// Indices of `products` and `places`.
        var product, place: Int
        var amount: String
        var currency: String
        var per: PriceUnit?
        /// Days before today.
        var daysAgo: Int
        var isDiscounted: Bool?
        var by: String
    }
    struct Sample: Sendable, Decodable {
        var kind: Experience.Kind
        var rating: Int?
        var comment: String
        var product, place: Int?
        var by: String
        var answers: [Answer]?
    }
    struct Answer: Sendable, Decodable {
        var text, by: String
    }

    var tags: [GroceryTag]
    var products: [Product]
    var places: [NewPlace]
    var prices: [Price]
    var experiences: [Sample]
    /// Indices of `products` on the sample list.
    var list: [Int]

    package func validate(name: String) throws(DataFileProblem) {
        for (index, price) in prices.enumerated() {
            try DataFileProblem.check(
                products.indices.contains(price.product) && places.indices.contains(price.place), "prices[\(index)]",
                "names a product or place that is not in the file")
            try DataFileProblem.check(
                Currency(price.currency).flatMap { Money(price: price.amount, currency: $0) } != nil,
                "prices[\(index)].amount", "must be a price such as 2.49")
        }
        for (index, product) in products.enumerated() {
            try DataFileProblem.check(
                product.gtin.map { GTIN($0) != nil } ?? (product.category != nil), "products[\(index)]",
                "needs a valid gtin or a category")
        }
        try DataFileProblem.check(list.allSatisfy(products.indices.contains), "list", "names a product that is missing")
    }
}

package struct SampleReport: Sendable, Hashable, Codable {
    package var products, places, prices, experiences: Int
    package var list: Int64
}

extension Groceries {
    /// Adds the samples, and a list for a person. Adding them twice adds another list and no prices.
    package func add(_ samples: SampleGroceries, for person: String) throws -> SampleReport {
        let tags = Dictionary(samples.tags.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var products: [Int64] = []
        for sample in samples.products {
            let product = try product(
                of: NewProduct(
                    gtin: sample.gtin, category: sample.category, name: sample.name, brand: sample.brand,
                    quantity: sample.quantity), by: nil)
            try setTags(sample.tags.compactMap { tags[$0] }, of: product.id, by: nil)
            products.append(product.id)
        }
        let places = try samples.places.map { try place(of: $0, by: nil).id }
        var prices = 0
        for (index, sample) in samples.prices.enumerated() {
            guard let money = Currency(sample.currency).flatMap({ Money(price: sample.amount, currency: $0) }) else {
                continue
            }
            let recorded = try record(
                NewPrice(
                    product: products[sample.product], place: places[sample.place], price: money,
                    per: sample.per ?? .piece, isDiscounted: sample.isDiscounted ?? false,
                    date: today.adding(-sample.daysAgo), contributor: sample.by, source: "sample:\(index)"))
            if case .accepted = recorded { prices += 1 }
        }
        var experiences = 0
        if prices > 0 {
            for sample in samples.experiences {
                let posted = try post(
                    NewExperience(
                        kind: sample.kind, rating: sample.rating, comment: sample.comment,
                        product: sample.product.map { products[$0] }, place: sample.place.map { places[$0] }),
                    by: sample.by)
                for answer in sample.answers ?? [] { _ = try comment(answer.text, on: posted.id, by: answer.by) }
                experiences += 1
            }
        }
        let own = try lists(of: person).map { DisplayName.key(of: $0.name) }
        let free = (1...own.count + 1).lazy.map { $0 == 1 ? "Sample list" : "Sample list \($0)" }
            .first { !own.contains(DisplayName.key(of: $0)) }
        let list = try makeList(free ?? "Sample list", by: person)
        for index in samples.list {
            let sample = samples.products[index]
            let isLoose = sample.gtin == nil
            _ = try add(
                NewEntry(
                    product: NewProduct(
                        gtin: sample.gtin, category: sample.category, name: isLoose ? nil : sample.name),
                    unit: isLoose ? .kilogram : .piece), to: list.id, by: person, anyway: true)
        }
        return SampleReport(
            products: products.count, places: places.count, prices: prices, experiences: experiences, list: list.id)
    }
}
