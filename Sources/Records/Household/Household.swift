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

    package func name() throws -> String? {
        try store.read(String.fetchOne, "SELECT name FROM household")
    }

    package func setName(_ name: String) throws {
        let shown = try Self.named(name).shown
        try store.execute(literal: "INSERT OR REPLACE INTO household (id, name) VALUES (1, \(shown))")
    }

    static func named(_ name: String) throws -> DisplayName {
        do { return try DisplayName(name) } catch { throw HouseholdProblem.bad(error.detail) }
    }
}

/// What another feature keeps of members.
package protocol MemberData: Sendable {
    func count(_ member: Member, in report: inout Member.Report) throws
    /// Erases it; the name in what stays with others too.
    func erase(_ member: String) throws
}

extension Member {
    package struct Report: Sendable, Hashable, Codable {
        package var removed: String
        package var diaryEntries = 0, weights = 0
        /// Lists that nobody else has, and lists that stay with others.
        package var lists = 0, sharedLists = 0
        package var prices = 0, experiences = 0
        package var saved: Int
        /// Devices that this person used; they stay, and ask who it is.
        package var devices: Int
    }
}
