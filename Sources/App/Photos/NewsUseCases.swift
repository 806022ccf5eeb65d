import Core
import Foundation
import HTTP
import Kinds
import Store

/// One verdict that is worse than the person knows.
struct NewsChange: Sendable, Codable, Hashable, Documented {
    var item: String
    var allergen: Allergen
    var before: AllergenVerdict.Kind?
    var after: AllergenVerdict.Kind

    static let fields = [
        "item": Field("The name of a dish, `label`, or a product number."),
        "before": Field("The verdict before; absent if the dish was not read."),
    ]
}

/// What a person missed on a stored photo, as it is judged now.
struct NewsItem: Sendable, Codable, Documented {
    var number: Int64
    var photo: String
    var title: String?
    var person: String
    var judged: Date
    var changes: [NewsChange]

    static let fields = [
        "title": Field("What the photo names itself."), "person": Field("The member whom it concerns."),
        "judged": Field("When the photo was judged again."),
    ]
}

/// The number of news that are dismissed.
struct NewsNumber: Sendable, Codable {
    var number: Int64
}

extension PhotoUseCases {
    /// News that are looked at; most of them hold.
    private static let mostNews = 100

    /// What whoever asks missed, and to an adult also what the children missed: newest first, as it is judged now. A
    /// verdict that was corrected meanwhile is left out.
    ///
    /// - Parameter limit: the most photos to give.
    func news(for identity: Identity?, limit: Int = mostNews) throws -> [(item: NewsItem, outcome: Outcome)] {
        guard let identity else { return [] }
        var found: [(NewsItem, Outcome)] = []
        for one in try store.news(
            of: identity.member?.id, andChildren: Self.seesChildren(identity), limit: Self.mostNews)
        where found.count < limit {
            guard let json = try outcome(one.photo), let outcome = try? JSONCoding.decode(Outcome.self, from: json)
            else { continue }
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
    /// - Throws: `Problem` 404 if whoever asks has no such news.
    func dismissNews(_ number: Int64, by identity: Identity) throws -> NewsNumber {
        guard
            try store.dismissNews(number, of: identity.member?.id, andChildren: Self.seesChildren(identity))
        else { throw Problem(404, "notFound", "you have no news of this number: GET /v1/news lists them") }
        return NewsNumber(number: number)
    }

    /// Takes all of these off that whoever asks has.
    func dismissNews(_ numbers: [Int64], by identity: Identity) throws {
        for number in numbers {
            try store.dismissNews(number, of: identity.member?.id, andChildren: Self.seesChildren(identity))
        }
    }

    private static func seesChildren(_ identity: Identity) -> Bool { identity.role >= .adult }
}
