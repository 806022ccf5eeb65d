import Foods
import Groceries
import HTTP

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
        let favour, usual, edit: String
    }

    /// The person's name.
    let heading: String
    let level, record: String
    /// How many prices the next level needs.
    let next: String?
    let favourites: [Favourite]
    let places: [Place]
    /// What was typed for a new shop.
    let newPlace, address, city, postcode: String

    init(
        _ content: MeContent, of person: String, words: GroceryText, draft: FormBody? = nil
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
        places = content.places.map { place in
            Place(
                place: "\(place.id)", name: place.name,
                address: place.fullAddress,
                isDefault: place.isDefault, isFavourite: place.isFavorite,
                favour: texts.text("me.favour", ["name": place.name]),
                usual: texts.text("me.usual", ["name": place.name]),
                edit: texts.text("place.edit", ["name": place.name]))
        }
        newPlace = draft?["newPlace"] ?? ""
        address = draft?["address"] ?? ""
        city = draft?["city"] ?? ""
        postcode = draft?["postcode"] ?? ""
    }
}

struct MeContent: Sendable {
    var reputation: Reputation
    var favourites: [GroceryItem]
    var places: [GroceryPlace]
}

extension GroceryPlace {
    var fullAddress: String { [address, postcode, city].compactMap { $0 }.joined(separator: ", ") }
}

/// Renaming a shop, and merging it with another one.
struct PlacePage: Page {
    static let template = "place"
    static let styles = ["form", "shop"]

    let heading: String
    let place, name, address, city, postcode, warning: String
    let others: [Choice]

    init(
        _ place: GroceryPlace, others: [GroceryPlace], _ texts: PageTexts, draft: FormBody? = nil
    ) {
        heading = place.name
        self.place = "\(place.id)"
        name = draft?["name"] ?? place.name
        address = draft?["address"] ?? place.address ?? ""
        city = draft?["city"] ?? place.city ?? ""
        postcode = draft?["postcode"] ?? place.postcode ?? ""
        warning = texts.text("place.merge.text", ["name": place.name])
        self.others = others.filter { $0.id != place.id }.map {
            Choice(value: "\($0.id)", text: $0.label)
        }
    }
}
