import Groceries
import HTTP

/// The question after a shopping trip: how it was, answered with one tap.
struct RatingPrompt {
    let places: [ShopChoice]
    /// The list that the answer leads back to; nil where it leads to the experiences.
    let back: String?
    let ratings: [Rating]

    struct Rating { let n, label: String }

    private static let proposed = 30

    /// - Returns: nil for a household without shops.
    init?(of places: [GroceryPlace], list: Int64? = nil, _ texts: PageTexts) {
        guard !places.isEmpty else { return nil }
        self.places = places.prefix(Self.proposed).enumerated().map { index, place in
            ShopChoice(value: "\(place.id)", text: place.label, isChosen: index == 0)
        }
        back = list.map { "\($0)" }
        ratings = (1...5).map { Rating(n: "\($0)", label: texts.text("feed.rating.of", ["n": "\($0)"])) }
    }
}
