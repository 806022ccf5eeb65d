import Core
import Foundation
import HTTP
import Store

/// A saved item with what is read of it now: a correction, a rejudgement or a new reading may have changed it.
struct SavedThing: Sendable, Codable, Documented {
    var number: Int64
    var photo: String
    var kind: SavedItem.Kind
    var item: String
    var title: String
    var saved: Date
    /// False if the photo no longer shows it.
    var isRead: Bool
    var photoTitle: String?
    /// The verdicts by person.
    var verdicts: Verdicts

    static let fields = [
        "item": Field("A dish's place on the photo or its name, `label`, a product number, or a game."),
        "title": Field("What it is called now, or when it was saved if the photo no longer shows it."),
        "isRead": Field("False if the photo no longer shows it."),
    ]
}

/// What a person wants to keep.
struct SavedBody: Sendable, Decodable, Documented {
    var photo: String
    var kind: SavedItem.Kind
    var item: String

    static let example: String? =
        #"{"photo":"sha256:0b1c…","kind":"dish","item":"Mushroom risotto"}"#
    static let fields = [
        "photo": Field("The id of the photo."),
        "item": Field("A dish's name or place, `label`, a product number, or a game.", lengths: 1...500),
    ]
}

/// What a photo shows of something that can be saved.
struct Savable {
    let item: String
    let title: String
    let verdicts: Verdicts
}

extension Outcome {
    /// - Parameter title: its name when it was saved, because a new reading may move a dish.
    func savable(_ kind: SavedItem.Kind, _ item: String, title: String? = nil) -> Savable? {
        switch kind {
        case .dish:
            let dishes = menu?.sections.flatMap(\.items) ?? []
            let dish =
                dishes.first { ResultPlace.key(ofDish: $0.name, at: $0.box) == item }
                ?? dishes.first { $0.name == (title ?? item) }
            return dish.map {
                Savable(item: ResultPlace.key(ofDish: $0.name, at: $0.box), title: $0.name, verdicts: $0.verdicts)
            }
        case .product:
            if item == Review.label, let label {
                return Savable(item: item, title: self.title ?? "", verdicts: label.verdicts)
            }
            guard let number = GTIN(item) else { return nil }
            return products?.first { GTIN($0.gtin) == number }.map {
                Savable(item: $0.gtin, title: $0.name ?? $0.gtin, verdicts: $0.verdicts ?? [:])
            }
        case .figure:
            guard let game, game.game == item else { return nil }
            return Savable(item: item, title: self.title ?? "", verdicts: [:])
        }
    }
}

extension PhotoUseCases {
    /// What a person saved, newest first, as it is read now.
    func saved(_ query: SavedQuery, by identity: Identity) throws -> [SavedThing] {
        guard let member = identity.member?.id else { return [] }
        let items = try store.saved(
            by: member, words: query.q ?? "", before: query.before, limit: query.limit ?? SavedQuery.usualLimit)
        var outcomes: [String: Outcome] = [:]
        for photo in Set(items.map(\.place.photo)) {
            outcomes[photo] = try outcome(photo).flatMap { try? JSONCoding.decode(Outcome.self, from: $0) }
        }
        return items.map { thing($0, outcomes[$0.place.photo]) }
    }

    private func thing(_ item: SavedItem, _ outcome: Outcome?) -> SavedThing {
        let now = outcome?.savable(item.place.kind, item.place.item, title: item.title)
        return SavedThing(
            number: item.number, photo: item.place.photo, kind: item.place.kind, item: now?.item ?? item.place.item,
            title: now.map { $0.title.isEmpty ? item.title : $0.title } ?? item.title,
            saved: Date(timeIntervalSince1970: item.at), isRead: now != nil, photoTitle: outcome?.title,
            verdicts: now?.verdicts ?? [:])
    }

    /// The keys of what a person saved from a photo, as its page names them.
    func savedKeys(of photo: String, _ outcome: Outcome, by member: Int64) throws -> Set<String> {
        Set(
            try store.saved(by: member, from: photo).map {
                let now = outcome.savable($0.place.kind, $0.place.item, title: $0.title)
                return SaveButton.key($0.place.kind, now?.item ?? $0.place.item)
            })
    }

    /// How many items people saved from a photo.
    func savedCount(of photo: String) throws -> Int { try store.savedCount(ofPhoto: photo) }

    /// Saves a dish, a product or a figure for whoever asks.
    ///
    /// - Throws: `Problem` 403 if nobody was chosen, 404 for what the photo does not show, 409 for too many items.
    func save(_ body: SavedBody, by identity: Identity) async throws -> (thing: SavedThing, isNew: Bool) {
        let member = try Self.member(identity)
        guard let outcome = try await result(body.photo), let found = outcome.savable(body.kind, body.item) else {
            throw Problem(404, "notFound", "the photo shows no such \(body.kind.rawValue)")
        }
        let title = found.title.isEmpty ? outcome.source.path : found.title
        let place = SavedItem.Place(photo: body.photo, kind: body.kind, item: found.item)
        guard let saved = try store.save(place, title: title, for: member) else {
            throw Problem(
                409, "tooManySaved",
                "you have saved \(OutcomeStore.mostSaved) items, which is the most: take one off first")
        }
        return (thing(saved.item, outcome), saved.isNew)
    }

    /// Takes an item off the saved ones.
    ///
    /// - Throws: `Problem` 403 if nobody was chosen, 404 if whoever asks has no such item.
    func unsave(_ number: Int64, by identity: Identity) throws -> SavedNumber {
        guard try store.unsave(number, of: Self.member(identity)) else {
            throw Problem(404, "notFound", "you have no saved item of this number: GET /v1/saved lists them")
        }
        return SavedNumber(number: number)
    }

    /// Takes what a photo shows off the saved items; nothing happens if it is not saved.
    func unsave(_ body: SavedBody, by identity: Identity) async throws {
        let member = try Self.member(identity)
        let outcome = try await result(body.photo)
        for one in try store.saved(by: member, from: body.photo) where one.place.kind == body.kind {
            let now = outcome?.savable(body.kind, one.place.item, title: one.title)?.item
            if one.place.item == body.item || now == body.item { try store.unsave(one.place, of: member) }
        }
    }

    private static func member(_ identity: Identity) throws -> Int64 {
        _ = try identity.person()
        return identity.member?.id ?? 0
    }
}

/// The number of an item that is no longer saved.
struct SavedNumber: Sendable, Codable {
    var number: Int64
}

/// Which saved items are wanted.
struct SavedQuery: Sendable, Decodable, Documented {
    var q: String?
    var before: Int64?
    var limit: Int?

    static let usualLimit = 20
    static let fields = [
        "q": Field("Words that all occur in the name.", lengths: 0...200),
        "before": Field("Number of the last item of the page before."),
        "limit": Field("Items of a page.", range: 1...100, usual: "\(usualLimit)"),
    ]
}
