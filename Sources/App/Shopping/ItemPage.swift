import Baskets
import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// What the page of a product shows.
struct ItemContent: Sendable {
    var product: GroceryProduct
    /// The newest observations, rejected ones too.
    var prices: [PriceObservation]
    var quotes: [PriceQuote]
    /// Names of the places above.
    var places: [Int64: String]
    /// Levels of the contributors above.
    var levels: [String: String]
    var experiences: [Experience]
    /// The person's lists, for the button that adds the product.
    var lists: [GroceryList]
    var today: Day
    /// True if the picture of the product can be shown.
    var hasPicture = false

    private static let (mostPrices, mostExperiences) = (200, 10)

    /// - Throws: ``GroceryProblem/notFound(_:)``.
    init(_ id: Int64, _ groceries: Groceries, for person: String) throws {
        guard let product = try groceries.product(id) else { throw GroceryProblem.notFound("product \(id)") }
        self.product = product
        prices = try groceries.prices(of: id, limit: Self.mostPrices)
        quotes = try groceries.quotes(of: id)
        experiences = try groceries.experiences(product: id, limit: Self.mostExperiences)
        lists = try groceries.lists(of: person)
        today = groceries.today
        places = [:]
        for place in Set(prices.map(\.place) + quotes.map(\.place)) {
            places[place] = try groceries.place(place)?.name
        }
        levels = [:]
        for contributor in Set(prices.compactMap(\.contributor)) {
            levels[contributor] = try groceries.reputation(of: contributor).level
        }
    }
}

/// A product: its price over time, where it is sold, who reported what.
struct ItemPage {
    let content: ItemContent
    let texts: PageTexts
    var error: Problem?

    private static let (shownPlaces, shownRows) = (3, 30)

    private var words: GroceryText { GroceryText(texts, today: content.today) }

    func values() -> Values {
        let product = content.product
        var values: Values = [
            "product": "\(product.id)", "name": product.name, "facts": words.facts(product),
            "tags": product.tags.map(GroceryText.tag), "tagNames": product.tags.map(\.name).joined(separator: ", "),
            "lists": content.lists.map { ["id": "\($0.id)", "name": $0.name] as Values },
            "hasLists": !content.lists.isEmpty,
            "hasPicture": content.hasPicture,
            "places": content.quotes.map(quote), "isUnpriced": content.quotes.isEmpty,
            "rows": content.prices.prefix(Self.shownRows).map(row), "hasRows": !content.prices.isEmpty,
            "experiences": FeedPage.rows(content.experiences, words: words),
        ]
        if let gtin = product.gtin { values["number"] = gtin.drop { $0 == "0" } }
        if let error { values["error"] = AddPage.refusal(error, texts) }
        let series = self.series
        if let first = series.first, let newest = first.prices.last {
            let plot = PricePlots.history(series, words: words)
            values["plot"] = plot
            values["plotText"] =
                texts.text("item.plot", ["name": product.name]) + ": "
                + series.map { one in
                    let amounts = one.prices.map(\.price).sorted { $0.parts < $1.parts }
                    return amounts.first.flatMap { low in
                        amounts.last.map { "\(one.name) \(words.range(low, $0))" }
                    } ?? one.name
                }.joined(separator: "; ")
            values["lead"] = texts.text(
                "item.lead",
                [
                    "price": words.price(newest.price, newest.per), "place": first.name, "age": words.age(newest.date),
                ])
        }
        return values
    }

    /// The places with the most recent observations, in the currency and unit that most observations have.
    private var series: [(name: String, prices: [PriceObservation])] {
        struct Kind: Hashable {
            var currency: Currency
            var per: PriceUnit
        }
        let valid = content.prices.filter { !$0.isRejected }
        let kinds = Dictionary(grouping: valid) { Kind(currency: $0.price.currency, per: $0.per) }
        guard let most = kinds.values.max(by: { ($0.count, $0[0].date) < ($1.count, $1[0].date) }) else { return [] }
        return Dictionary(grouping: most, by: \.place)
            .sorted { ($1.value[0].date, $1.value.count, $0.key) < ($0.value[0].date, $0.value.count, $1.key) }
            .prefix(Self.shownPlaces)
            .map { (content.places[$0.key] ?? "", $0.value.sorted { ($0.date, $0.id) < ($1.date, $1.id) }) }
    }

    private func quote(_ quote: PriceQuote) -> Values {
        let offer = Offer(
            product: content.product.id, price: quote.price, per: quote.per, pack: content.product.pack, spread: 0)
        let unit = offer.unitPrice.flatMap { $0.per == quote.per ? nil : words.unitPrice($0) }
        return [
            "name": content.places[quote.place] ?? "", "price": words.price(quote.price, quote.per),
            "facts": [unit, words.age(quote.date), quote.isDiscounted ? texts.text("list.sale") : nil]
                .compactMap { $0 }.joined(separator: ", "),
        ]
    }

    private func row(_ price: PriceObservation) -> Values {
        var values = words.contributor(price.contributor, price.contributor.flatMap { content.levels[$0] })
        values["day"] = price.date.description
        values["place"] = content.places[price.place] ?? ""
        values["price"] = words.price(price.price, price.per)
        values["proof"] = texts.text("proof.\(price.proof.rawValue)")
        values["photo"] = price.photo ?? false
        values["isSale"] = price.isDiscounted
        values["isRejected"] = price.isRejected
        return values
    }
}

extension WebRoutes {
    func addItem(to routes: RouterGroup<APIContext>) {
        routes.get("goods/{product}") { request, context in
            let id = try Self.id(context, "product")
            return try await shopPage(request, context, section: "goods") { try await itemPage(request, $0, id) }
        }
        routes.get("goods/{product}/picture") { request, context in
            let id = try Self.id(context, "product")
            return try await shopPage(request, context, section: "goods") { _ in
                guard let address = try await groceries.run({ try $0.product(id)?.image }),
                    let data = await groceries.picture(address)
                else { throw Problem(404, "notFound", "there is no picture of product \(id)") }
                return Response.tagged(data, as: "image/jpeg", for: request)
            }
        }
        routes.post("goods/{product}/tags") { request, context in
            let id = try Self.id(context, "product")
            return try await shopForm(
                request, context, section: "goods", again: { try await itemPage(request, $0, id, error: $2) }
            ) { shopper, form in
                let names = form["tags"].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                try await groceries.run { groceries in
                    let known = try groceries.tags()
                    let tags = names.filter { !$0.isEmpty }.map { name in
                        known.first { $0.name == name } ?? GroceryTag(name: name, colour: Self.newTagColour)
                    }
                    try groceries.setTags(tags, of: id, by: shopper.person)
                }
                return "/goods/\(id)"
            }
        }
    }

    /// A grey that is visible on light and dark pages.
    private static let newTagColour = "#808080"

    private func itemPage(
        _ request: Request, _ shopper: Shopper, _ id: Int64, error: Problem? = nil
    ) async throws -> Response {
        var content = try await groceries.run { try ItemContent(id, $0, for: shopper.person) }
        // The first visitor starts the request; the page never waits for it.
        if let address = content.product.image { content.hasPicture = await groceries.picture(address) != nil }
        let shown = ItemPage(content: content, texts: try language(request).texts, error: error)
        return try page(
            request, "item", section: "goods", heading: content.product.name, shown.values(),
            status: error?.status ?? .ok)
    }
}
