import Baskets
import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// Adding a price, and deciding about prices that wait.
struct PricesPage {
    struct Content: Sendable {
        /// The product of the new price; nil before one is chosen.
        var product: GroceryProduct?
        /// The currency and the unit of its newest price.
        var currency: String?
        var per: PriceUnit?
        var places: [GroceryPlace]
        /// Waiting prices, oldest first.
        var waiting: [PriceReview]
        /// `sha256:…` if only the prices of this photo are shown.
        var photo: String?
        /// Products that the waiting prices may mean.
        var candidates: [Int64: GroceryProduct]
        /// Levels of the people who contributed them.
        var levels: [String: String]
        var today: Day

        /// Waiting prices on one page.
        static let mostWaiting = 8

        /// - Parameters:
        ///   - photo: shows the prices of this photo only.
        ///   - after: shows waiting prices behind this number.
        init(
            _ groceries: Groceries, product id: Int64?, photo: String? = nil, after: Int64 = 0, for person: String
        ) throws {
            product = try id.map {
                guard let product = try groceries.product($0) else { throw GroceryProblem.notFound("product \($0)") }
                return product
            }
            let newest = try id.flatMap { try groceries.prices(of: $0, limit: 1).first }
            currency = newest?.price.currency.code
            per = newest?.per
            places = try groceries.places(for: person)
            self.photo = photo
            waiting = try groceries.reviews(of: photo, after: after, limit: Self.mostWaiting + 1)
            levels = [:]
            for contributor in Set(waiting.compactMap(\.contributor)) {
                levels[contributor] = try groceries.reputation(of: contributor).level
            }
            candidates = [:]
            for id in Set(waiting.flatMap { $0.draft.candidates + [$0.draft.product].compactMap { $0 } }) {
                candidates[id] = try groceries.product(id)
            }
            today = groceries.today
        }
    }

    let content: Content
    let texts: PageTexts
    /// The shop that the form of the new price begins with.
    var place = ""
    /// What was typed in a refused form.
    var draft: FormBody?
    /// The waiting price that the refused form is about; nil for a new price.
    var refused: Int64?
    var error: Problem?
    var message: String?

    private var words: GroceryText { GroceryText(texts, today: content.today) }

    func values() -> Values {
        let waiting = content.waiting.prefix(Content.mostWaiting)
        var values: Values = [
            "waiting": waiting.map(review), "hasWaiting": !waiting.isEmpty,
            "shops": content.places.prefix(Self.proposed).map(\.label),
            "isWaitingOnly": content.product == nil && content.photo == nil, "within": content.photo ?? "",
        ]
        if let photo = content.photo { values["ofPhoto"] = photo }
        if content.waiting.count > Content.mostWaiting, let last = waiting.last {
            values["more"] = "?after=\(last.id)" + (content.photo.map { "&photo=\($0)" } ?? "")
        }
        if let error { values["error"] = AddPage.refusal(error, texts) }
        if let message { values["message"] = message }
        guard let product = content.product else { return values }
        values["product"] =
            [
                "id": "\(product.id)", "name": product.name, "facts": words.facts(product),
                "amount": draft?["amount"] ?? "",
                "currency": draft?["currency"] ?? content.currency ?? texts.text("shop.currency"),
                "units": ListPage.units(
                    PriceUnit(rawValue: draft?["per"] ?? "") ?? content.per ?? .piece, PriceUnit.allCases, texts),
                "shop": draft?["shop"] ?? shop, "address": draft?["address"] ?? "", "city": draft?["city"] ?? "",
                "postcode": draft?["postcode"] ?? "",
                "day": draft?["day"] ?? content.today.description, "today": content.today.description,
                "isSale": draft?["sale"] == "yes",
            ] as Values
        return values
    }

    /// Shops that a field proposes.
    private static let proposed = 200

    /// The shop of the address, else the person's usual one.
    private var shop: String {
        Int64(place).flatMap(label) ?? content.places.first { $0.isDefault || $0.isFavorite }?.label ?? ""
    }

