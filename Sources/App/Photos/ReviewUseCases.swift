import Core
import Foundation
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

    fileprivate static let longestItem = Review.longestText

    static let example: String? =
        #"{"id":"sha256:…","item":"Soup","allergen":"milk","action":"edit","value":"CONTAINS"}; see docs/api.md"#
    static let fields = [
        "item": Field(lengths: 0...longestItem, usual: Review.everything),
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

/// What the household says about verdicts. Runs on a thread of its own, because SQLite blocks.
actor ReviewUseCases {
    private let executor = ThreadExecutor(label: "reviews")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let photos: PhotoUseCases
    private let judged: any JudgedPhotos
    private let known = ReviewQuestions()

    init(_ store: OutcomeStore, photos: PhotoUseCases, judged: any JudgedPhotos) {
        self.store = store
        self.photos = photos
        self.judged = judged
    }

    /// Reviews of one photo, or of all photos, oldest first.
    func reviews(of photo: String?) throws -> [Review] { try store.reviews(of: photo) }

    /// Stores what a person said and has the photo judged again.
    func add(_ body: ReviewBody, by identity: Identity) async throws -> Review {
        try await add([body], by: identity)[0]
    }

    /// Stores what a person said at once; the photo is judged again after all of it.
    ///
    /// - Parameter bodies: reviews of one photo.
    func add(_ bodies: [ReviewBody], by identity: Identity) async throws -> [Review] {
        let said = try bodies.map { try Review($0, by: identity) }
        let reviews = try said.map { review in
            do { return try review.checked(in: store, beside: said) } catch let error as StartupError {
                throw Problem(error.exitCode == .noInput ? 404 : 400, "badReview", error.message)
            }
        }
        let stored = try store.add(reviews)
        if let photo = stored.first?.content { try await judged.judgeAgain(photo) }
        return stored
    }

    /// Withdraws a review: its verdicts become the program's own again, or those of the reviews before it.
    ///
    /// - Throws: ``Problem`` as the other one does, and 404 for a number without a review.
    func withdraw(_ number: Int64, by identity: Identity) async throws -> Review {
        guard let review = try await withdraw([number], by: identity).first else { throw Self.nothingToUndo }
        return review
    }

    private static let nothingToUndo = Problem(
        404, "notFound", "no review of this number is stored, so there is nothing to undo")

    /// Withdraws the reviews of a save, all or none. Those that are withdrawn already are left out.
    ///
    /// - Parameter photo: to which they must belong; nil for any.
    /// - Throws: ``Problem`` 404 for a review of another photo, 403 without a ``WithdrawalRight``.
    func withdraw(_ numbers: [Int64], of photo: String? = nil, by identity: Identity) async throws -> [Review] {
        let right = try WithdrawalRight(of: identity, in: Household(store))
        let withdrawn = try store.withdrawReviews(numbers) { review in
            guard photo == nil || review.content == photo else { throw Self.nothingToUndo }
            guard !right.includes(review) else { return }
            throw Problem(
                403, "forbidden",
                "\(review.reviewer.printable) said that: ask for it to be undone, or say what you think instead")
        }
        // The photo may be erased since; then nothing is left to change.
        for photo in Set(withdrawn.map(\.content)) { try await judged.judgeAgain(photo) }
        return withdrawn
    }

    /// The reviews of a photo that may be withdrawn.
    func withdrawable(of photo: String, by identity: Identity) throws -> [Review] {
        let right = try WithdrawalRight(of: identity, in: Household(store))
        return try store.reviews(of: photo).filter(right.includes)
    }

    // MARK: Questions

    /// The newest photos with verdicts to ask about.
    private static let mostPhotos = 60

    /// The questions of one photo, in the order of the print; those with an answer too.
    func questions(of photo: String) throws -> [ReviewQuestion] {
        try store.outcomeJSON(forContent: photo).map { try known.all(of: photo, in: $0) } ?? []
    }

    /// A photo with questions that nobody has answered.
    struct Waiting: Sendable {
        let photo: String
        let title: String?
        /// The first of them.
        let first: ReviewQuestion
        let index, open, all: Int
    }

    /// The newest photos with questions that nobody has answered, the most serious first.
    func waiting() async throws -> [Waiting] {
        let newest = try await photos.page(HistoryQuery(limit: Self.mostPhotos))
        let ids = newest.items.filter { item in
            item.contradiction
                || [AllergenVerdict.Kind.contains, .likely, .cannotTell].contains { item.worst[$0.rawValue] != nil }
        }.compactMap(\.id)
        let waiting = try ids.compactMap { id -> (rank: Double, photo: Waiting)? in
            let questions = try questions(of: id)
            let open = questions.enumerated().filter { !$0.element.isAnswered }
            guard let first = open.first else { return nil }
            let rank = open.map { $0.element.rank }.max() ?? 0
            return (
                rank,
                Waiting(
                    photo: id, title: first.element.title, first: first.element, index: first.offset,
                    open: open.count, all: questions.count)
            )
        }
        return waiting.enumerated().sorted {
            ($0.element.rank, -$0.offset) > ($1.element.rank, -$1.offset)
        }.map(\.element.photo)
    }
}

/// Whose reviews an adult may withdraw: their own and those of people who are no longer of the household. The daemon's own
/// key may withdraw all.
private struct WithdrawalRight {
    /// The people whose reviews stay.
    private let others: [String]

    init(of identity: Identity, in household: Household) throws {
        let names = identity.holder == .key ? [] : try household.members().map(\.name)
        others = names.filter { name in identity.member.map { !DisplayName.areEqual($0.name, name) } ?? true }
    }

    func includes(_ review: Review) -> Bool {
        !others.contains { DisplayName.areEqual($0, review.reviewer) }
    }
}

extension ReviewUseCases {
    /// Stores reviews by whoever uses the device; in a house without people by the household.
    nonisolated func add(_ bodies: [ReviewBody], _ visit: Visit) async throws -> [Review] {
        let identity = try visit.call.identity
        let household = identity.member == nil ? visit.texts.text("review.household") : nil
        return try await add(
            bodies.map { body in
                var body = body
                body.by = household
                return body
            }, by: identity)
    }
}

extension Review {
    /// - Throws: ``Problem`` 400 for a wrong name, 403 for the name of another person.
    fileprivate init(_ body: ReviewBody, by identity: Identity) throws {
        guard body.item.map(Review.isShort) ?? true else {
            throw Problem(
                400, "badRequest", "item is the name of a dish, at most \(ReviewBody.longestItem) characters")
        }
        let reviewer: String
        if identity.holder == .key, let by = body.by {
            do { reviewer = try DisplayName(by).shown } catch {
                throw Problem(400, "badRequest", "by is the reviewer's name: \(error.detail)")
            }
        } else {
            reviewer = try identity.person()
            guard body.by.map({ DisplayName.areEqual($0, reviewer) }) ?? true else {
                throw Problem(403, "forbidden", "this device reviews for \(reviewer): leave `by` out")
            }
        }
        self.init(
            content: body.id, item: body.item ?? Review.everything, allergen: body.allergen, action: body.action,
            value: body.value, place: body.place, reviewer: reviewer, made: Date().timeIntervalSince1970)
    }
}
