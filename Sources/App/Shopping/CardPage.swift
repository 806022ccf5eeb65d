import Groceries
import HTTP

/// The card of a photographed product: name, price, aisle and tags, confirmed with one button.
struct CardPage: Page {
    static let template = "card"
    static let styles = ["form", "shop", "result"]

    let heading: String
    let photo, list: String
    let crop: PhotoOverlay?
    let number: String?
    let name, quantity: String
    /// What is on file: brand, package, newest price.
    let facts: String
    let amount, currency, shop: String
    let shops: [String]
    let goods: GoodsFields

    private static let proposed = 200

    /// - Parameter draft: what was typed on a card that was refused.
    init(_ content: CardContent, _ texts: PageTexts, draft: FormBody? = nil) {
        let words = GroceryText(texts, today: content.today)
        let (product, known) = (content.product, content.known)
        name = draft?["name"] ?? known?.name ?? product.name ?? ""
        heading = name.isEmpty ? texts.text("card.head") : name
        photo = content.photo
        list = content.list.map { "\($0.id)" } ?? ""
        crop = (product.gtin ?? known?.gtin).flatMap { ProductPicture(of: $0, on: content.outcome) }?.overlay
        number = product.gtin.map { String($0.drop { $0 == "0" }) }
        quantity = draft?["quantity"] ?? "1"
        let place = content.newest.flatMap { quote in content.places.first { $0.id == quote.place }?.label }
        facts = [
            known?.brand ?? product.brand, known?.pack.map { words.pack($0) } ?? product.quantity,
            content.newest.map { words.price($0.price, $0.per) }, place, content.newest.map { words.age($0.date) },
        ].compactMap { $0 }.joined(separator: ", ")
        let tag = content.waiting?.draft
        amount = draft?["amount"] ?? tag?.amount ?? ""
        // The currency of a printed price is that of the print; one that a person types is probably the household's.
        let usualCurrency = tag == nil ? content.currency ?? texts.text("shop.currency") : ""
        currency = draft?["currency"] ?? tag?.currency ?? usualCurrency
        // A printed price is probably of the shop that was named last; without one nobody needs a shop.
        let usual =
            content.places.first { $0.isDefault || $0.isFavorite } ?? tag.flatMap { _ in content.places.first }
        shop = draft?["shop"] ?? usual?.label ?? ""
        shops = content.places.prefix(Self.proposed).map(\.label)
        goods = GoodsFields(
            aisle: draft?["aisle"] ?? content.aisle, of: content.order, known?.tags ?? [], all: content.tags, texts,
            draft: draft)
    }
}

/// The fields of a product that people give it: its aisle, and tags with colours.
struct GoodsFields {
    struct Tag {
        let name, colour, colourName: String
        let isChosen: Bool
    }

    let aisles: [Choice]
    let tags: [Tag]
    let newName, newColour: String

    /// Visible on light and dark pages.
    private static let usual = "#8a6d1f"

    init(
        aisle: String, of order: [String], _ chosen: [GroceryTag], all: [GroceryTag], _ texts: PageTexts,
        draft: FormBody? = nil
    ) {
        aisles = Choice.all(order, chosen: aisle) { texts.text("aisle.\($0)") }
        let names = draft.map { Set($0.all("tag:").keys) } ?? Set(chosen.map(\.name))
        tags = all.map { tag in
            Tag(
                name: tag.name, colour: draft?.all("colour:")[tag.name] ?? tag.colour,
                colourName: texts.text("tag.colour.of", ["name": tag.name]), isChosen: names.contains(tag.name))
        }
        newName = draft?["newtag"] ?? ""
        newColour = draft?.text("newcolour") ?? Self.usual
    }
}

extension FormBody {
    /// The chosen tags with their colours, and the new one.
    var tags: [GroceryTag] {
        let colours = all("colour:")
        let known = all("tag:").keys.sorted().map { GroceryTag(name: $0, colour: colours[$0] ?? "#808080") }
        return known + (text("newtag").map { [GroceryTag(name: $0, colour: text("newcolour") ?? "#808080")] } ?? [])
    }

    /// A card as it was confirmed.
    ///
    /// - Throws: `Problem` (400) for a card without a name, or with a wrong price, or with a price without a shop.
    func card(of content: CardContent) throws -> FilledCard {
        guard let name = text("name") else { throw Problem(400, "badRequest", "type the name of the product") }
        var product = content.product
        product.name = content.known?.gtin == nil ? name : content.known?.name
        if let known = content.known, known.gtin != nil, known.name == number(known) { product.name = name }
        var price: FilledCard.Price?
        if text("amount") != nil {
            let shop = try shop
            price = FilledCard.Price(money: try money, shop: shop, waiting: content.waiting?.id)
        }
        return FilledCard(
            product: product, quantity: text("quantity") == nil ? 1000 : try thousandths("quantity"),
            aisle: text("aisle"),
            tags: tags, price: price)
    }

    private func number(_ product: GroceryProduct) -> String? { product.gtin.map { String($0.drop { $0 == "0" }) } }
}
