import Groceries
import HTTP

/// The products of a search by name, number, tag and category.
struct GoodsPage: Page {
    static let template = "goods"
    static let styles = ["form", "shop"]

    struct Row {
        /// Name and value of the button that adds it.
        let field, value: String
        /// The number of a product with a page; nil for a generic food and a product of the catalogue.
        let product: String?
        let name, facts: String
        let tags: [TagLink]
        /// The name of the button that adds the product to a list.
        let add: String
    }

    let q: String
    let categories, tags: [Choice]
    let rows: [Row]
    let count: String
    let lists: [ListName]
    /// What was typed for a new product.
    let newName, newNumber, newBrand, newPack: String

    /// - Parameter draft: what was typed for a product that could not be made.
    init(
        _ content: GoodsContent, of query: GoodsQuery, _ words: GroceryText, draft: FormBody? = nil
    ) {
        let texts = words.texts
        func choices(_ all: [String], _ chosen: String, _ name: (String) -> String) -> [Choice] {
            Choice.all([""] + all, chosen: chosen) { $0.isEmpty ? texts.text("goods.any") : name($0) }
        }
        q = query.text
        categories = choices(content.categories, query.category) { words.category($0) }
        tags = choices(content.tags.map(\.name), query.tag) { $0 }
        func add(_ name: String) -> String { texts.text("goods.add.name", ["name": name]) }
        let products = content.found.prefix(GoodsContent.shown).map { product in
            Row(
                field: "product", value: "\(product.id)", product: "\(product.id)", name: product.name,
                facts: words.facts(product), tags: product.tags.map { TagLink($0) }, add: add(product.name))
        }
        rows =
            products
            + content.others.prefix(GoodsContent.shown - products.count).map { other in
                let id = other.product.map { "\($0)" }
                let facts = [other.brand, id == nil && other.gtin == nil ? texts.text("goods.generic") : nil]
                return Row(
                    field: id == nil ? "gtin" : "product", value: id ?? other.gtin ?? other.name, product: id,
                    name: other.name, facts: facts.compactMap { $0 }.joined(separator: ", "), tags: [],
                    add: add(other.name))
            }
        count =
            content.found.count > GoodsContent.shown
            ? texts.text("goods.more", ["n": "\(GoodsContent.shown)"]) : words.count("goods.found", rows.count)
        lists = content.lists.map { ListName($0) }
        newName = draft?["name"] ?? query.text
        newNumber = draft?["number"] ?? ""
        newBrand = draft?["brand"] ?? ""
        newPack = draft?["pack"] ?? ""
    }
}

/// A tag that leads to the products that have it.
struct TagLink {
    let name, colour, address: String

    init(_ tag: GroceryTag) {
        (name, colour, address) = (tag.name, tag.colour, tag.name.escaped)
    }
}

/// The products of a search, and what the form of the search offers.
struct GoodsContent: Sendable {
    /// One more than ``shown`` if there are more.
    var found: [GroceryProduct]
    /// What else the words may mean.
    var others: [GrocerySuggestion]
    var tags: [GroceryTag]
    var categories: [String]
    var lists: [GroceryList]

    /// Products on the page.
    static let shown = 40
}
