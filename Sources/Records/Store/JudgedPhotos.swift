import Core

package protocol JudgedPhotos: Sendable {
    var people: [AllergenProfile] { get }
    /// Judges for the household of now, after somebody was added, changed or removed; stored photos are judged again.
    func takeHousehold() async throws
    /// Judges a photo again after a person said something of it or took it back, and announces what changed.
    func judgeAgain(_ content: String) async throws
}

extension JudgedPhotos {
    /// The people whom photos are judged for in this run and who are no members. They are shown wherever people are:
    /// nobody is judged for unseen.
    package func chosenElsewhere(than store: OutcomeStore) throws -> [AllergenProfile] {
        let stored = Set(try store.profiles().map { DisplayName.key(of: $0.name) })
        return people.filter { $0.name != AllergenProfile.everyone }
            .filter { !stored.contains(DisplayName.key(of: $0.name)) }
    }
}

/// When other bytes at a path are the same photo: written slowly, or rotated and saved again.
package enum PhotoRewriting {
    /// The longest time between the two contents, seconds; shorter than between two meals.
    package static let longest: Int64 = 3 * 3600
}
