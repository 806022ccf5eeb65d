import Core
import HTTP
import Household
import Store

/// A review as clients send it.
struct ReviewBody: Sendable, Decodable, Documented {
    /// The photo.
    var id: String
    /// The dish's name, `label`, or a product number; nil for the whole photo.
    var item: String?
    var allergen: Allergen?
    var action: Review.Action
    var value: String?
    /// Where the dish is printed, pixels of the upright photo.
    var place: Quad?
    var by: String?

    static let example: String? =
        #"{"id":"sha256:…","item":"Soup","allergen":"milk","action":"edit","value":"CONTAINS"}; see docs/api.md"#
    static let fields = [
        "item": Field(lengths: 0...Review.longestText, usual: Review.everything),
        "value": Field(
            "Of an edit: " + Review.Said.allCases.map(\.rawValue).joined(separator: ", ") + "; of readAs: "
                + Review.kinds.map(\.rawValue).joined(separator: ", ")
                + "; of rename, describe and section: the text; of price and addDish: prices such as 3.50 / 5.00.",
            lengths: 0...Review.longestText),
        "place": Field("Where the dish is printed, pixels of the upright photo. Without it all dishes of the name."),
        "by": Field("With the daemon's own key only; a device reviews for whoever uses it."),
    ]
}

extension Review: Documented {
    package static var fields: [String: Field] {
        ["number": Field("Withdraws the review: DELETE /v1/reviews/{number}.")]
    }
}

extension ReviewBody {
    var review: Review {
        Review(
            content: id, item: item ?? Review.everything, allergen: allergen, action: action, value: value,
            place: place, reviewer: "", made: 0)
    }
}

extension ReviewActions {
    /// Stores reviews by whoever uses the device; in a house without people by the household.
    nonisolated func add(_ bodies: [ReviewBody], _ visit: Visit) async throws -> [Review] {
        let identity = try visit.call.identity
        let household = identity.member == nil ? visit.texts.text("review.household") : nil
        return try await add(bodies.map(\.review), by: household, for: identity)
    }
}
