import Foods
import Groceries
import HTTP

/// What people type in the forms of shops and prices.
extension FormBody {
    func place(_ name: String) -> NewPlace {
        NewPlace(name: self[name], address: text("address"), city: text("city"), postcode: text("postcode"))
    }

    /// The shop of a price.
    ///
    /// - Throws: `Problem` (400) without its name.
    var shop: NewPlace {
        get throws {
            let shop = place("shop")
            guard !shop.name.isEmpty else { throw Problem(400, "badRequest", "type the name of the shop") }
            return shop
        }
    }

    /// The photo whose prices are shown; nil for those of all photos.
    var photo: String? { self["photo"].wholeMatch(of: /sha256:[0-9a-f]{64}/) == nil ? nil : self["photo"] }
}

extension Choice {
    static func units(_ chosen: PriceUnit, _ all: [PriceUnit], _ texts: PageTexts) -> [Choice] {
        Choice.all(all, chosen: chosen) { texts.text("shop.unit.\($0)") }
    }
}

struct ListName {
    let id, name: String

    init(_ list: GroceryList) {
        id = "\(list.id)"
        name = list.name
    }
}

struct ListLink {
    let id, name: String
    let isCurrent: Bool

    static func all(_ lists: [GroceryList], current: GroceryList?) -> [ListLink] {
        lists.map { ListLink(id: "\($0.id)", name: $0.name, isCurrent: $0.id == current?.id) }
    }
}

extension PageTexts {
    /// The text of a key that is part of an address; nil if there is no such text.
    func message(_ key: String) -> String? { has(key) ? text(key) : nil }
}

extension Field {
    /// The number of something stored, in the API's description.
    static func number(_ about: String? = nil) -> Field { Field(about, range: 1...Double.infinity) }
}
