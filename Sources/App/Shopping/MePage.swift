import Groceries
import HTTP
import Hummingbird

/// A person's reputation, favourites, shops and account.
struct MePage: Page {
    static let template = "me"
    static let styles = ["form", "shop"]

    struct Favourite {
        let name, product, list, add: String
        /// True if the list has it now.
        let isListed: Bool
    }

    struct Place {
        let place, name, address: String
        let isDefault, isFavourite: Bool
        /// Names of its buttons.
        let favour, usual: String
    }

    /// The person's name.
    let heading: String
    let level, record: String
    /// How many prices the next level needs.
    let next: String?
    let favourites: [Favourite]
    let hasFavourites: Bool
    let places: [Place]
    /// What was typed for a new shop.
    let newPlace, address, city, postcode: String
    let error, message: String?

    init(
        _ content: MeContent, of person: String, words: GroceryText, draft: FormBody? = nil, error: Problem? = nil,
        message: String? = nil
    ) {
        let texts = words.texts
        let reputation = content.reputation
        heading = person
        level = words.level(reputation.level)
        record = texts.text(
            "me.record", ["accepted": "\(reputation.accepted)", "rejected": "\(reputation.rejected)"])
        next = reputation.missing.map { words.count("me.next", $0) }
        favourites = content.favourites.map { item in
            Favourite(
                name: item.name, product: "\(item.product)", list: "\(item.list)",
                add: texts.text("goods.add.name", ["name": item.name]), isListed: item.isInShoppingList)
        }
        hasFavourites = !favourites.isEmpty
        places = content.places.map { place in
            Place(
                place: "\(place.id)", name: place.name,
                address: [place.address, place.postcode, place.city].compactMap { $0 }.joined(separator: ", "),
                isDefault: place.isDefault, isFavourite: place.isFavorite,
                favour: texts.text("me.favour", ["name": place.name]),
                usual: texts.text("me.usual", ["name": place.name]))
        }
        newPlace = draft?["newPlace"] ?? ""
        address = draft?["address"] ?? ""
        city = draft?["city"] ?? ""
        postcode = draft?["postcode"] ?? ""
        self.error = error.map { texts.refusal($0) }
        self.message = message
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var place: Self { PathParameter(number: "place", "The place's number.") }
}

extension ShoppingPages {
    var meRoutes: [Route] {
        [
            shell.page(.get, "me", for: .adult, in: .me) { visit in
                try await showMe(message: visit.texts.message("me.done.\(visit.call.query["done"])"), to: visit)
            },
            form("me/places", in: .me, again: { try await showMe(draft: $1, error: $2, to: $0) }) { visit, form in
                _ = try await cases.addPlace(form.place("newPlace"), by: visit.call.person)
                return Visit.next("/me#places")
            },
            form("me/places/\(.place)", in: .me, again: { try await showMe(draft: $1, error: $2, to: $0) }) {
                visit, form in
                _ = try await cases.mark(
                    try visit.call[.place], isFavorite: form.text("favourite").map { $0 == "yes" },
                    isDefault: form.text("usual").map { $0 == "yes" }, by: visit.call.person)
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/export", for: .adult, in: .me) { visit in
                let data = try AnswerJSON.encode(try await cases.export(of: visit.call.person))
                var response = Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
                    body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"groceries.json\""
                return response
            },
        ]
    }

    private func showMe(
        draft: FormBody? = nil, error: Problem? = nil, message: String? = nil, to visit: Visit
    ) async throws -> Response {
        let person = try visit.call.person
        let page = MePage(
            try await cases.meContent(for: person), of: person, words: GroceryText(visit.texts, today: cases.today),
            draft: draft, error: error, message: message)
        return try visit.show(page, status: error?.status ?? .ok)
    }
}

extension PageTexts {
    /// The text of a key that is part of an address; nil if there is no such text.
    func message(_ key: String) -> String? { has(key) ? text(key) : nil }
}
