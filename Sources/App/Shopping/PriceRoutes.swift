import Foods
import Core
import Groceries
import HTTP
import Hummingbird

// Prices as JSON, and the page Prices with its forms.
extension ShoppingRoutes {
    var priceRoutes: [Route] {
        [
            Route(
                .get, "v1/prices", for: .adult, "Prices of a product, newest first", query: PriceQuery.self,
                gives: [200: "The prices."], refuses: Self.unknown
            ) { _, query in
                try await actions {
                    try $0.prices(of: query.product, at: query.place, limit: query.limit ?? PriceQuery.usual)
                }
            },
            Route(
                .post, "v1/prices", for: .adult, "Records a price", body: SeenPrice.self,
                gives: [200: "It was recorded before.", 201: "Accepted.", 202: "It waits in review."],
                refuses: Self.conflicts
            ) { call, seen in
                let recorded = PriceState(
                    try await actions.record(
                        seen.price, of: seen.product, gtin: seen.gtin, at: seen.place, per: seen.per,
                        isDiscounted: seen.isDiscounted, on: seen.date, by: call.person))
                return Answered(recorded.isWaiting ? 202 : recorded.id == nil ? 200 : 201, recorded)
            },
            Route(
                .delete, "v1/prices/\(.number)", for: .adult,
                "Removes a wrong price: one's own typed one is deleted, another is rejected",
                gives: [204: "Removed."], refuses: Self.conflicts
            ) { call in
                _ = try await actions { try $0.remove(try call[.number], by: call.person) }
                return Nothing()
            },
            Route(
                .get, "v1/prices/reviews", for: .adult, "Prices that wait", query: ReviewQuery.self,
                gives: [200: "The waiting prices."], refuses: Self.unknown
            ) { _, query in
                try await actions {
                    try $0.reviews(of: query.photo, after: query.after ?? 0, limit: query.limit ?? ReviewQuery.usual)
                }
            },
            Route(
                .post, "v1/prices/reviews/\(.number)", for: .adult, "Accepts or rejects a waiting price",
                body: ReviewAnswer.self,
                gives: [
                    200: "Decided.", 202: "The corrected price contradicts others and waits for somebody else.",
                ], refuses: Self.conflicts
            ) { call, answer in
                let decided = PriceState(try await actions.decide(try call[.number], answer, by: call.person))
                return Answered(decided.isWaiting ? 202 : 200, decided)
            },
            Route(
                .post, "v1/prices/photos/\(.photo)", for: .adult,
                "Records the prices of a receipt or price tag that was read", gives: [201: "What the photo gave."],
                refuses: Self.conflicts
            ) { call in
                let given = try await call.optionalBody(PhotoPlace.self)
                return try await actions.recordPrices(
                    ofPhoto: try call[.photo], place: given?.place, date: given?.date, by: call.person)
            }.taking(body: [("application/json", PhotoPlace.schema)], isRequired: false),

            shell.page(.get, "prices", for: .adult, in: .prices) { visit in
                let query = visit.call.query
                let content = try await actions.pricesContent(
                    product: try query.number("product"), photo: query.photo, after: try query.number("after") ?? 0,
                    for: visit.call.person)
                return try visit.show(
                    PricesPage(content, visit.texts, place: Int64(query["place"])),
                    message: visit.texts.message("prices.done.\(query["done"])"))
            },
            form(
                "prices", in: .prices,
                again: { visit in
                    let content = try await actions.pricesContent(
                        product: try visit.draft?.number("product"), for: visit.call.person)
                    return try visit.show(PricesPage(content, visit.texts, draft: visit.draft))
                }
            ) { try await record($1, by: $0.call.person) },
            form(
                "prices/reviews/\(.priceReview)", in: .prices,
                again: { visit in
                    let (id, photo) = (try visit.call[.priceReview], visit.draft?.photo)
                    // A refused price stays in view, wherever it is in the queue.
                    let content = try await actions.pricesContent(
                        photo: photo, after: photo == nil ? id - 1 : 0, for: visit.call.person)
                    return try visit.show(PricesPage(content, visit.texts, draft: visit.draft, refused: id))
                }
            ) { try await decide(try $0.call[.priceReview], $1, $0) },
        ]
    }

    private func record(_ form: FormBody, by person: String) async throws -> Response {
        let product = try form.number("product", orSay: "choose a product")
        let (money, day) = (try form.money, try form.day("day"))
        let shop = try await actions.place(typed: try form.shop, by: person).id
        let recorded = try await actions.record(
            money, of: product, at: shop, per: PriceUnit(rawValue: form["per"]), isDiscounted: form["sale"] == "yes",
            on: day, by: person)
        if case .waiting = recorded { return Visit.next("/prices?done=waiting") }
        return Visit.next("/goods/\(product)")
    }

    private func decide(_ id: Int64, _ form: FormBody, _ visit: Visit) async throws -> Response {
        let person = try visit.call.person
        let waiting = try await actions { try $0.reviews(after: id - 1, limit: 1).first { $0.id == id } }
        var answer = ReviewAnswer(isAccepted: form["answer"] == "accept")
        var (shop, newName): (NewPlace?, String?)
        if answer.isAccepted {
            let money = try form.money
            (answer.amount, answer.currency) = (money.digits, money.currency.code)
            answer.per = PriceUnit(rawValue: form["per"])
            answer.date = try form.day("day")
            shop = try form.shop
            newName = form["product"] == "new" ? form["name"] : nil
            if newName == nil {
                answer.product = try form.number("product", orSay: "choose the product of this price")
            }
        }
        let done =
            switch try await actions.decide(id, answer, product: newName, at: shop, by: person) {
            case .accepted, .known: "accepted"
            case .waiting: "waiting"
            case nil: "rejected"
            }
        let next = "/prices?done=\(done)" + (form.photo.map { "&photo=\($0)" } ?? "")
        guard done != "waiting", let photo = waiting?.draft.photo else { return Visit.next(next) }
        return visit.next(next, offering: visit.texts.text("price.decided"), back: "/prices") {
            try await actions { try $0.takeBack([id], ofPhoto: photo, by: person) }
        }
    }
}

struct PriceQuery: Decodable, Sendable, Documented {
    var product: Int64
    var place: Int64?
    var limit: Int?

    static let usual = 200
    static let fields = [
        "product": Field.number("The product's number."),
        "place": Field.number("The place's number."),
        "limit": Field("At most so many.", range: 1...5000, usual: "\(usual)"),
    ]
}

struct ReviewQuery: Decodable, Sendable, Documented {
    var photo: String?
    var after: Int64?
    var limit: Int?

    static let usual = 100
    static let fields = [
        "photo": Field("Only the prices of this photo.", pattern: "^sha256:[0-9a-f]{64}$"),
        "after": Field.number("Leaves out those up to this number."),
        "limit": Field("1 to 1000, default 100.", range: 1...1000, usual: "\(usual)"),
    ]
}

struct PhotoPlace: Decodable, Sendable {
    var place: Int64?
    var date: Day?

    static let schema = Schema(
        type: "object", "Where and when a tag was photographed.",
        properties: ["place": Schema(type: "integer", minimum: 1), "date": Day.schema])
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
