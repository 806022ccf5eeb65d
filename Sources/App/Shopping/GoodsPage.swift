import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// What a person searches for.
struct GoodsQuery: Sendable {
    var text = ""
    var category = ""
    var tag = ""

    init(_ form: FormBody) {
        text = String(form["q"].prefix(100))
        category = String(form["category"].prefix(100))
        tag = String(form["tag"].prefix(40))
    }
}

/// The products of a search by name, number, tag and category.
struct GoodsPage {
    struct Content: Sendable {
        var found: [GroceryProduct]
        var tags: [GroceryTag]
        var categories: [String]
        var lists: [GroceryList]
        var today: Day
    }

    let query: GoodsQuery
    let content: Content
    let texts: PageTexts
    /// What was typed for a product that could not be made.
    var draft: FormBody?
    var error: Problem?

    /// Products on the page.
    static let shown = 40

    func values() -> Values {
        let words = GroceryText(texts, today: content.today)
        var values: Values = [
            "q": query.text, "categories": options(content.categories, query.category) { words.category($0) },
            "tags": options(content.tags.map(\.name), query.tag) { $0 },
            "rows": content.found.prefix(Self.shown).map { product -> Values in
                [
                    "product": "\(product.id)", "name": product.name, "facts": words.facts(product),
                    "tags": product.tags.map(GroceryText.tag),
                    "add": texts.text("goods.add.name", ["name": product.name]),
                ]
            },
            "isEmpty": content.found.isEmpty,
            "count": content.found.count > Self.shown
                ? texts.text("goods.more", ["n": "\(Self.shown)"]) : words.count("goods.found", content.found.count),
            "hasLists": !content.lists.isEmpty,
            "lists": content.lists.map { ["id": "\($0.id)", "name": $0.name] as Values },
            "newName": draft?["name"] ?? query.text, "newNumber": draft?["number"] ?? "",
            "newBrand": draft?["brand"] ?? "", "newPack": draft?["pack"] ?? "",
        ]
        if let error { values["error"] = AddPage.refusal(error, texts) }
        return values
    }

    private func options(_ all: [String], _ chosen: String, _ name: (String) -> String) -> [Values] {
        [["value": "", "text": texts.text("goods.any"), "isChosen": chosen.isEmpty]]
            + all.map { ["value": $0, "text": name($0), "isChosen": $0 == chosen] }
    }
}

extension WebRoutes {
    func addGoods(to routes: RouterGroup<APIContext>) {
        routes.get("goods") { request, context in
            try await shopPage(request, context, section: "goods") { try await goodsPage(request, $0) }
        }
        routes.post("goods") { request, context in
            try await shopForm(
                request, context, section: "goods", again: { try await goodsPage(request, $0, draft: $1, error: $2) }
            ) { shopper, form in
                func typed(_ name: String) -> String? { form[name].isEmpty ? nil : form[name] }
                let new = try await groceries.completed(
                    NewProduct(
                        gtin: typed("number"), name: typed("name"), brand: typed("brand"), quantity: typed("pack")))
                let product = try await groceries.run { try $0.product(of: new, by: shopper.person) }
                return "/prices?product=\(product.id)"
            }
        }
    }

    private func goodsPage(
        _ request: Request, _ shopper: Shopper, draft: FormBody? = nil, error: Problem? = nil
    ) async throws -> Response {
        let query = GoodsQuery(FormBody(queryOf: request))
        let content = try await groceries.run { groceries in
            GoodsPage.Content(
                found: try groceries.products(
                    matching: query.text, category: query.category.isEmpty ? nil : query.category,
                    tag: query.tag.isEmpty ? nil : query.tag, limit: GoodsPage.shown + 1),
                tags: try groceries.tags(), categories: try groceries.categories(),
                lists: try groceries.lists(of: shopper.person), today: groceries.today)
        }
        let texts = try language(request).texts
        let shown = GoodsPage(query: query, content: content, texts: texts, draft: draft, error: error)
        return try page(
            request, "goods", section: "goods", heading: texts.text("goods.head"), shown.values(),
            status: error?.status ?? .ok)
    }
}
