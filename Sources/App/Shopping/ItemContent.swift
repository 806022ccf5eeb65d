import Core
import Foundation
import Groceries

extension GroceryActions {
    /// Photos of a product that are looked at for its picture.
    private static let mostPhotos = 3

    func itemContent(_ id: Int64, for person: String) throws -> ItemContent {
        let product = try groceries.known(product: id)
        var content = ItemContent(
            product: product, prices: try groceries.prices(of: id), quotes: try groceries.quotes(of: id),
            experiences: try groceries.experiences(product: id, limit: 10), lists: try groceries.lists(of: person),
            today: today, aisle: product.aisle ?? foods.aisle(of: product.name, category: product.category),
            order: foods.order, tags: try groceries.tags())
        for place in Set(content.prices.map(\.place) + content.quotes.map(\.place)) {
            content.places[place] = try groceries.place(place)?.name
        }
        content.levels = try groceries.levels(of: content.prices.compactMap(\.contributor))
        if let number = product.gtin, let gtin = GTIN(number) {
            content.photos = try groceries.store.outcomes(ofProduct: gtin, limit: Self.mostPhotos)
        }
        return content
    }
}

/// What the page of a product shows.
struct ItemContent: Sendable {
    var product: GroceryProduct
    /// The newest observations, rejected ones too.
    var prices: [PriceObservation]
    var quotes: [PriceQuote]
    /// Names of the places above.
    var places: [Int64: String] = [:]
    /// Levels of the contributors above.
    var levels: [String: String] = [:]
    var experiences: [Experience]
    /// The person's lists, for the button that adds the product.
    var lists: [GroceryList]
    var today: Day
    /// True if the picture of the product can be shown.
    var hasPicture = false
    /// Outcomes of the household's photos of the product, as stored.
    var photos: [Data] = []

    /// The product on one of these photos, where no other server has its picture.
    var picture: ProductPicture? {
        guard !hasPicture, let number = product.gtin else { return nil }
        return photos.lazy.compactMap { try? JSONCoding.decode(Outcome.self, from: $0) }
            .compactMap { ProductPicture(of: number, on: $0) }.first
    }

    /// Its aisle, and all aisles.
    var aisle: String
    var order: [String]
    var tags: [GroceryTag]
}
