import Groceries
import HTTP

/// Renaming a shop, and merging it with another one.
struct PlacePage: Page {
    static let template = "place"
    static let styles = ["form", "shop"]

    let heading: String
    let place, name, address, city, postcode, warning: String
    let others: [ShopChoice]
    let error: String?

    init(
        _ place: GroceryPlace, others: [GroceryPlace], _ texts: PageTexts, draft: FormBody? = nil,
        error: Problem? = nil
    ) {
        heading = place.name
        self.place = "\(place.id)"
        name = draft?["name"] ?? place.name
        address = draft?["address"] ?? place.address ?? ""
        city = draft?["city"] ?? place.city ?? ""
        postcode = draft?["postcode"] ?? place.postcode ?? ""
        warning = texts.text("place.merge.text", ["name": place.name])
        self.others = others.filter { $0.id != place.id }.map {
            ShopChoice(value: "\($0.id)", text: $0.label, isChosen: false)
        }
        self.error = error.map { texts.refusal($0) }
    }
}
