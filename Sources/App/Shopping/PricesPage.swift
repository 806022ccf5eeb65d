import Core
import Foods
import Groceries
import HTTP

/// Adding a price, and deciding about prices that wait.
struct PricesPage: Page {
    static let template = "prices"
    static let styles = ["form", "shop"]

    struct New {
        let id, name, facts, amount, currency: String
        let units: [Choice]
        let shop, address, city, postcode, day, today: String
        let isSale: Bool
    }

    /// The form of a price that waits.
    struct Review {
        let review, printed, newName, reason: String
        let who: String?
        let merchant, median, photo: String?
        let amount, currency, day: String
        /// What the price may count by.
        let units: [Choice]
        let products: [Choice]
        let shop: String
        let accept, reject: String
    }

    let heading: String
    let product: New?
    let waiting: [Review]
    /// Shops that a field proposes.
    let shops: [String]
    /// True if neither a product nor a photo was chosen.
    let isWaitingOnly: Bool
    /// The photo whose prices are shown; forms send `within`, which is empty for all photos.
    let ofPhoto: String?
    let within: String
    /// The end of the address of the next prices that wait.
    let more: String?

    private static let proposed = 200

    /// - Parameters:
    ///   - place: the number of the shop that the form of the new price begins with.
    ///   - draft: what was typed in a refused form.
    ///   - refused: the waiting price that the refused form is about; nil for a new price.
    init(
        _ content: PricesContent, _ texts: PageTexts, place: Int64? = nil, draft: FormBody? = nil,
        refused: Int64? = nil
    ) {
        let words = PricesText(content: content, words: GroceryText(texts, today: content.today))
        let shown = content.waiting.prefix(PricesContent.mostWaiting)
        heading = content.product?.name ?? texts.text("prices.head")
        product = content.product.map { words.form($0, place: place, draft: draft) }
        // A refused form keeps what was typed.
        waiting = shown.map { words.review($0, draft: refused == $0.id ? draft : nil) }
        shops = content.places.prefix(Self.proposed).map(\.label)
        isWaitingOnly = content.product == nil && content.photo == nil
        ofPhoto = content.photo
        within = content.photo ?? ""
        let photo = content.photo.map { "&photo=\($0)" } ?? ""
        more = content.waiting.count > shown.count ? shown.last.map { "?after=\($0.id)\(photo)" } : nil
    }
}

private struct PricesText {
    let content: PricesContent
    let words: GroceryText

    private var texts: PageTexts { words.texts }

    private func label(_ id: Int64) -> String? { content.places.first { $0.id == id }?.label }

    func form(_ product: GroceryProduct, place: Int64?, draft: FormBody?) -> PricesPage.New {
        let usual = content.places.first { $0.isDefault || $0.isFavorite }?.label
        let per = PriceUnit(rawValue: draft?["per"] ?? "") ?? content.per ?? .piece
        return PricesPage.New(
            id: "\(product.id)", name: product.name, facts: words.facts(product), amount: draft?["amount"] ?? "",
            currency: draft?["currency"] ?? content.currency ?? texts.text("shop.currency"),
            units: Choice.units(per, PriceUnit.allCases, texts),
            shop: draft?["shop"] ?? place.flatMap(label) ?? usual ?? "", address: draft?["address"] ?? "",
            city: draft?["city"] ?? "", postcode: draft?["postcode"] ?? "",
            day: draft?["day"] ?? content.today.description, today: content.today.description,
            isSale: draft?["sale"] == "yes")
    }

    func review(_ review: PriceReview, draft typed: FormBody?) -> PricesPage.Review {
        let draft = review.draft
        let products = [draft.product].compactMap { $0 } + draft.candidates
        let printed = draft.printed ?? products.first.flatMap { content.candidates[$0]?.name } ?? ""
        return PricesPage.Review(
            review: "\(review.id)", printed: printed.isEmpty ? texts.text("prices.photo.head") : printed,
            newName: typed?["name"] ?? printed, reason: texts.text("review.reason.\(review.reason.rawValue)"),
            who: words.contributed(review.contributor, content.levels), merchant: draft.merchant,
            median: draft.median.map { texts.text("prices.median", ["price": words.money($0)]) }, photo: draft.photo,
            amount: typed?["amount"] ?? draft.amount, currency: typed?["currency"] ?? draft.currency ?? "",
            day: typed?["day"] ?? draft.date?.description ?? "",
            units: Choice.units(
                PriceUnit(rawValue: typed?["per"] ?? "") ?? draft.per, PriceUnit.allCases, texts),
            products: choices(products, chosen: typed.flatMap { Int64($0["product"]) } ?? draft.product),
            shop: typed?["shop"] ?? draft.place.flatMap(label) ?? draft.merchant ?? "",
            accept: texts.text("prices.accept.name", ["name": printed]),
            reject: texts.text("prices.reject.name", ["name": printed]))
    }

    /// The products that a printed name may mean. None is chosen for the person unless it is sure.
    private func choices(_ products: [Int64], chosen: Int64?) -> [Choice] {
        let known = products.compactMap { content.candidates[$0] }.map { product in
            Choice(
                value: "\(product.id)", text: [product.name, product.brand].compactMap { $0 }.joined(separator: ", "),
                isChosen: product.id == chosen)
        }
        let new = Choice(value: "new", text: texts.text("prices.new"), isChosen: known.isEmpty)
        guard chosen == nil, !known.isEmpty else { return known + [new] }
        return [Choice(value: "", text: texts.text("review.reason.product"), isChosen: true)] + known + [new]
    }
}

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

    static let mostWaiting = 8
}

extension GroceryActions {
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
            product: try id.map { try groceries.known(product: $0) }, currency: newest?.price.currency.code,
            per: newest?.per,
            places: try groceries.places(for: person), waiting: waiting, photo: photo, today: today)
        content.levels = try groceries.levels(of: waiting.compactMap(\.contributor))
        for id in Set(waiting.flatMap { $0.draft.candidates + [$0.draft.product].compactMap { $0 } }) {
            content.candidates[id] = try groceries.product(id)
        }
        return content
    }
}
