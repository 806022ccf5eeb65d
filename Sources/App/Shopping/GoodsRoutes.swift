import Groceries
import HTTP
import Hummingbird

// Products as JSON, and the pages of a search and of one product.
extension ShoppingRoutes {
    var goodsRoutes: [Route] {
        [
            Route(
                .get, "v1/goods", for: .adult, "Products by name, number, category or tag", query: ProductQuery.self,
                gives: [200: "The products."], refuses: Self.unknown
            ) { _, query in
                try await actions {
                    try $0.products(
                        matching: query.q ?? "", category: query.category, tag: query.tag,
                        limit: query.limit ?? ProductQuery.usual)
                }
            },
            Route(
                .put, "v1/goods/\(.number)/tags", for: .adult, "Sets a product's tags", body: [GroceryTag].self,
                gives: [200: "The product."], refuses: Self.conflicts
            ) { call, tags in try await actions { try $0.setTags(tags, of: try call[.number], by: call.person) } },
            Route(
                .put, "v1/goods/\(.number)/name", for: .adult, "Gives a product another name", body: ProductName.self,
                gives: [200: "The product."], refuses: Self.conflicts
            ) { call, new in try await actions.rename(try call[.number], to: new.name) },

            shell.page(.get, "goods", for: .adult, in: .goods, showGoods),
            form("goods", in: .goods, again: showGoods) { visit, form in
                let new = NewProduct(
                    gtin: form.text("number"), name: form.text("name"), brand: form.text("brand"),
                    quantity: form.text("pack"))
                return Visit.next("/prices?product=\(try await actions.product(of: new, by: visit.call.person).id)")
            },
            shell.page(.get, "goods/\(.product)", for: .adult, in: .goods, showItem),
            shell.page(.get, "goods/\(.product)/picture", for: .adult, in: .goods) { visit in
                let id = try visit.call[.product]
                guard let address = try await actions({ try $0.product(id) })?.image, let data = await picture(address)
                else { throw GroceryProblem.notFound("picture of product \(id)") }
                return Response.tagged(data, as: "image/jpeg", for: visit.call.request)
            },
            form("goods/\(.product)/prices", in: .goods, again: showItem) {
                visit, form in
                let price = try form.number("price", orSay: "choose a price")
                let removed = try await actions { try $0.remove(price, by: visit.call.person) }
                return visit.next(
                    "/goods/\(try visit.call[.product])", offering: visit.texts.text("item.removed")
                ) { try await actions { try $0.restore(removed) } }
            },
            form("goods/\(.product)/tags", in: .goods, again: showItem) {
                visit, form in
                let id = try visit.call[.product]
                if let name = form.text("name") { _ = try await actions.rename(id, to: name) }
                _ = try await actions { try $0.setTags(form.tags, of: id, by: visit.call.person) }
                try await actions.setAisle(form.text("aisle"), of: id)
                return Visit.next("/goods/\(id)")
            },
        ]
    }

    @Sendable private func showGoods(to visit: Visit) async throws -> Response {
        let query = GoodsQuery(visit.call.query)
        let person = try visit.call.person
        let found = try await actions.search(
            query.text, category: query.category.isEmpty ? nil : query.category,
            tag: query.tag.isEmpty ? nil : query.tag, limit: GoodsContent.shown + 1, for: person)
        let content = try await actions {
            GoodsContent(
                found: found.products, others: found.others, tags: try $0.tags(), categories: try $0.categories(),
                lists: try $0.lists(of: person))
        }
        return try visit.show(GoodsPage(content, of: query, words(visit), draft: visit.draft))
    }

    @Sendable private func showItem(to visit: Visit) async throws -> Response {
        var content = try await actions.itemContent(try visit.call[.product], for: visit.call.person)
        // The first visitor starts the request; the page never waits for it.
        if let address = content.product.image { content.hasPicture = await picture(address) != nil }
        return try visit.show(ItemPage(content, visit.texts, draft: visit.draft))
    }
}

struct ProductName: Decodable, Sendable, Documented {
    var name: String

    static let fields = ["name": Field(lengths: 1...200)]
}

struct ProductQuery: Decodable, Sendable, Documented {
    var q, category, tag: String?
    var limit: Int?

    static let usual = 50
    static let fields = [
        "q": Field("Words or a product number."), "category": Field("A category."), "tag": Field("A tag."),
        "limit": Field("At most so many.", range: 1...500, usual: "\(usual)"),
    ]
}

struct GoodsQuery: Sendable {
    let text: String
    /// Empty for any.
    let category, tag: String

    init(_ form: FormBody) {
        text = String(form["q"].prefix(100))
        category = String(form["category"].prefix(100))
        tag = String(form["tag"].prefix(40))
    }
}

extension GroceryProduct: Documented {
    package static let about: String? = "A product or loose goods."
}

extension GroceryTag: Documented {
    package static let about: String? = "A tag."
    package static let fields = [
        "name": Field(lengths: 1...40), "colour": Field(pattern: "^#[0-9a-fA-F]{6}$"),
    ]
}
