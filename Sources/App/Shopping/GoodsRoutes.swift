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
                try await cases.products(
                    matching: query.q ?? "", category: query.category, tag: query.tag,
                    limit: query.limit ?? ProductQuery.usual)
            },
            Route(
                .put, "v1/goods/\(.number)/tags", for: .adult, "Sets a product's tags", body: [GroceryTag].self,
                gives: [200: "The product."], refuses: Self.conflicts
            ) { call, tags in try await cases.setTags(tags, of: try call[.number], by: call.person) },

            shell.page(.get, "goods", for: .adult, in: .goods) { visit in try await showGoods(to: visit) },
            form("goods", in: .goods, again: { try await showGoods(draft: $1, error: $2, to: $0) }) { visit, form in
                let new = NewProduct(
                    gtin: form.text("number"), name: form.text("name"), brand: form.text("brand"),
                    quantity: form.text("pack"))
                return Visit.next("/prices?product=\(try await cases.addProduct(new, by: visit.call.person).id)")
            },
            shell.page(.get, "goods/\(.product)", for: .adult, in: .goods) { visit in try await showItem(to: visit) },
            shell.page(.get, "goods/\(.product)/picture", for: .adult, in: .goods) { visit in
                let data = try await cases.picture(of: try visit.call[.product])
                return Response.tagged(data, as: "image/jpeg", for: visit.call.request)
            },
            form("goods/\(.product)/tags", in: .goods, again: { try await showItem(draft: $1, error: $2, to: $0) }) {
                visit, form in
                let id = try visit.call[.product]
                _ = try await cases.setTags(form.tags, of: id, by: visit.call.person)
                try await cases.setAisle(form.text("aisle"), of: id)
                return Visit.next("/goods/\(id)")
            },
        ]
    }

    private func showGoods(draft: FormBody? = nil, error: Problem? = nil, to visit: Visit) async throws -> Response {
        let query = GoodsQuery(visit.call.query)
        let content = try await cases.goodsContent(query, for: visit.call.person)
        return try visit.show(
            GoodsPage(content, of: query, visit.texts, draft: draft, error: error), status: error?.status ?? .ok)
    }

    private func showItem(
        draft: FormBody? = nil, error: Problem? = nil, to visit: Visit
    ) async throws -> Response {
        let content = try await cases.itemContent(try visit.call[.product], for: visit.call.person)
        return try visit.show(
            ItemPage(content, visit.texts, draft: draft, error: error), status: error?.status ?? .ok)
    }
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

extension GoodsQuery {
    init(_ form: FormBody) {
        self.init(
            text: String(form["q"].prefix(100)), category: String(form["category"].prefix(100)),
            tag: String(form["tag"].prefix(40)))
    }
}