    private func label(_ id: Int64) -> String? { content.places.first { $0.id == id }?.label }

    /// The products that a printed name may mean. None is chosen for the person unless it is sure.
    private func options(_ products: [Int64], chosen: Int64?) -> [Values] {
        let known = products.compactMap { content.candidates[$0] }.map { product -> Values in
            [
                "value": "\(product.id)", "isChosen": product.id == chosen,
                "text": [product.name, product.brand].compactMap { $0 }.joined(separator: ", "),
            ]
        }
        let new: Values = ["value": "new", "text": texts.text("prices.new"), "isChosen": known.isEmpty]
        guard chosen == nil, !known.isEmpty else { return known + [new] }
        return [["value": "", "text": texts.text("review.reason.product"), "isChosen": true]] + known + [new]
    }

    private func review(_ review: PriceReview) -> Values {
        let draft = review.draft
        // A refused form keeps what was typed.
        let typed = refused == review.id ? self.draft : nil
        let products = [draft.product].compactMap { $0 } + draft.candidates
        let printed = draft.printed ?? products.first.flatMap { content.candidates[$0]?.name } ?? ""
        var values: Values = [
            "review": "\(review.id)", "printed": printed.isEmpty ? texts.text("prices.photo.head") : printed,
            "newName": typed?["name"] ?? printed, "who": words.contributed(review.contributor, content.levels),
            "reason": texts.text("review.reason.\(review.reason.rawValue)"),
            "merchant": draft.merchant ?? false, "amount": typed?["amount"] ?? draft.amount,
            "currency": typed?["currency"] ?? draft.currency ?? "",
            "unit": words.per(draft.per), "day": typed?["day"] ?? draft.date?.description ?? "",
            "photo": draft.photo ?? false,
            "products": options(products, chosen: typed.flatMap { Int64($0["product"]) } ?? draft.product),
            "shop": typed?["shop"] ?? draft.place.flatMap(label) ?? draft.merchant ?? "",
            "accept": texts.text("prices.accept.name", ["name": printed]),
            "reject": texts.text("prices.reject.name", ["name": printed]),
        ]
        if let median = draft.median {
            values["median"] = texts.text("prices.median", ["price": words.money(median)])
        }
        return values
    }
}

extension WebRoutes {
    func addPrices(to routes: RouterGroup<APIContext>) {
        routes.get("prices") { request, context in
            try await shopPage(request, context, section: "prices") { shopper in
                let query = FormBody(queryOf: request)
                let texts = try language(request).texts
                let key = "prices.done.\(query["done"])"
                return try await pricesPage(
                    request, shopper, product: try Self.number(query["product"]), photo: query.photo,
                    after: try Self.number(query["after"]) ?? 0, place: query["place"],
                    message: texts.has(key) ? texts.text(key) : nil)
            }
        }
        routes.post("prices") { request, context in
            try await shopForm(
                request, context, section: "prices",
                again: {
                    try await pricesPage(
                        request, $0, product: Self.number($1["product"]), draft: $1, error: $2)
                }, recordPrice)
        }
        routes.post("prices/reviews/{review}") { request, context in
            let id = try Self.id(context, "review")
            return try await shopForm(
                request, context, section: "prices",
                again: { try await pricesPage(request, $0, photo: $1.photo, draft: $1, refused: id, error: $2) }
            ) { try await decide(id, $0, $1) }
        }
    }

    private func pricesPage(
        _ request: Request, _ shopper: Shopper, product: Int64? = nil, photo: String? = nil, after: Int64 = 0,
        place: String = "", draft: FormBody? = nil, refused: Int64? = nil, error: Problem? = nil,
        message: String? = nil
    ) async throws -> Response {
        let content = try await groceries.run {
            // A refused price stays in view, wherever it is in the queue.
            let start = photo == nil ? refused.map { $0 - 1 } ?? after : after
            return try PricesPage.Content($0, product: product, photo: photo, after: start, for: shopper.person)
        }
        let texts = try language(request).texts
        let shown = PricesPage(
            content: content, texts: texts, place: place, draft: draft, refused: refused, error: error,
            message: message)
        return try page(
            request, "prices", section: "prices", heading: content.product?.name ?? texts.text("prices.head"),
            shown.values(), status: error?.status ?? .ok)
    }

