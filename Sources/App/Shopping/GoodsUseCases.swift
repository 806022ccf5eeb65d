import Foundation
import Groceries
import HTTP
import Meals

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

    func itemContent(_ id: Int64, for person: String) async throws -> ItemContent {
        var content = try ItemContent(try product(id), groceries, for: person)
        // The first visitor starts the request; the page never waits for it.
        if let address = content.product.image { content.hasPicture = await fetched(address) != nil }
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

    /// Sets tags by their names. A new tag is grey, which is visible on light and dark pages.
    func setTags(named names: [String], of id: Int64, by person: String) throws {
        let known = try groceries.tags()
        let tags = names.map { name in
            known.first { $0.name == name } ?? GroceryTag(name: name, colour: "#808080")
        }
        try groceries.setTags(tags, of: id, by: person)
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

    private static let (mostPrices, mostExperiences) = (200, 10)

    init(_ product: GroceryProduct, _ groceries: Groceries, for person: String) throws {
        self.product = product
        prices = try groceries.prices(of: product.id, limit: Self.mostPrices)
        quotes = try groceries.quotes(of: product.id)
        experiences = try groceries.experiences(product: product.id, limit: Self.mostExperiences)
        lists = try groceries.lists(of: person)
        today = groceries.today
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
