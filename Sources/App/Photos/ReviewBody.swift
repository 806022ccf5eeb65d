import Core
import HTTP
import Household

/// A review as clients send it.
struct ReviewBody: Sendable, Decodable, Documented {
    var id: String
    /// The dish's name, `label`, or a product number; nil for the whole photo.
    var item: String?
    var allergen: Allergen?
    var action: Review.Action
    var value: String?
    /// Where the dish is printed, pixels of the upright photo.
    var place: Quad?
    var staff: String?
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
        "staff": Field("Who of the staff said so.", lengths: 0...Review.longestText),
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
        var review = Review(
            content: id, item: item ?? Review.everything, allergen: allergen, action: action, value: value,
            place: place, reviewer: "", made: 0)
        review.staff = staff
        return review
    }
}

extension ReviewActions {
    /// Stores reviews by whoever uses the device; in a house without people by the household.
    nonisolated func add(_ bodies: [ReviewBody], _ visit: Visit) async throws -> [Review] {
        let (identity, name) = try Self.reviewer(visit)
        return try await add(bodies.map(\.review), by: name, for: identity)
    }

    /// Stores what was tapped on a card for staff.
    nonisolated func add(_ answer: StaffAnswer, of photo: String, _ menu: Menu, _ visit: Visit) async throws -> [Review]
    {
        guard answer.said == nil else {
            let said = answer.reviews(of: photo, menu)
            guard !said.isEmpty else {
                throw Problem(409, "answered", "somebody has answered for this dish: look again")
            }
            return try await add(said, visit)
        }
        let (identity, name) = try Self.reviewer(visit)
        return try await repeatEarlier(
            of: answer.key, in: menu, as: answer.item, at: answer.place, of: photo, by: name, for: identity)
    }

    private nonisolated static func reviewer(_ visit: Visit) throws -> (Identity, name: String?) {
        let identity = try visit.call.identity
        return (identity, identity.member == nil ? visit.texts.text("review.household") : nil)
    }
}
