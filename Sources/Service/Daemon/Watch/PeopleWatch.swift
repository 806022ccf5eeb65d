import Core

/// The source of the configured people.
package struct PeopleWatch: Sendable {
    /// A fast check value that changes if people outside the daemon's own database may have changed.
    var signature: @Sendable () -> [Int64]
    /// Loads the configured people.
    var load: @Sendable () throws -> [AllergenProfile]

    package init(
        signature: @escaping @Sendable () -> [Int64], load: @escaping @Sendable () throws -> [AllergenProfile]
    ) {
        self.signature = signature
        self.load = load
    }
}
