import Foods
import Core
import Groceries
import HTTP

extension ShoppingUseCases {
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
}

/// A price that a person saw; the product or its number is needed.
struct SeenPrice: Decodable, Sendable, Documented {
    var product: Int64?
    var gtin: String?
    var place: Int64
    var price: Money
    /// Nil for a piece.
    var per: PriceUnit?
    var isDiscounted: Bool?
    /// Nil for today.
    var date: Day?

    static let about: String? = "A price that a person saw; product or gtin is needed."
    static let fields = ["product": Field.number(), "place": Field.number()]
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

/// What became of a price.
struct PriceState: Codable, Sendable, Documented {
    enum State: String, Codable, CaseIterable {
        case accepted, waiting, rejected
    }

    var state: State
    /// Nil for a price that was recorded before or rejected.
    var id: Int64?
    /// Why it waits.
    var reason: ReviewReason?

    var isWaiting: Bool { state == .waiting }

    /// - Parameter recorded: nil for a rejected price.
    init(_ recorded: RecordedPrice?) {
        switch recorded {
        case .accepted(let id)?: (state, self.id) = (.accepted, id)
        case .waiting(let id, let reason)?: (state, self.id, self.reason) = (.waiting, id, reason)
        case .known?: state = .accepted
        case nil: state = .rejected
        }
    }

    static let about: String? = "What became of a price."
}

extension PriceObservation: Documented {
    package static let about: String? = "A price of a product at a place on a day."
}

extension PriceReview: Documented {
    package static let about: String? = "A price that waits for a person."
}

extension ReviewAnswer: Documented {
    package static let about: String? = "A decision with corrections; what is not named is taken from the draft."
    package static let fields = ["product": Field.number(), "place": Field.number()]
}

extension DocumentReport: Documented {
    package static let about: String? = "What a receipt or a price tag gave."
}
