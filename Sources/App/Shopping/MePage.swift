import Baskets
import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// A person's reputation, favourites, shops and account.
struct MePage {
    struct Content: Sendable {
        var reputation: Reputation
        var favourites: [GroceryItem]
        var places: [GroceryPlace]
        var today: Day

        init(_ groceries: Groceries, for person: String) throws {
            reputation = try groceries.reputation(of: person)
            places = try groceries.places(for: person)
            today = groceries.today
            favourites = try groceries.lists(of: person).flatMap { list in
                try [false, true].flatMap { try groceries.items(of: list.id, for: person, isHistory: $0) }
            }.filter(\.isFavorite)
        }
    }

    let person: String
    let content: Content
    let texts: PageTexts
    var draft: FormBody?
    var error: Problem?
    var message: String?

    func values() -> Values {
        let words = GroceryText(texts, today: content.today)
        let reputation = content.reputation
        var values: Values = [
            "person": person, "level": words.level(reputation.level),
            "record": texts.text(
                "me.record", ["accepted": "\(reputation.accepted)", "rejected": "\(reputation.rejected)"]),
            "favourites": content.favourites.map { item -> Values in
                [
                    "name": item.name, "product": "\(item.product)", "list": "\(item.list)",
                    "isListed": item.isInShoppingList, "add": texts.text("goods.add.name", ["name": item.name]),
                ]
            },
            "hasFavourites": !content.favourites.isEmpty, "places": content.places.map(place),
            "newPlace": draft?["newPlace"] ?? "", "address": draft?["address"] ?? "", "city": draft?["city"] ?? "",
            "postcode": draft?["postcode"] ?? "",
        ]
        if let missing = reputation.missing { values["next"] = words.count("me.next", missing) }
        if let error { values["error"] = AddPage.refusal(error, texts) }
        if let message { values["message"] = message }
        return values
    }

    private func place(_ place: GroceryPlace) -> Values {
        let name = ["name": place.name]
        return [
            "place": "\(place.id)", "name": place.name,
            "address": [place.address, place.postcode, place.city].compactMap { $0 }.joined(separator: ", "),
            "isDefault": place.isDefault, "isFavourite": place.isFavorite,
            "favour": texts.text("me.favour", name),
            "usual": texts.text("me.usual", name),
        ]
    }
}

extension WebRoutes {
    func addMe(to routes: RouterGroup<APIContext>) {
        routes.get("me") { request, context in
            try await shopPage(request, context, section: "me") { shopper in
                let key = "me.done.\(FormBody(queryOf: request)["done"])"
                let texts = try language(request).texts
                return try await mePage(request, shopper, message: texts.has(key) ? texts.text(key) : nil)
            }
        }
        routes.post("me/places") { request, context in
            try await meForm(request, context) { shopper, form in
                let new = form.place("newPlace")
                _ = try await groceries.run { try $0.place(of: new, by: shopper.person) }
            }
        }
        routes.post("me/places/{place}") { request, context in
            let id = try Self.id(context, "place")
            return try await meForm(request, context) { shopper, form in
                @Sendable func mark(_ name: String) -> Bool? { form[name].isEmpty ? nil : form[name] == "yes" }
                try await groceries.run {
                    try $0.mark(id, isFavorite: mark("favourite"), isDefault: mark("usual"), by: shopper.person)
                }
            }
        }
        routes.get("me/export") { request, context in
            try await shopPage(request, context, section: "me") { shopper in
                let data = try await groceries.run { try GroceryJSON.encode(try $0.exported(shopper.person)) }
                var response = Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
                    body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"groceries.json\""
                return response
            }
        }
    }

    private func meForm(
        _ request: Request, _ context: APIContext, _ body: (Shopper, FormBody) async throws -> Void
    ) async throws -> Response {
        try await shopForm(
            request, context, section: "me", again: { try await mePage(request, $0, draft: $1, error: $2) }
        ) {
            try await body($0, $1)
            return "/me#places"
        }
    }

    private func mePage(
        _ request: Request, _ shopper: Shopper, draft: FormBody? = nil, error: Problem? = nil,
        message: String? = nil
    ) async throws -> Response {
        let content = try await groceries.run { try MePage.Content($0, for: shopper.person) }
        let shown = MePage(
            person: shopper.person, content: content, texts: try language(request).texts, draft: draft, error: error,
            message: message)
        return try page(
            request, "me", section: "me", heading: shopper.person, shown.values(), status: error?.status ?? .ok)
    }
}
