import Allergens
import Core
import Foundation
import Kinds
import Store
import Synchronization

/// Finds the dishes of a photo's kitchen with known allergens, in the outcomes of its folder and in people's reviews.
package struct KitchenDishes: Sendable {
    /// Older menus of a kitchen say little about today's.
    private static let mostOutcomes = 40
    /// More dishes cost time and hardly change the habit.
    private static let mostDishes = 100

    private let find: @Sendable (FilePathBytes, String?) -> [DeclaredDish]

    package init() { find = { _, _ in [] } }

    package init(_ store: OutcomeStore) {
        let decoded = DecodedDishes()
        find = { path, content in
            let outcomes = (try? store.kitchenOutcomes(of: path, content: content, limit: Self.mostOutcomes)) ?? []
            return outcomes.flatMap { decoded.dishes(of: $0.content, $0.json) }.suffix(Self.mostDishes)
        }
    }

    /// - Parameter content: the photo's content; nil if it could not be read.
    package func dishes(of path: FilePathBytes, content: String?) -> [DeclaredDish] { find(path, content) }
}

/// The dishes of the last outcomes, because each menu of a kitchen asks for the same ones.
private final class DecodedDishes: Sendable {
    private struct Entry {
        var json: Data
        var declared: [DeclaredDish]
    }

    private static let most = 200
    private let entries = Mutex<[String: Entry]>([:])

    func dishes(of content: String, _ json: Data) -> [DeclaredDish] {
        let known = entries.withLock { $0[content] }
        let entry: Entry
        if let known, known.json == json {
            entry = known
        } else {
            guard let outcome = try? JSONCoding.decode(Outcome.self, from: json) else { return [] }
            entry = Entry(json: json, declared: outcome.declaredDishes)
            entries.withLock {
                if $0.count >= Self.most { $0.removeAll() }
                $0[content] = entry
            }
        }
        return entry.declared
    }
}
