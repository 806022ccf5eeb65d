import Core
import Foundation
import Kinds
import Store

package struct NewsChange: Sendable, Codable, Hashable {
    package var item: String
    package var allergen: Allergen
    package var before: AllergenVerdict.Kind?
    package var after: AllergenVerdict.Kind
}

/// What a person missed on a stored photo, as it is judged now.
package struct NewsItem: Sendable, Codable {
    package var number: Int64
    package var photo: String
    package var title: String?
    package var person: String
    package var judged: Date
    package var changes: [NewsChange]
}

extension PhotoActions {
    /// News that are looked at; most of them hold.
    package static let mostNews = 100

    /// What whoever asks missed, and to an adult also what the children missed: newest first, as it is judged now. A
    /// verdict that was corrected meanwhile is left out.
    ///
    /// - Parameter limit: the most photos to give.
    package func news(for identity: Identity?, limit: Int = mostNews) throws -> [(item: NewsItem, outcome: Outcome)] {
        guard let identity else { return [] }
        var found: [(NewsItem, Outcome)] = []
        for one in try store.news(
            of: identity.member?.id, andChildren: Self.seesChildren(identity), limit: Self.mostNews)
        where found.count < limit {
            guard let outcome = try? store.outcome(forContent: one.photo) else { continue }
            let table = JudgedOutcome(outcome).table
            let changes = one.missed.compactMap { missed -> NewsChange? in
                let key = JudgedOutcome.Key(profile: one.person, item: missed.item, allergen: missed.allergen)
                guard let after = table[key], after.isMissed(since: missed.before) else { return nil }
                return NewsChange(item: missed.item, allergen: missed.allergen, before: missed.before, after: after)
            }
            guard !changes.isEmpty else { continue }
            let item = NewsItem(
                number: one.number, photo: one.photo, title: outcome.title, person: one.person,
                judged: Date(timeIntervalSince1970: one.at),
                changes: changes.sorted { $0.after.severity > $1.after.severity })
            found.append((item, outcome))
        }
        return found
    }

    /// Takes news off for good.
    ///
    /// - Throws: ``PhotoProblem/noNews`` if whoever asks has no such news.
    package func dismissNews(_ number: Int64, by identity: Identity) throws {
        guard try store.dismissNews(number, of: identity.member?.id, andChildren: Self.seesChildren(identity))
        else { throw PhotoProblem.noNews }
    }

    /// Takes all of these off that whoever asks has.
    package func dismissNews(_ numbers: [Int64], by identity: Identity) throws {
        for number in numbers {
            try store.dismissNews(number, of: identity.member?.id, andChildren: Self.seesChildren(identity))
        }
    }

    private static func seesChildren(_ identity: Identity) -> Bool { identity.role >= .adult }
}
