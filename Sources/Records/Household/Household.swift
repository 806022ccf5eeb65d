import Core
import Foundation
import GRDB
import Store

/// The people of this daemon and their devices: one table of people for the command line, the watcher and the app.
///
/// Nothing here checks who asks, except for PINs.
package struct Household: Sendable {
    package let store: OutcomeStore
    let parameters: SecretHash.Parameters
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - parameters: the cost of a PIN's hash.
    ///   - now: the clock of guests, limits and open pages.
    package init(
        _ store: OutcomeStore, parameters: SecretHash.Parameters = .usual,
        now: @escaping @Sendable () -> Date = Date.init
    ) {
        self.store = store
        self.parameters = parameters
        clock = now
    }

    /// Seconds since 1970.
    var now: Int64 { Int64(clock().timeIntervalSince1970) }

    /// The name of the household; nil if it has none.
    package func name() throws -> String? {
        try store.read(String.fetchOne, "SELECT name FROM household")
    }

    /// - Throws: ``HouseholdProblem/bad(_:)``.
    package func setName(_ name: String) throws {
        let shown = try Self.named(name).shown
        try store.execute(literal: "INSERT OR REPLACE INTO household (id, name) VALUES (1, \(shown))")
    }

    static func named(_ name: String) throws -> DisplayName {
        do { return try DisplayName(name) } catch { throw HouseholdProblem.bad(error.detail) }
    }
}
