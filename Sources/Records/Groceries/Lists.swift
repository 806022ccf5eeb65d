import Foods
import Core
import Foundation
import GRDB

package struct GroceryList: Sendable, Hashable, Codable, FetchableRecord {
    package var id: Int64
    package var name: String
    package var owner: String
    /// Everybody who may open it, the owner too; by name.
    package var people: [String]
    /// Entries on the list, and those of them that are completed.
    package var entries: Int
    package var completed: Int
}

/// An entry of a list. Removing it from the list keeps it as history.
package struct GroceryItem: Sendable, Hashable, Codable, FetchableRecord {
    package var id: Int64
    package var list: Int64
    package var product: Int64
    package var gtin: String?
    package var name: String
    package var brand: String?
    /// What somebody typed, where the product was found by it.
    package var typed: String?
    package var category: String?
    /// The aisle that a person gave the product.
    package var aisle: String?
    package var tags: [String]
    package var image: String?
    /// In thousandths of `unit`.
    package var quantity: Int64
    package var unit: PriceUnit
    package var isInShoppingList: Bool
    package var isCompleted: Bool
    package var isFavorite: Bool
    /// A discounted price was seen within two weeks.
    package var isOnSale: Bool
    package var addedAt: Date
    package var updatedAt: Date
    package var addedBy: String?
}

extension Groceries {
    /// The person's lists, own and shared, oldest first.
    package func lists(of person: String) throws -> [GroceryList] {
        try store.read { try Self.lists($0, "list.id IN (SELECT list FROM grocery_member WHERE person = \(person))") }
    }

    private static func lists(_ database: Database, _ condition: SQL) throws -> [GroceryList] {
        try GroceryList.fetchAll(
            database,
            literal: """
                SELECT id, name, owner,
                    (SELECT json_group_array(person) FROM (
                        SELECT person FROM grocery_member WHERE list = list.id ORDER BY person)) AS people,
                    (SELECT count(*) FROM grocery_entry WHERE list = list.id AND isInShoppingList) AS entries,
                    (SELECT count(*) FROM grocery_entry WHERE list = list.id AND isInShoppingList AND isCompleted)
                    AS completed
                FROM grocery_list AS list WHERE \(condition) ORDER BY id
                """)
    }

    package func makeList(_ name: String, by person: String) throws -> GroceryList {
        let name = try Self.name(name)
        let created = seconds
        return try store.write { database in
            let person = try Self.person(database, named: person)
            let own = try String.fetchAll(database, literal: "SELECT name FROM grocery_list WHERE owner = \(person)")
            if let known = own.first(where: { DisplayName.areEqual($0, name) }) {
                throw GroceryProblem.bad("there is a list \(known) already: choose another name")
            }
            try database.execute(
                literal: "INSERT INTO grocery_list (name, owner, created) VALUES (\(name), \(person), \(created))")
            let id = database.lastInsertedRowID
            try database.execute(literal: "INSERT INTO grocery_member VALUES (\(person), \(id))")
            return GroceryList(id: id, name: name, owner: person, people: [person], entries: 0, completed: 0)
        }
    }

    /// Lets another person open a list, or no longer. The owner stays.
    package func share(_ list: Int64, with other: String, isAllowed: Bool, by person: String) throws -> GroceryList {
        try store.write { database in
            let other = try Self.person(database, named: other)
            let known = try Self.list(database, list, of: person)
            guard other != known.owner else { throw GroceryProblem.bad("the owner always has the list") }
            guard person == known.owner || (other == person && !isAllowed) else {
                throw GroceryProblem.bad("only \(known.owner) may share this list")
            }
            if isAllowed {
                try database.execute(literal: "INSERT OR IGNORE INTO grocery_member VALUES (\(other), \(list))")
            } else {
                try database.execute(
                    literal: """
                        DELETE FROM grocery_member WHERE person = \(other) AND list = \(list);
                        DELETE FROM grocery_change WHERE person = \(other) AND list = \(list)
                        """)
            }
            return try Self.lists(database, "list.id = \(list)")[0]
        }
    }

    package func removeList(_ list: Int64, by person: String) throws {
        try store.write { database in
            _ = try Self.ownList(database, list, of: person)
            try database.execute(literal: "DELETE FROM grocery_list WHERE id = \(list)")
        }
    }

    package func ownList(_ list: Int64, of person: String) throws -> GroceryList {
        try store.read { try Self.ownList($0, list, of: person) }
    }

    private static func ownList(_ database: Database, _ list: Int64, of person: String) throws -> GroceryList {
        let found = try Self.list(database, list, of: person)
        guard found.owner == person else { throw GroceryProblem.bad("only the owner may delete a list") }
        return found
    }

    /// - Throws: ``GroceryProblem/notFound(_:)`` also for a list that the person may not open.
    package func list(_ list: Int64, of person: String) throws -> GroceryList {
        try store.read { try Self.list($0, list, of: person) }
    }

    static func list(_ database: Database, _ list: Int64, of person: String) throws -> GroceryList {
        let found = try lists(
            database,
            "list.id = \(list) AND EXISTS (SELECT 1 FROM grocery_member WHERE list = list.id AND person = \(person))")
        guard let first = found.first else { throw GroceryProblem.notFound("list \(list) of \(person)") }
        return first
    }

    /// The entries of a list in its order.
    ///
    /// - Parameter isHistory: true for entries that were removed, newest first.
    package func items(of list: Int64, for person: String, isHistory: Bool = false) throws -> [GroceryItem] {
        let (today, limit) = (today.number, isHistory ? 500 : Self.mostEntries)
        return try store.read { database in
            _ = try Self.list(database, list, of: person)
            return try Self.items(
                database, "entry.list = \(list) AND isInShoppingList = \(!isHistory)", today: today,
                order: isHistory ? "updated DESC, entry.id" : "position, entry.id", limit: limit)
        }
    }

    /// One entry of a list that the person may open, or that was removed from it.
    package func item(_ entry: Int64, for person: String) throws -> GroceryItem {
        let today = today.number
        let found = try store.read { database in
            try Self.items(
                database,
                """
                entry.id = \(entry) AND EXISTS (SELECT 1 FROM grocery_member WHERE list = entry.list AND person = \(person))
                """, today: today)
        }
        guard let item = found.first else { throw GroceryProblem.notFound("entry \(entry)") }
        return item
    }

    static let mostEntries = 500

    static func items(
        _ database: Database, _ condition: SQL, today: Int, order: String = "entry.id", limit: Int = 500
    ) throws -> [GroceryItem] {
        try GroceryItem.fetchAll(
            database,
            literal: """
                SELECT entry.*, added AS addedAt, updated AS updatedAt, entry.by AS addedBy,
                    \(sql: digits), name, brand, category, aisle, image,
                    (SELECT json_group_array(name) FROM (
                        SELECT name FROM grocery_product_tag JOIN grocery_tag ON grocery_tag.id = tag
                        WHERE grocery_product_tag.product = entry.product ORDER BY name)) AS tags,
                    EXISTS (SELECT 1 FROM grocery_quote WHERE grocery_quote.product = entry.product AND isDiscounted
                        AND day >= \(today - 14)) AS isOnSale
                FROM grocery_entry AS entry JOIN grocery_product AS product ON product.id = entry.product
                WHERE \(condition) ORDER BY \(sql: order) LIMIT \(limit)
                """)
    }
}
