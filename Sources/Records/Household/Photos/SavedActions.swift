import Core
import Foundation
import Store

/// A saved item with what is read of it now: a correction, a rejudgement or a new reading may have changed it.
package struct SavedThing: Sendable, Codable {
    package var number: Int64
    package var photo: String
    package var kind: SavedItem.Kind
    package var item: String
    package var title: String
    package var saved: Date
    /// False if the photo no longer shows it.
    package var isRead: Bool
    package var photoTitle: String?
    package var verdicts: Verdicts
}

/// What a photo shows of something that can be saved.
package struct Savable {
    package let item: String
    package let title: String
    package let verdicts: Verdicts
}

extension Outcome {
    /// - Parameter title: its name when it was saved, because a new reading may move a dish.
    package func savable(_ kind: SavedItem.Kind, _ item: String, title: String? = nil) -> Savable? {
        switch kind {
        case .dish:
            let dishes = menu?.sections.flatMap(\.items) ?? []
            let dish =
                dishes.first { SavedItem.key(ofDish: $0.name, at: $0.box) == item }
                ?? dishes.first { $0.name == (title ?? item) }
            return dish.map {
                Savable(item: SavedItem.key(ofDish: $0.name, at: $0.box), title: $0.name, verdicts: $0.verdicts)
            }
        case .product:
            if item == Review.label, let label {
                return Savable(item: item, title: self.title ?? "", verdicts: label.verdicts)
            }
            guard let number = GTIN(typed: item) else { return nil }
            return products?.first { GTIN($0.gtin) == number }.map {
                Savable(item: $0.gtin, title: $0.name ?? $0.gtin, verdicts: $0.verdicts ?? [:])
            }
        case .figure:
            guard let game, game.game == item else { return nil }
            return Savable(item: item, title: self.title ?? "", verdicts: [:])
        }
    }
}

extension PhotoActions {
    /// What a person saved, newest first, as it is read now.
    ///
    /// - Parameter before: the number of the last item of the page before.
    package func saved(
        words: String, before: Int64?, limit: Int, by identity: Identity
    ) throws -> [SavedThing] {
        guard let member = identity.member?.id else { return [] }
        let items = try store.saved(by: member, words: words, before: before, limit: limit)
        var outcomes: [String: Outcome] = [:]
        for photo in Set(items.map(\.place.photo)) {
            outcomes[photo] = try? store.outcome(forContent: photo)
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

    /// What a person saved from a photo, each as the photo shows it now.
    package func saved(from photo: String, _ outcome: Outcome, by member: Int64) throws -> [SavedItem.Place] {
        try store.saved(by: member, from: photo).map { saved in
            var place = saved.place
            place.item = outcome.savable(place.kind, place.item, title: saved.title)?.item ?? place.item
            return place
        }
    }

    /// Saves a dish, a product or a figure for whoever asks.
    ///
    /// - Throws: `IdentityProblem` if nobody was chosen, ``PhotoProblem/notShown(_:)``, ``PhotoProblem/tooManySaved``.
    package func save(
        _ wanted: SavedItem.Place, by identity: Identity
    ) async throws -> (thing: SavedThing, isNew: Bool) {
        let member = try Self.member(identity)
        guard let outcome = try await result(wanted.photo), let found = outcome.savable(wanted.kind, wanted.item)
        else { throw PhotoProblem.notShown(wanted.kind) }
        let title = found.title.isEmpty ? outcome.source.path : found.title
        var place = wanted
        place.item = found.item
        guard let saved = try store.save(place, title: title, for: member) else { throw PhotoProblem.tooManySaved }
        return (thing(saved.item, outcome), saved.isNew)
    }

    /// Takes an item off the saved ones.
    ///
    /// - Throws: `IdentityProblem` if nobody was chosen, ``PhotoProblem/notSaved``.
    package func unsave(_ number: Int64, by identity: Identity) throws {
        guard try store.unsave(number, of: Self.member(identity)) else { throw PhotoProblem.notSaved }
    }

    /// Takes what a photo shows off the saved items; nothing happens if it is not saved.
    package func unsave(_ wanted: SavedItem.Place, by identity: Identity) async throws {
        let member = try Self.member(identity)
        let outcome = try await result(wanted.photo)
        // A number is written in several ways, and a dish by its name or its place.
        let wanted =
            outcome?.savable(wanted.kind, wanted.item).map { found in
                SavedItem.Place(photo: wanted.photo, kind: wanted.kind, item: found.item)
            } ?? wanted
        for one in try store.saved(by: member, from: wanted.photo) where one.place.kind == wanted.kind {
            let now = outcome?.savable(wanted.kind, one.place.item, title: one.title)?.item
            if one.place.item == wanted.item || now == wanted.item { try store.unsave(one.place, of: member) }
        }
    }

    private static func member(_ identity: Identity) throws -> Int64 {
        _ = try identity.person()
        return identity.member?.id ?? 0
    }
}

extension SavedItem {
    /// A dish's key: its place, which no correction changes, or its name.
    package static func key(ofDish name: String, at place: Quad?) -> String {
        place.map { "\(Int($0.minX))-\(Int($0.minY))" } ?? name
    }
}

extension Outcome {
    /// The share of the print, by its length, that must run in one direction.
    private static let share = 2.0 / 3

    /// Quarter turns clockwise that put the photo upright by its print, 0…3. A board has no direction of print.
    package var quarterTurns: Int {
        // Most photos are looked at for pieces in vain.
        guard readings.pieces?.pieces.isEmpty ?? true else { return 0 }
        var lengths = [0.0, 0, 0, 0]
        for line in readings.text?.lines ?? [] {
            let (from, to) = (line.box.topLeft, line.box.topRight)
            let (right, down) = (to.x - from.x, to.y - from.y)
            let turns = abs(right) >= abs(down) ? (right >= 0 ? 0 : 2) : down >= 0 ? 3 : 1
            lengths[turns] += hypot(right, down)
        }
        let least = lengths.reduce(0, +) * Self.share
        return lengths.firstIndex { $0 > least } ?? 0
    }
}
