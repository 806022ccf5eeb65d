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
                try await cases.prices(of: query.product, at: query.place, limit: query.limit ?? PriceQuery.usual)
            },
            Route(
                .post, "v1/prices", for: .adult, "Records a price", body: SeenPrice.self,
                gives: [200: "It was recorded before.", 201: "Accepted.", 202: "It waits in review."],
                refuses: Self.conflicts
            ) { call, seen in
                let recorded = PriceState(try await cases.record(seen, by: call.person))
                return Answered(recorded.isWaiting ? 202 : recorded.id == nil ? 200 : 201, recorded)
            },
            Route(
                .get, "v1/prices/reviews", for: .adult, "Prices that wait", query: ReviewQuery.self,
                gives: [200: "The waiting prices."], refuses: Self.unknown
            ) { _, query in
                try await cases.reviews(
                    of: query.photo, after: query.after ?? 0, limit: query.limit ?? ReviewQuery.usual)
            },
            Route(
                .post, "v1/prices/reviews/\(.number)", for: .adult, "Accepts or rejects a waiting price",
                body: ReviewAnswer.self,
                gives: [
                    200: "Decided.", 202: "The corrected price contradicts others and waits for somebody else.",
                ], refuses: Self.conflicts
            ) { call, answer in
                let decided = PriceState(try await cases.decide(try call[.number], answer, by: call.person))
                return Answered(decided.isWaiting ? 202 : 200, decided)
            },
            Route(
                .post, "v1/prices/photos/\(.photo)", for: .adult,
                "Records the prices of a receipt or price tag that was read", gives: [201: "What the photo gave."],
                refuses: Self.conflicts
            ) { call in
                let given = try await call.optionalBody(PhotoPlace.self)
                return try await cases.recordPrices(
                    ofPhoto: try call[.photo], place: given?.place, date: given?.date, by: call.person)
            }.taking(body: [("application/json", PhotoPlace.schema)], isRequired: false),

            shell.page(.get, "prices", for: .adult, in: .prices) { visit in
                let query = visit.call.query
                let content = try await cases.pricesContent(
                    product: try query.number("product"), photo: query.photo, after: try query.number("after") ?? 0,
                    for: visit.call.person)
                return try visit.show(
                    PricesPage(
                        content, visit.texts, place: Int64(query["place"]),
                        message: visit.texts.message("prices.done.\(query["done"])")))
            },
            form(
                "prices", in: .prices,
                again: { visit, form, problem in
                    let content = try await cases.pricesContent(
                        product: try form.number("product"), for: visit.call.person)
                    return try visit.show(
                        PricesPage(content, visit.texts, draft: form, error: problem), status: problem.status)
                }
            ) { try await record($1, by: $0.call.person) },
            form(
                "prices/reviews/\(.priceReview)", in: .prices,
                again: { visit, form, problem in
                    let id = try visit.call[.priceReview]
                    // A refused price stays in view, wherever it is in the queue.
                    let content = try await cases.pricesContent(
                        photo: form.photo, after: form.photo == nil ? id - 1 : 0, for: visit.call.person)
                    return try visit.show(
                        PricesPage(content, visit.texts, draft: form, refused: id, error: problem),
                        status: problem.status)
                }
            ) { try await decide(try $0.call[.priceReview], $1, by: $0.call.person) },
        ]
    }

    private func record(_ form: FormBody, by person: String) async throws -> Response {
        let product = try form.number("product", orSay: "choose a product")
        let (money, day) = (try form.money, try form.day("day"))
        let seen = SeenPrice(
            product: product, place: try await shop(form, by: person), price: money,
            per: PriceUnit(rawValue: form["per"]), isDiscounted: form["sale"] == "yes", date: day)
        if case .waiting = try await cases.record(seen, by: person) { return Visit.next("/prices?done=waiting") }
        return Visit.next("/goods/\(product)")
    }

    /// The shop whose name is typed; a new one if no shop has it.
    private func shop(_ form: FormBody, by person: String) async throws -> Int64 {
        let new = form.place("shop")
        guard !new.name.isEmpty else { throw Problem(400, "badRequest", "type the name of the shop") }
        return try await cases.place(typed: new, by: person)
    }

    private func decide(_ id: Int64, _ form: FormBody, by person: String) async throws -> Response {
        var answer = ReviewAnswer(isAccepted: form["answer"] == "accept")
        if answer.isAccepted {
            let money = try form.money
            (answer.amount, answer.currency) = (money.digits, money.currency.code)
            answer.per = PriceUnit(rawValue: form["per"])
            answer.date = try form.day("day")
            answer.place = try await shop(form, by: person)
            answer.product =
                form["product"] == "new"
                ? try await cases.addProduct(NewProduct(name: form["name"]), by: person).id
                : try form.number("product", orSay: "choose the product of this price")
        }
        let done =
            switch try await cases.decide(id, answer, by: person) {
            case .accepted, .known: "accepted"
            case .waiting: "waiting"
            case nil: "rejected"
            }
        return Visit.next("/prices?done=\(done)" + (form.photo.map { "&photo=\($0)" } ?? ""))
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
