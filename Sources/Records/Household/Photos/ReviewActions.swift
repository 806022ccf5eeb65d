import Core
import Foundation
import Store

/// What the household says about verdicts, for every front end. Runs on a thread of its own, because SQLite blocks.
///
/// A refusal is a ``PhotoProblem``. Each front end has one list of what it makes of them.
package actor ReviewActions {
    private let executor = ThreadExecutor(label: "reviews")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore
    private let judged: (any JudgedPhotos)?
    private let known = KeptValues<[ReviewQuestion]>(most: 128)

    /// - Parameter judged: nil in a program that judges the photo itself.
    package init(_ store: OutcomeStore, judged: (any JudgedPhotos)?) {
        self.store = store
        self.judged = judged
    }

    /// Reviews of one photo, or of all photos, oldest first.
    package func reviews(of photo: String?) throws -> [Review] { try store.reviews(of: photo) }

    /// Stores what a person said at once; the photo is judged again after all of it.
    ///
    /// - Parameters:
    ///   - said: reviews of one photo; who said it and when is set here.
    ///   - name: with the daemon's own key the reviewer; a device reviews for whoever uses it.
    package func add(_ said: [Review], by name: String?, for identity: Identity) async throws -> [Review] {
        let (reviewer, made) = (try reviewer(name, for: identity), Date().timeIntervalSince1970)
        let said = said.map { review in
            var review = review
            (review.reviewer, review.made) = (reviewer, made)
            return review
        }
        let stored = try store.add(said.map { try $0.checked(in: store, beside: said) })
        if let photo = stored.first?.content { try await judged?.judgeAgain(photo) }
        return stored
    }

    private func reviewer(_ name: String?, for identity: Identity) throws -> String {
        if identity.holder == .key, let name {
            do { return try DisplayName(name).shown } catch { throw PhotoProblem.badReviewer(error.detail) }
        }
        let person = try identity.person()
        guard name.map({ DisplayName.areEqual($0, person) }) ?? true else { throw PhotoProblem.otherReviewer(person) }
        return person
    }

    /// Withdraws a review: its verdicts become the program's own again, or those of the reviews before it.
    package func withdraw(_ number: Int64, by identity: Identity) async throws -> Review {
        guard let review = try await withdraw([number], by: identity).first else {
            throw PhotoProblem.noReview(number)
        }
        return review
    }

    /// Withdraws the reviews of a save, all or none. Those that are withdrawn already are left out.
    ///
    /// - Parameter photo: to which they must belong; nil for any.
    /// - Throws: ``PhotoProblem/saidBy(_:)`` without a ``WithdrawalRight``, ``PhotoProblem/noReview(_:)``.
    package func withdraw(_ numbers: [Int64], of photo: String? = nil, by identity: Identity) async throws -> [Review] {
        let right = try WithdrawalRight(of: identity, in: Household(store))
        let withdrawn = try store.withdrawReviews(numbers) { review in
            guard photo == nil || review.content == photo else {
                throw PhotoProblem.noReview(review.number ?? 0)
            }
            guard right.includes(review) else { throw PhotoProblem.saidBy(review.reviewer) }
        }
        // The photo may be erased since; then nothing is left to change.
        for photo in Set(withdrawn.map(\.content)) { try await judged?.judgeAgain(photo) }
        return withdrawn
    }

    package func withdrawable(of photo: String, by identity: Identity) throws -> [Review] {
        let right = try WithdrawalRight(of: identity, in: Household(store))
        return try store.reviews(of: photo).filter(right.includes)
    }

    // MARK: Questions

    /// The newest photos with verdicts to ask about.
    private static let mostPhotos = 60

    /// The questions of one photo, in the order of the print; those with an answer too.
    package func questions(of photo: String) throws -> [ReviewQuestion] {
        try store.outcomeJSON(forContent: photo).map { json in
            try known.value(of: photo, in: json) {
                ReviewQuestion.all(in: try JSONCoding.decode(Outcome.self, from: $0))
            }
        } ?? []
    }

    /// A photo with questions that nobody has answered.
    package struct Waiting: Sendable {
        package let photo: String
        package let title: String?
        /// The first of them.
        package let first: ReviewQuestion
        package let index, open, all: Int
    }

    /// The newest photos with questions that nobody has answered, the most serious first.
    package func waiting() throws -> [Waiting] {
        try store.refreshSummaries(limit: PhotoActions.mostRefreshed)
        let ids = try store.history(HistoryFilter(), limit: Self.mostPhotos).filter { entry in
            entry.summary.hasContradiction
                || [AllergenVerdict.Kind.contains, .likely, .cannotTell].contains {
                    entry.summary.worst[$0.rawValue] != nil
                }
        }.compactMap(\.content)
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
