import Foods
import Core
import Groceries
import HTTP

extension ShoppingUseCases {
    /// The product that a photo shows by its barcode or by a price tag, for one card with everything about it.
    ///
    /// - Parameter list: the list that it is for; nil for the person's first one.
    /// - Throws: ``GroceryProblem/notFound(_:)`` for a list that the person may not open.
    func scanned(_ photo: String, for list: Int64?, of person: String) throws -> ScannedProduct {
        guard let json = try groceries.store.outcomeJSON(forContent: photo) else { return .unread }
        let outcome = try JSONCoding.decode(Outcome.self, from: json)
        let shown = try list.map { try groceries.list($0, of: person) } ?? groceries.lists(of: person).first
        guard let product = Self.product(on: outcome) else { return .nothing }
        let named = completed(product)
        let known = try stored(named)
        let name = known?.name ?? named.name ?? ""
        return .product(
            CardContent(
                photo: photo, outcome: outcome, list: shown, product: named, known: known,
                aisle: known?.aisle ?? foods.aisle(of: name, category: known?.category), order: foods.order,
                waiting: try groceries.reviews(of: photo, limit: 1).first, tags: try groceries.tags(),
                places: try groceries.places(for: person), currency: try groceries.lastCurrency(),
                newest: try known.flatMap { try groceries.newestQuotes(of: [$0.id])[$0.id] }, today: today))
    }

    /// The product of the only barcode of a photo, or of its only price tag.
    private static func product(on outcome: Outcome) -> NewProduct? {
        let numbers = Set((outcome.products ?? []).compactMap { GTIN($0.gtin) })
        if numbers.count == 1, let number = numbers.first {
            return NewProduct(gtin: number.digits, name: outcome.priceTag?.product?.value)
        }
        guard numbers.isEmpty, (outcome.priceTags?.count ?? 1) == 1, let tag = outcome.priceTag else { return nil }
        if let gtin = tag.gtin.flatMap({ GTIN($0.value) }) {
            return NewProduct(gtin: gtin.digits, name: tag.product?.value, brand: tag.brand?.value)
        }
        return tag.product.map { NewProduct(name: $0.value, brand: tag.brand?.value) }
    }

    private func stored(_ product: NewProduct) throws -> GroceryProduct? {
        if let gtin = product.gtin.flatMap({ GTIN(typed: $0) }) { return try groceries.product(gtin) }
        guard let name = product.name else { return nil }
        return try groceries.products(matching: name, limit: 20).first { $0.gtin == nil && $0.name == name }
    }

    /// Stores what a person confirmed on a card, and adds the product to the list.
    ///
    /// - Throws: ``GroceryProblem`` before anything is stored for a price without a shop.
    func add(_ card: FilledCard, to list: Int64, by person: String) throws -> AddedEntry {
        _ = try groceries.list(list, of: person)
        let product = try addProduct(card.product, by: person)
        try setAisle(card.aisle, of: product.id)
        try groceries.setTags(card.tags, of: product.id, by: person)
        if let price = card.price {
            let place = try place(typed: price.shop, by: person)
            if let waiting = price.waiting {
                _ = try groceries.decide(
                    waiting,
                    ReviewAnswer(
                        isAccepted: true, product: product.id, place: place, amount: price.money.digits,
                        currency: price.money.currency.code, date: today), by: person)
            } else {
                _ = try groceries.record(
                    NewPrice(product: product.id, place: place, price: price.money, date: today, contributor: person))
            }
        }
        let entry = NewEntry(
            product: try wanted(product.id, typed: ""), quantity: card.quantity, unit: .piece)
        return try add(entry, to: list, by: person)
    }
}

/// What a photo shows of one product.
enum ScannedProduct: Sendable {
    /// The photo was not read yet, or is unknown.
    case unread
    case product(CardContent)
    /// Neither one barcode nor one price tag was read.
    case nothing
}

/// What the card of a photographed product shows.
struct CardContent: Sendable {
    var photo: String
    var outcome: Outcome
    /// Nil for a person without lists.
    var list: GroceryList?
    /// With the name that the catalogue or the tag gives.
    var product: NewProduct
    /// The stored product; nil for a new one.
    var known: GroceryProduct?
    var aisle: String
    /// All aisles.
    var order: [String]
    /// The price of the tag that waits for a person.
    var waiting: PriceReview?
    var tags: [GroceryTag]
    var places: [GroceryPlace]
    /// Of the newest price; nil before the first one.
    var currency: String?
    var newest: PriceQuote?
    var today: Day
}

/// A card as a person confirmed it.
struct FilledCard: Sendable {
    struct Price: Sendable {
        var money: Money
        var shop: NewPlace
        /// The tag's price that waits.
        var waiting: Int64?
    }

    var product: NewProduct
    /// Thousandths of a piece.
    var quantity: Int64
    var aisle: String?
    var tags: [GroceryTag]
    var price: Price?
}
