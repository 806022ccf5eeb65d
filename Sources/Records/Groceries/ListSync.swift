import Foundation
import GRDB

/// A change of a list that a phone made while it had no network.
package struct ListChange: Sendable, Hashable, Codable {
    package enum Action: String, Sendable, Codable, CaseIterable { case add, complete, open, remove }

    /// Chosen by the phone, different for each change, 1 to 64 letters.
    package var key: String
    package var action: Action
    /// What was typed, for `add`.
    package var text: String?
    /// The entry that changes; nil for `add`, and for an entry that the phone added itself.
    package var entry: Int64?
    /// The key of the change that added the entry.
    package var of: String?
}

package struct SyncedChanges: Sendable, Hashable, Codable {
    /// How many were done now, were done before, and found nothing to change.
    package var done = 0
    package var known = 0
    package var gone = 0
}

extension Groceries {
    /// Changes of one request.
    package static let mostSynced = 500
    /// Days for which the keys of changes are kept; no phone keeps a change for longer without a network.
    private static let keptDays: Int64 = 90

    /// Does what a phone did without a network, in its order. A change whose key is known is not done again.
    ///
    /// What is on the list already is not added a second time: it is opened again. What somebody else removed stays removed.
    ///
    /// - Parameter entry: what a typed text means.
    /// - Throws: ``GroceryProblem``; nothing was done then.
    package func sync(
        _ changes: [ListChange], of list: Int64, by person: String, entry: (String) throws -> NewEntry
    ) throws -> SyncedChanges {
        guard changes.count <= Self.mostSynced, changes.allSatisfy({ (1...64).contains($0.key.utf8.count) }) else {
            throw GroceryProblem.bad(
                "a request has at most \(Self.mostSynced) changes, each with a key of 1 to 64 letters")
        }
        let now = seconds
        // Looks names up in the catalogue, which is another database.
        let entries = try changes.map { change in
            try change.action == .add ? entry(String((change.text ?? "").prefix(200))) : nil
        }
        return try store.write { database in
            _ = try Self.list(database, list, of: person)
            var result = SyncedChanges()
            for (change, new) in zip(changes, entries) {
                let key = Self.key(change.key, of: person)
                let isKnown = try Bool.fetchOne(
                    database, literal: "SELECT 1 FROM grocery_sync WHERE list = \(list) AND key = \(key)")
                guard isKnown == nil else {
                    result.known += 1
                    continue
                }
                let entry = try done(change, new, of: list, by: person, database)
                if entry == nil { result.gone += 1 } else { result.done += 1 }
                try database.execute(literal: "INSERT INTO grocery_sync VALUES (\(list), \(key), \(entry), \(now))")
            }
            try database.execute(literal: "DELETE FROM grocery_sync WHERE at < \(now - Self.keptDays * 86_400)")
            return result
        }
    }

    /// Keys are a person's own: nobody uses up those of another on a shared list.
    private static func key(_ key: String, of person: String) -> String { "\(person)\u{1F}\(key)" }

    /// - Returns: the entry that was added or changed; nil for an entry that is not on the list.
    private func done(
        _ change: ListChange, _ new: NewEntry?, of list: Int64, by person: String, _ database: Database
    ) throws -> Int64? {
        if let new {
            switch try add(new, to: list, by: person, anyway: false, database) {
            case .added(let item): return item.id
            case .duplicate(let item, .near):
                // Only a person can say whether it is the same; nothing that was typed is lost.
                guard
                    case .added(let added) = try add(new, to: list, by: person, anyway: true, database)
                else { return item.id }
                return added.id
            case .duplicate(let item, _):
                guard item.isCompleted else { return item.id }
                return try self.change(item.id, EntryChange(isCompleted: false), by: person, database).id
            }
        }
        let added = try change.of.flatMap { key in
            try Int64.fetchOne(
                database,
                literal: "SELECT entry FROM grocery_sync WHERE list = \(list) AND key = \(Self.key(key, of: person))")
        }
        guard let number = change.entry ?? added,
            try Bool.fetchOne(
                database,
                literal: "SELECT 1 FROM grocery_entry WHERE id = \(number) AND list = \(list) AND isInShoppingList")
                != nil
        else { return nil }
        let state = change.action == .remove ? .removal : EntryChange(isCompleted: change.action == .complete)
        return try self.change(number, state, by: person, database).id
    }
}
