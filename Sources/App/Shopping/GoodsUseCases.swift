import Foods
import Core
import Foundation
import Groceries
import HTTP

extension ShoppingUseCases {
    /// Products whose name has words with these beginnings, or with this category, tag or number; by name.
    func products(matching text: String, category: String?, tag: String?, limit: Int) throws -> [GroceryProduct] {
        try groceries.products(matching: text, category: category, tag: tag, limit: limit)
    }

    func goodsContent(_ query: GoodsQuery, for person: String) throws -> GoodsContent {
        GoodsContent(
            found: try products(
                matching: query.text, category: query.category.isEmpty ? nil : query.category,
                tag: query.tag.isEmpty ? nil : query.tag, limit: GoodsContent.shown + 1),
            tags: try groceries.tags(), categories: try groceries.categories(),
            lists: try groceries.lists(of: person), today: today)
    }

    /// - Throws: ``GroceryProblem/notFound(_:)``.
    func product(_ id: Int64) throws -> GroceryProduct {
        guard let product = try groceries.product(id) else { throw GroceryProblem.notFound("product \(id)") }
        return product
    }

    /// Photos of a product that are looked at for its picture.
    private static let mostPhotos = 3

    func itemContent(_ id: Int64, for person: String) async throws -> ItemContent {
        var content = try ItemContent(try product(id), groceries, for: person)
        // The first visitor starts the request; the page never waits for it.
        if let address = content.product.image { content.hasPicture = await fetched(address) != nil }
        content.order = foods.order
        content.aisle =
            content.product.aisle ?? foods.aisle(of: content.product.name, category: content.product.category)
        if !content.hasPicture, let number = content.product.gtin, let gtin = GTIN(number) {
            content.picture = try groceries.store.outcomes(ofProduct: gtin, limit: Self.mostPhotos).lazy
                .compactMap { try? JSONCoding.decode(Outcome.self, from: $0) }
                .compactMap { ProductPicture(of: number, on: $0) }.first
        }
        return content
    }

    /// The picture of a product as a JPEG.
    ///
    /// - Throws: `Problem` (404) while it is fetched, and without one.
    func picture(of id: Int64) async throws -> Data {
        guard let address = try groceries.product(id)?.image, let data = await fetched(address) else {
            throw Problem(404, "notFound", "there is no picture of product \(id)")
        }
        return data
    }

    /// Stores a product, or finds it.
    func addProduct(_ new: NewProduct, by person: String) throws -> GroceryProduct {
        try groceries.product(of: completed(new), by: person)
    }

    func setTags(_ tags: [GroceryTag], of id: Int64, by person: String) throws -> GroceryProduct {
        try groceries.setTags(tags, of: id, by: person)
        return try product(id)
    }

    /// Sets the aisle of a product; nil lets the words of its name decide.
    ///
    /// - Throws: ``GroceryProblem/bad(_:)`` for an aisle that no list has.
    func setAisle(_ aisle: String?, of id: Int64) throws {
        if let aisle, !foods.order.contains(aisle) {
            throw GroceryProblem.bad("there is no aisle \(String(aisle.prefix(40)).printable)")
        }
        try groceries.setAisle(aisle, of: id)
    }
}

/// What a person searches for.
struct GoodsQuery: Sendable {
    var text = ""
    /// Empty for any.
    var category = ""
    var tag = ""
}

/// The products of a search, and what the form of the search offers.
struct GoodsContent: Sendable {
    /// One more than ``shown`` if there are more.
    var found: [GroceryProduct]
    var tags: [GroceryTag]
    var categories: [String]
    var lists: [GroceryList]
    var today: Day

    /// Products on the page.
    static let shown = 40
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
    /// The product on one of the household's photos.
    var picture: ProductPicture?
    /// Its aisle, and all aisles.
    var aisle = FoodWords.other
    var order: [String] = []
    var tags: [GroceryTag]

    private static let (mostPrices, mostExperiences) = (200, 10)

    init(_ product: GroceryProduct, _ groceries: Groceries, for person: String) throws {
        self.product = product
        prices = try groceries.prices(of: product.id, limit: Self.mostPrices)
        quotes = try groceries.quotes(of: product.id)
        experiences = try groceries.experiences(product: product.id, limit: Self.mostExperiences)
        lists = try groceries.lists(of: person)
        today = groceries.today
        tags = try groceries.tags()
        for place in Set(prices.map(\.place) + quotes.map(\.place)) {
            places[place] = try groceries.place(place)?.name
        }
        for contributor in Set(prices.compactMap(\.contributor)) {
            levels[contributor] = try groceries.reputation(of: contributor).level
        }
    }
}

extension GroceryProduct: Documented {
    package static let about: String? = "A product or loose goods."
}

extension GroceryTag: Documented {
    package static let about: String? = "A tag."
    package static let fields = [
        "name": Field(lengths: 1...40), "colour": Field(pattern: "^#[0-9a-fA-F]{6}$"),
    ]
}
