import Baskets
import Groceries
import HTTP

// What the API's description says of the types of lists and prices.

private let numbers = 1...Double.infinity

extension ShoppingAccount: Documented {
    static let about: String? = "A person with an account."
}

extension Reputation: Documented {
    package static let about: String? = "What contributions have earned."
}

extension PersonData: Documented {
    package static let about: String? = "Everything that lists and prices keep of one person."
    package static let fields = ["photos": Field("Photos of receipts and price tags that the person sent.")]
}

extension GroceryList: Documented {
    package static let about: String? = "A shopping list."
}

extension GroceryItem: Documented {
    package static let about: String? = "An entry of a list. Quantities are thousandths of the unit."
}

extension EntryChange: Documented {
    package static let about: String? = "What is not named stays."
    package static let fields = ["quantity": Field(range: 1...1_000_000)]
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

extension GroceryPlace: Documented {
    package static let about: String? = "A shop."
}

extension NewPlace: Documented {
    package static let about: String? = "A shop before it is stored."
    package static let fields = [
        "name": Field(lengths: 1...200), "latitude": Field(range: -90...90), "longitude": Field(range: -180...180),
    ]
}

extension PriceObservation: Documented {
    package static let about: String? = "A price of a product at a place on a day."
}

extension PriceReview: Documented {
    package static let about: String? = "A price that waits for a person."
}

extension ReviewAnswer: Documented {
    package static let about: String? = "A decision with corrections; what is not named is taken from the draft."
    package static let fields = ["product": Field(range: numbers), "place": Field(range: numbers)]
}

extension DocumentReport: Documented {
    package static let about: String? = "What a receipt or a price tag gave."
}

extension ComparisonReport: Documented {
    package static let about: String? = "A list compared over places, each currency alone. Keys as in docs/api.md."
    package static let fields = [
        "closest": Field("The place with prices of most entries, where no place has enough to be compared."),
        "otherUnits": Field("Entries whose prices are known for other units only."),
    ]
}

extension Experience: Documented {
    package static let about: String? = "What a person reports, with nested comments."
}

extension NewExperience: Documented {
    package static let about: String? = "An experience before it is stored."
    package static let fields = [
        "rating": Field(range: 1...5), "comment": Field(lengths: 0...2000), "product": Field(range: numbers),
        "place": Field(range: numbers),
    ]
}
