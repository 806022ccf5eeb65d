import Core
import Foods
import Foundation
import Groceries
import HTTP

/// A product: its price over time, where it is sold, who reported what.
struct ItemPage: Page {
    static let template = "item"
    static let styles = ["form", "table", "shop", "result"]

    struct Place { let name, price, facts: String }

    struct Row {
        let day, place, price, proof, by: String
        let level: String?
        /// The photo that proves the price.
        let photo: String?
        let isSale, isRejected: Bool
        /// The number of a price that can be removed; nil for one of a receipt, which is corrected there.
        let remove: String?
        /// Where a price of a receipt is corrected.
        let receipt: String?
        /// The name of the button or link.
        let edit: String
    }

    let product: String
    let number: String?
    let heading, name, facts: String
    let tags: [TagLink]
    let goods: GoodsFields
    /// The packet on one of the household's own photos, where no other server has a picture.
    let crop: PhotoOverlay?
    let lists: [ListName]
    let hasPicture: Bool
    let places: [Place]
    let isUnpriced: Bool
    let rows: [Row]
    let experiences: [ExperienceRow]
    let plot: HistoryPlot?
    let plotText, lead: String?

    private static let (shownPlaces, shownRows) = (3, 30)

    /// - Parameter draft: what was typed in a form that was refused.
    init(_ content: ItemContent, _ texts: PageTexts, draft: FormBody? = nil) {
        let words = GroceryText(texts, today: content.today)
        let product = content.product
        self.product = "\(product.id)"
        number = product.gtin.map { String($0.drop { $0 == "0" }) }
        heading = product.name
        name = draft?.text("name") ?? product.name
        facts = words.facts(product)
        tags = product.tags.map { TagLink($0) }
        goods = GoodsFields(
            aisle: content.aisle, of: content.order, product.tags, all: content.tags, texts, draft: draft)
        crop = content.picture?.overlay
        lists = content.lists.map { ListName($0) }
        hasPicture = content.hasPicture
        places = content.quotes.map { Self.place($0, content, words) }
        isUnpriced = places.isEmpty
        rows = content.prices.prefix(Self.shownRows).map { Self.row($0, content, words) }
        experiences = content.experiences.map { ExperienceRow($0, words: words) }
        let series = Self.series(content)
        guard let first = series.first, let newest = first.prices.last else {
            (plot, plotText, lead) = (nil, nil, nil)
            return
        }
        plot = PricePlots.history(series, words: words)
        let ranges = series.map { one in
            let amounts = one.prices.map(\.price).sorted { $0.parts < $1.parts }
            guard let low = amounts.first, let high = amounts.last else { return one.name }
            return "\(one.name) \(words.range(low, high))"
        }
        plotText = texts.text("item.plot", ["name": product.name]) + ": " + ranges.joined(separator: "; ")
        lead = texts.text(
            "item.lead",
            ["price": words.price(newest.price, newest.per), "place": first.name, "age": words.age(newest.date)])
    }

    /// The places with the most recent observations, in the currency and unit that most observations have.
    private static func series(_ content: ItemContent) -> [(name: String, prices: [PriceObservation])] {
        struct Kind: Hashable {
            var currency: Currency
            var per: PriceUnit
        }
        let valid = content.prices.filter { !$0.isRejected }
        let kinds = Dictionary(grouping: valid) { Kind(currency: $0.price.currency, per: $0.per) }
        guard let most = kinds.values.max(by: { ($0.count, $0[0].date) < ($1.count, $1[0].date) }) else { return [] }
        return Dictionary(grouping: most, by: \.place)
            .sorted { ($1.value[0].date, $1.value.count, $0.key) < ($0.value[0].date, $0.value.count, $1.key) }
            .prefix(shownPlaces)
            .map { (content.places[$0.key] ?? "", $0.value.sorted { ($0.date, $0.id) < ($1.date, $1.id) }) }
    }

    private static func place(_ quote: PriceQuote, _ content: ItemContent, _ words: GroceryText) -> Place {
        let offer = Offer(
            product: content.product.id, price: quote.price, per: quote.per, pack: content.product.pack, spread: 0)
        let unit = offer.unitPrice.flatMap { $0.per == quote.per ? nil : words.unitPrice($0) }
        let facts = [unit, words.age(quote.date), quote.isDiscounted ? words.texts.text("list.sale") : nil]
        return Place(
            name: content.places[quote.place] ?? "", price: words.price(quote.price, quote.per),
            facts: facts.compactMap { $0 }.joined(separator: ", "))
    }

    private static func row(_ price: PriceObservation, _ content: ItemContent, _ words: GroceryText) -> Row {
        let isOfReceipt = price.isOfReceipt
        return Row(
            day: price.date.description, place: content.places[price.place] ?? "",
            price: words.price(price.price, price.per), proof: words.texts.text("proof.\(price.proof.rawValue)"),
            by: words.contributor(price.contributor),
            level: price.contributor.flatMap { content.levels[$0] }.map { words.level($0) }, photo: price.photo,
            isSale: price.isDiscounted, isRejected: price.isRejected,
            remove: isOfReceipt || price.isRejected ? nil : "\(price.id)",
            receipt: isOfReceipt && !price.isRejected ? price.photo.map { "/receipts/\($0)" } : nil,
            edit: words.texts.text(
                isOfReceipt ? "item.correct.name" : "item.remove.name",
                ["price": words.price(price.price, price.per), "day": price.date.description]))
    }
}

extension GroceryActions {
    /// Photos of a product that are looked at for its picture.
    private static let mostPhotos = 3

    func itemContent(_ id: Int64, for person: String) throws -> ItemContent {
        let product = try groceries.known(product: id)
        var content = ItemContent(
            product: product, prices: try groceries.prices(of: id), quotes: try groceries.quotes(of: id),
            experiences: try groceries.experiences(product: id, limit: 10), lists: try groceries.lists(of: person),
            today: today, aisle: product.aisle ?? foods.aisle(of: product.name, category: product.category),
            order: foods.order, tags: try groceries.tags())
        for place in Set(content.prices.map(\.place) + content.quotes.map(\.place)) {
            content.places[place] = try groceries.place(place)?.name
        }
        content.levels = try groceries.levels(of: content.prices.compactMap(\.contributor))
        if let number = product.gtin, let gtin = GTIN(number) {
            content.photos = try groceries.store.outcomes(ofProduct: gtin, limit: Self.mostPhotos)
        }
        return content
    }
}

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
    var hasPicture = false
    /// Outcomes of the household's photos of the product, as stored.
    var photos: [Data] = []

    /// The product on one of these photos, where no other server has its picture.
    var picture: ProductPicture? {
        guard !hasPicture, let number = product.gtin else { return nil }
        return photos.lazy.compactMap { try? JSONCoding.decode(Outcome.self, from: $0) }
            .compactMap { ProductPicture(of: number, on: $0) }.first
    }

    var aisle: String
    var order: [String]
    var tags: [GroceryTag]
}
