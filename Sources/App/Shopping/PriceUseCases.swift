import Baskets
import Core
import Groceries
import HTTP
import Meals

extension ShoppingUseCases {
    // MARK: Prices

    /// Prices of a product, newest first.
    func prices(of product: Int64, at place: Int64?, limit: Int) throws -> [PriceObservation] {
        try groceries.prices(of: product, at: place, limit: limit)
    }

    /// Records a price; an unusual one waits.
    func record(_ seen: SeenPrice, by person: String) throws -> RecordedPrice {
        let product = try seen.product ?? addProduct(NewProduct(gtin: seen.gtin), by: person).id
        return try groceries.record(
            NewPrice(
                product: product, place: seen.place, price: seen.price, per: seen.per ?? .piece,
                isDiscounted: seen.isDiscounted ?? false, date: seen.date ?? today, contributor: person))
    }

    /// Records the prices of a receipt or a price tag that was read.
    ///
    /// - Parameters:
    ///   - place: where the photo was taken; nil finds it by the receipt.
    ///   - date: the day of a tag.
    /// - Throws: `Problem` (404) for a photo that was not read.
    func recordPrices(ofPhoto id: String, place: Int64?, date: Day?, by person: String) throws -> DocumentReport {
        guard let json = try groceries.store.outcomeJSON(forContent: id) else {
            throw Problem(404, "notFound", "there is no photo \(id)")
        }
        let outcome = try JSONCoding.decode(Outcome.self, from: json)
        return try groceries.record(outcome, place: place, date: date, by: person)
    }

    /// Prices that wait for a person, oldest first.
    ///
    /// - Parameters:
    ///   - photo: `sha256:…` for the prices of this photo only.
    ///   - number: leaves out those up to this number.
    func reviews(of photo: String?, after number: Int64, limit: Int) throws -> [PriceReview] {
        try groceries.reviews(of: photo, after: number, limit: limit)
    }

    /// Accepts or rejects a waiting price.
    ///
    /// - Returns: nil for a rejected price.
    func decide(_ review: Int64, _ answer: ReviewAnswer, by person: String) throws -> RecordedPrice? {
        try groceries.decide(review, answer, by: person)
    }

    /// - Parameters:
    ///   - product: of the new price; nil before one is chosen.
    ///   - photo: shows the waiting prices of this photo only.
    ///   - number: leaves out waiting prices up to this number.
    func pricesContent(
        product id: Int64? = nil, photo: String? = nil, after number: Int64 = 0, for person: String
    ) throws -> PricesContent {
        let newest = try id.flatMap { try groceries.prices(of: $0, limit: 1).first }
        let waiting = try groceries.reviews(of: photo, after: number, limit: PricesContent.mostWaiting + 1)
        var content = PricesContent(
            product: try id.map { try product($0) }, currency: newest?.price.currency.code, per: newest?.per,
            places: try groceries.places(for: person), waiting: waiting, photo: photo, today: today)
        for contributor in Set(waiting.compactMap(\.contributor)) {
            content.levels[contributor] = try groceries.reputation(of: contributor).level
        }
        for id in Set(waiting.flatMap { $0.draft.candidates + [$0.draft.product].compactMap { $0 } }) {
            content.candidates[id] = try groceries.product(id)
        }
        return content
    }

    // MARK: Places

    /// All places, the person's own first.
    func places(for person: String) throws -> [GroceryPlace] { try groceries.places(for: person) }

    /// Stores a place, or finds it.
    func addPlace(_ new: NewPlace, by person: String) throws -> GroceryPlace {
        try groceries.place(of: new, by: person)
    }

    /// Marks a place as favourite or usual; nil stays.
    func mark(_ id: Int64, isFavorite: Bool?, isDefault: Bool?, by person: String) throws -> GroceryPlace {
        try groceries.mark(id, isFavorite: isFavorite, isDefault: isDefault, by: person)
        guard let place = try groceries.place(id, for: person) else { throw GroceryProblem.notFound("place \(id)") }
        return place
    }

    /// The place whose name is typed, or its label; a new one if no place has it.
    func place(typed new: NewPlace, by person: String) throws -> Int64 {
        let all = try groceries.places(for: person)
        let named = all.filter { $0.name == new.name }
        let known = all.first { $0.label == new.name } ?? (named.count == 1 && new.address == nil ? named[0] : nil)
        return try known?.id ?? groceries.place(of: new, by: person).id
    }
}

/// A price that a person saw; the product or its number is needed.
struct SeenPrice: Decodable, Sendable {
    var product: Int64?
    var gtin: String?
    var place: Int64
    var price: Money
    /// Nil for a piece.
    var per: PriceUnit?
    var isDiscounted: Bool?
    /// Nil for today.
    var date: Day?
}

/// What the page Prices shows.
struct PricesContent: Sendable {
    /// The product of the new price; nil before one is chosen.
    var product: GroceryProduct?
    /// The currency and the unit of its newest price.
    var currency: String?
    var per: PriceUnit?
    var places: [GroceryPlace]
    /// Waiting prices, oldest first; one more than ``mostWaiting`` if there are more.
    var waiting: [PriceReview]
    /// `sha256:…` if only the prices of this photo are shown.
    var photo: String?
    /// Products that the waiting prices may mean.
    var candidates: [Int64: GroceryProduct] = [:]
    /// Levels of the people who contributed them.
    var levels: [String: String] = [:]
    var today: Day

    /// Waiting prices on one page.
    static let mostWaiting = 8
}

extension GroceryPlace {
    /// Name with street or city, as forms propose it.
    var label: String { [name, address ?? city].compactMap { $0 }.joined(separator: ", ") }
}
