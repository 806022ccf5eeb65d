import Core
import Foods
import Groceries

extension GroceryActions {
    /// The product that a photo shows by its barcode, a price tag or its label, for one card with everything about it.
    ///
    /// - Parameter list: the list that it is for; nil for the person's first one.
    /// - Returns: nil for a photo that shows no one of them.
    /// - Throws: ``GroceryProblem/notFound(_:)`` for a list that the person may not open; ``GroceryProblem/noPhoto(_:)``.
    func scanned(_ photo: String, for list: Int64?, of person: String) throws -> CardContent? {
        let outcome = try outcome(ofPhoto: photo)
        let shown = try lists(of: person, showing: list).shown
        guard let (product, known) = try product(on: outcome) else { return nil }
        let name = known?.name ?? product.name ?? ""
        return CardContent(
            photo: photo, outcome: outcome, list: shown, product: product, known: known,
            aisle: known?.aisle ?? foods.aisle(of: name, category: known?.category), order: foods.order,
            waiting: try groceries.reviews(of: photo, limit: 1).first, tags: try groceries.tags(),
            places: try groceries.places(for: person), currency: try groceries.currencies().first,
            newest: try known.flatMap { try groceries.newestQuotes(of: [$0.id])[$0.id] }, today: today)
    }

    /// Stores what a person confirmed on a card, and adds the product to the list.
    func add(_ card: FilledCard, to list: Int64, by person: String) throws -> AddedEntry {
        _ = try groceries.list(list, of: person)
        let product = try product(of: card.product, by: person)
        try setAisle(card.aisle, of: product.id)
        try groceries.setTags(card.tags, of: product.id, by: person)
        if let price = card.price {
            let place = try place(typed: price.shop, by: person).id
            if let waiting = price.waiting {
                var answer = ReviewAnswer(isAccepted: true)
                (answer.product, answer.place, answer.date) = (product.id, place, today)
                (answer.amount, answer.currency) = (price.money.digits, price.money.currency.code)
                _ = try decide(waiting, answer, by: person)
            } else {
                _ = try record(price.money, of: product.id, at: place, by: person)
            }
        }
        return try add(try entry(product.id, typed: "", quantity: card.quantity, unit: .piece), to: list, by: person)
    }
}

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
    var waiting: PriceReview?
    var tags: [GroceryTag]
    var places: [GroceryPlace]
    /// Of the newest price; nil before the first one.
    var currency: String?
    var newest: PriceQuote?
    var today: Day
}

struct FilledCard: Sendable {
    struct Price: Sendable {
        var money: Money
        var shop: NewPlace
        var waiting: Int64?
    }

    var product: NewProduct
    /// Thousandths of a piece.
    var quantity: Int64
    var aisle: String?
    var tags: [GroceryTag]
    var price: Price?
}
