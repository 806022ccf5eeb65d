import Foods
import Core
import Foundation
import GRDB
import Store

/// Lists, prices, places and experiences in the daemon's database. Each method is one transaction.
///
/// Nothing here checks a password: callers name a person whose session they have checked.
package struct Groceries: Sendable {
    package let store: OutcomeStore
    package let rules: GroceryRules
    let now: @Sendable () -> Date

    /// - Parameter now: the clock of ages and changes.
    package init(_ store: OutcomeStore, rules: GroceryRules, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.rules = rules
        self.now = now
    }

    var seconds: Int64 { Int64(now().timeIntervalSince1970) }
    /// Today in UTC: prices age in whole days.
    package var today: Day { Day(of: now(), in: .gmt) }

    static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

    /// A text that a person typed: without control characters, of limited length.
    static func text(
        _ text: String, _ what: String, most: Int, allowsEmpty: Bool = false
    ) throws(GroceryProblem) -> String {
        // Blanks around it count too: the limit comes before all work.
        let isShort = text.unicodeScalars.count <= most * 8
        let text =
            isShort
            ? text.trimmingCharacters(in: .whitespacesAndNewlines).streamSafe.precomposedStringWithCanonicalMapping : ""
        guard isShort, allowsEmpty || !text.isEmpty, text.count <= most, text.utf8.count <= most * 4,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\n" })
        else { throw .bad("\(what) has \(allowsEmpty ? 0 : 1) to \(most) characters without control characters") }
        return text
    }

    /// - Throws: ``GroceryProblem/notFound(_:)`` if nothing of this kind has the number.
    static func require(_ database: Database, _ kind: String, _ id: Int64) throws {
        let sql = "SELECT 1 FROM grocery_\(kind) WHERE id = ?"
        guard try Bool.fetchOne(database, sql: sql, arguments: [id]) == true else {
            throw GroceryProblem.notFound("\(kind) \(id)")
        }
    }

    /// The name of a list or a place that a person typed.
    static func name(_ text: String) throws(GroceryProblem) -> String {
        do { return try DisplayName(text).shown } catch { throw .bad(error.detail) }
    }

    /// The stored spelling of a person's name, by which lists and prices know them; for somebody new the name as shown.
    ///
    /// - Throws: ``GroceryProblem/bad(_:)`` if somebody new has a name that is refused.
    package func person(named typed: String) throws -> String {
        try store.read { try Self.person($0, named: typed) }
    }

    static func person(_ database: Database, named typed: String) throws -> String {
        let stored = try String.fetchAll(
            database,
            literal: """
                SELECT name FROM member UNION SELECT person FROM grocery_member UNION SELECT person FROM grocery_mark
                UNION SELECT contributor FROM grocery_price WHERE contributor IS NOT NULL
                """)
        return try stored.first { DisplayName.areEqual($0, typed) } ?? name(typed)
    }
}
