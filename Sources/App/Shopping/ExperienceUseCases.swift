import Core
import Groceries
import HTTP
import Foods

extension ShoppingUseCases {
    /// Experiences, newest first.
    ///
    /// - Parameter number: only those with a smaller number, for the next page.
    func experiences(
        kind: Experience.Kind? = nil, product: Int64? = nil, place: Int64? = nil, before number: Int64? = nil,
        limit: Int
    ) throws -> [Experience] {
        try groceries.experiences(kind: kind, product: product, place: place, before: number, limit: limit)
    }

    func experience(_ id: Int64) throws -> Experience { try groceries.experience(id) }

    func post(_ new: NewExperience, by person: String) throws -> Experience { try groceries.post(new, by: person) }

    /// Comments on an experience, or on a comment.
    ///
    /// - Parameter comment: the comment that is answered; nil for the experience itself.
    func comment(
        _ text: String, on experience: Int64, answering comment: Int64?, by person: String
    ) throws -> Experience {
        try groceries.comment(text, on: experience, answering: comment, by: person)
    }

    /// - Parameter product: what a new experience is about.
    func feedContent(
        kind: Experience.Kind?, before number: Int64?, product: Int64?, for person: String
    ) throws -> FeedContent {
        FeedContent(
            experiences: try experiences(kind: kind, before: number, limit: FeedContent.shown + 1), kind: kind,
            places: try groceries.places(for: person), product: try product.flatMap { try groceries.product($0) },
            today: today)
    }
}

/// What the page of experiences shows.
struct FeedContent: Sendable {
    /// One more than ``shown`` if there are more.
    var experiences: [Experience]
    var kind: Experience.Kind?
    var places: [GroceryPlace]
    /// The product that a new experience is about.
    var product: GroceryProduct?
    var today: Day

    /// Experiences on one page.
    static let shown = 15
}

extension Experience: Documented {
    package static let about: String? = "What a person reports, with nested comments."
}

extension NewExperience: Documented {
    package static let about: String? = "An experience before it is stored."
    package static let fields = [
        "rating": Field(range: 1...5), "comment": Field(lengths: 0...2000), "product": Field.number(),
        "place": Field.number(),
    ]
}
