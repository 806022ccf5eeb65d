import Core
import Foundation
import Store

/// What was said of a dish when its menu was photographed before.
package struct EarlierAnswer: Sendable {
    package let review: Review
    package let allergen: Allergen
    package let title: String?

    package init(review: Review, allergen: Allergen, title: String?) {
        (self.review, self.allergen, self.title) = (review, allergen, title)
    }
}

/// What was said of the dishes of a menu when it was photographed before.
package struct EarlierAnswers: Sendable {
    /// The latest answer on each allergen, by the key of the dish; see ``SavedItem/key(ofDish:at:)``.
    package private(set) var ofDish: [String: [EarlierAnswer]] = [:]

    package static let none = EarlierAnswers(ofDish: [:])

    package init(ofDish: [String: [EarlierAnswer]]) { self.ofDish = ofDish }

    /// - Parameters:
    ///   - answers: what was said on other photos, newest first.
    ///   - read: the outcome of another photo.
    init(for menu: Menu, among answers: [Review], read: (String) throws -> Outcome?) rethrows {
        let dishes = menu.sections.flatMap(\.items)
        var photos: [String] = []
        for answer in answers where !photos.contains(answer.content) {
            guard photos.count < Self.mostPhotos else { break }
            if dishes.contains(where: { $0.isCalled(answer.item) }) { photos.append(answer.content) }
        }
        var same: [String: Outcome] = [:]
        for photo in photos {
            if let other = try read(photo), other.menu?.isSame(as: menu) == true { same[photo] = other }
        }
        for answer in answers {
            guard let photo = same[answer.content], let allergen = answer.allergen else { continue }
            for dish in dishes where dish.isCalled(answer.item) && dish.isOpen(allergen) {
                let key = SavedItem.key(ofDish: dish.name, at: dish.box)
                guard !(ofDish[key] ?? []).contains(where: { $0.allergen == allergen }) else { continue }
                ofDish[key, default: []].append(
                    EarlierAnswer(review: answer, allergen: allergen, title: photo.title))
            }
        }
    }

    /// Other photos that are compared with a menu.
    private static let mostPhotos = 5
}

extension Menu {
    /// The same card has the same dishes at the same prices. Many restaurants have a Margherita.
    fileprivate func isSame(as other: Menu) -> Bool {
        let (own, others) = (sections.flatMap(\.items), other.sections.flatMap(\.items))
        let pairs = own.compactMap { dish in others.first { dish.isCalled($0.name) }.map { (dish, $0) } }
        guard pairs.count >= Self.fewestSame,
            Double(pairs.count) >= Self.leastSame * Double(min(own.count, others.count))
        else { return false }
        let priced = pairs.filter { !$0.0.prices.isEmpty && !$0.1.prices.isEmpty }
        guard !priced.isEmpty else { return pairs.count >= 2 * Self.fewestSame }
        return 2 * priced.count { $0.0.prices.map(\.amount) == $0.1.prices.map(\.amount) } >= priced.count
    }

    /// Dishes of the shorter card, and their share, that both photos show. A photo may show a part of the card.
    private static let (fewestSame, leastSame) = (4, 0.6)
}

extension Menu.Item {
    /// True for the name of this dish as another photo was read: a letter in eight may differ.
    fileprivate func isCalled(_ other: String) -> Bool {
        let words = Folding.words(of: other).joined(separator: " ")
        guard !words.isEmpty else { return false }
        return [name, corrected?.system?.name].compactMap(\.self).contains { name in
            let own = Folding.words(of: name).joined(separator: " ")
            let limit = own.count / 4
            return own == words || EditDistance.print.between(own, words, limit: limit) <= limit
        }
    }

    /// True if nobody answered for the allergen here.
    fileprivate func isOpen(_ allergen: Allergen) -> Bool {
        !(statements ?? []).contains { $0.allergen == allergen }
    }
}

extension ReviewActions {
    /// What was said of the dishes of a menu when it was photographed before.
    package func earlier(for menu: Menu, of photo: String) throws -> EarlierAnswers {
        try EarlierAnswers(for: menu, among: try store.answers(besides: photo), read: store.outcome)
    }

    /// Says again of a dish what was said of it on an earlier photo, with the day and who of the staff said so.
    ///
    /// - Parameters:
    ///   - item: the dish's name, on a photo where it lies at `place`.
    ///   - key: its key in ``EarlierAnswers/ofDish``.
    ///   - name: see ``add(_:by:for:)``.
    /// - Throws: ``PhotoProblem/badReview(_:)`` if nothing was said.
    package func repeatEarlier(
        of key: String, in menu: Menu, as item: String, at place: Quad?, of photo: String, by name: String?,
        for identity: Identity
    ) async throws -> [Review] {
        let said = (try earlier(for: menu, of: photo).ofDish[key] ?? []).map { answer in
            var own = answer.review
            (own.content, own.item, own.place, own.number) = (photo, item, place, nil)
            let day = Date(timeIntervalSince1970: own.made).formatted(.iso8601.year().month().day())
            own.staff = [own.staff, day].compactMap(\.self).joined(separator: ", ")
            return own
        }
        guard !said.isEmpty else { throw PhotoProblem.badReview("nothing was said of this dish before") }
        return try await add(said, by: name, for: identity)
    }
}