    // MARK: Forms

    private func recordPrice(_ shopper: Shopper, _ form: FormBody) async throws -> String {
        guard let product = try Self.number(form["product"]) else {
            throw Problem(400, "badRequest", "choose a product")
        }
        let (money, day) = (try form.money, try form.day("day"))
        let place = try await self.place(form, by: shopper)
        let recorded = try await groceries.run { groceries in
            try groceries.record(
                NewPrice(
                    product: product, place: place, price: money, per: PriceUnit(rawValue: form["per"]) ?? .piece,
                    isDiscounted: form["sale"] == "yes", date: day ?? groceries.today, contributor: shopper.person))
        }
        if case .waiting = recorded { return "/prices?done=waiting" }
        return "/goods/\(product)"
    }

    /// The shop whose name is typed; a new one if no shop has it.
    private func place(_ form: FormBody, by shopper: Shopper) async throws -> Int64 {
        let new = form.place("shop")
        guard !new.name.isEmpty else { throw Problem(400, "badRequest", "type the name of the shop") }
        return try await groceries.run { groceries in
            let all = try groceries.places(for: shopper.person)
            let named = all.filter { $0.name == new.name }
            let known = all.first { $0.label == new.name } ?? (named.count == 1 && new.address == nil ? named[0] : nil)
            return try known?.id ?? groceries.place(of: new, by: shopper.person).id
        }
    }

    /// The product that a person chose for a waiting price, or made for it.
    private func reviewed(_ form: FormBody, by shopper: Shopper) async throws -> Int64 {
        guard form["product"] == "new" else {
            guard let product = try Self.number(form["product"]) else {
                throw Problem(400, "badRequest", "choose the product of this price")
            }
            return product
        }
        return try await groceries.run { try $0.product(of: NewProduct(name: form["name"]), by: shopper.person).id }
    }

    private func decide(_ id: Int64, _ shopper: Shopper, _ form: FormBody) async throws -> String {
        var answer = ReviewAnswer(isAccepted: form["answer"] == "accept")
        if answer.isAccepted {
            let money = try form.money
            answer.amount = money.digits
            answer.currency = money.currency.code
            answer.date = try form.day("day")
            answer.place = try await place(form, by: shopper)
            answer.product = try await reviewed(form, by: shopper)
        }
        let decided = answer
        let done =
            switch try await groceries.run({ try $0.decide(id, decided, by: shopper.person) }) {
            case .accepted, .known: "accepted"
            case .waiting: "waiting"
            case nil: "rejected"
            }
        return "/prices?done=\(done)"
            + (form.photo.map { "&photo=\($0)" } ?? "")
    }
}

extension GroceryPlace {
    /// Name with street or city.
    fileprivate var label: String { [name, address ?? city].compactMap { $0 }.joined(separator: ", ") }
}

extension FormBody {
    /// The photo whose prices are shown; nil for those of all photos.
    fileprivate var photo: String? {
        let text = self["photo"]
        return text.wholeMatch(of: /sha256:[0-9a-f]{64}/) == nil ? nil : text
    }

    /// The amount and the currency of a price.
    fileprivate var money: Money {
        get throws {
            guard let currency = Currency(self["currency"]) else {
                throw Problem(400, "badRequest", "a currency is a code such as EUR")
            }
            guard let money = try decimal("amount").flatMap({ Money(price: $0, currency: currency) }) else {
                throw Problem(400, "badRequest", "type a price above 0 with at most four decimals, such as 2.49")
            }
            return money
        }
    }

    /// A shop with what is known of its address.
    func place(_ name: String) -> NewPlace {
        func typed(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }
        return NewPlace(
            name: self[name], address: typed("address"), city: typed("city"), postcode: typed("postcode"))
    }
}
