import Allergens
import Core
import Foundation
import Kinds
import Store

/// Finds the dishes of a photo's kitchen with known allergens, in the outcomes of its folder and in people's reviews.
package struct KitchenDishes: Sendable {
    /// Older menus of a kitchen say little about today's.
    private static let mostOutcomes = 40
    /// More dishes cost time and hardly change the habit.
    private static let mostDishes = 100

    private let find: @Sendable (FilePathBytes, String?) -> [DeclaredDish]

    package init() { find = { _, _ in [] } }

    package init(_ store: OutcomeStore) {
        // Each menu of a kitchen asks for the same outcomes.
        let decoded = KeptValues<[DeclaredDish]>(most: 200)
        find = { path, content in
            let outcomes = (try? store.kitchenOutcomes(of: path, content: content, limit: Self.mostOutcomes)) ?? []
            let dishes = outcomes.map { content, json in
                decoded.value(of: content, in: json) {
                    (try? JSONCoding.decode(Outcome.self, from: $0))?.declaredDishes ?? []
                }
            }
            return dishes.joined().suffix(Self.mostDishes)
        }
    }

    /// - Parameter content: the photo's content; nil if it could not be read.
    package func dishes(of path: FilePathBytes, content: String?) -> [DeclaredDish] { find(path, content) }
}
