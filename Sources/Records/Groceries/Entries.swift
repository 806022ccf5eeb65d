import Foods
import Core
import Foundation
import GRDB

package struct NewEntry: Sendable, Hashable, Codable {
    package var product: NewProduct
    /// Thousandths of `unit`.
    package var quantity: Int64
    package var unit: PriceUnit
    /// What was typed, where the product was found by it; nil where they are the same.
    package var typed: String?

    package init(product: NewProduct, quantity: Int64 = 1000, unit: PriceUnit = .piece) {
        self.product = product
        self.quantity = quantity
        self.unit = unit
    }
}

package enum AddedEntry: Sendable, Hashable {
    case added(GroceryItem)
    /// The list has the same or a similar product: ask, and add anyway if the person wants.
    case duplicate(GroceryItem, ProductNames.Duplicate)
}

/// What changes of an entry; nil stays.
package struct EntryChange: Sendable, Hashable, Codable {
    package var isInShoppingList: Bool?
    package var isCompleted: Bool?
    package var isFavorite: Bool?
    package var quantity: Int64?
    package var unit: PriceUnit?
    /// Links the entry to a product; its name so far stays as what was typed.
    package var product: Int64?
    /// False makes what was typed the product again.
    package var isLinked: Bool?

    /// Takes an entry off its list; it stays in the history.
    package static let removal = EntryChange(isInShoppingList: false)
}

extension EntryChange {
    package init(isCompleted: Bool?) { self.init(isInShoppingList: nil, isCompleted: isCompleted) }
    package init(product: Int64?) { self.init(isInShoppingList: nil, product: product) }
    package init(isLinked: Bool) { self.init(isInShoppingList: nil, isLinked: isLinked) }
}

/// The columns of an entry that can be undone.
private struct EntryState: Codable, FetchableRecord {
    var position: Int64
    var quantity: Int64
    var unit: String
    var isInShoppingList: Bool
    var isCompleted: Bool
    var isFavorite: Bool
    var version: Int64
    /// Nil in changes that were noted before entries could be linked.
    var product: Int64?
    var typed: String?
}

extension Groceries {
    /// Room between positions, so that most moves change one row.
    private static let gap: Int64 = 1 << 20

    /// Adds to the end of a list. An entry of the same product that was removed earlier comes back with its history.
    ///
    /// - Parameter anyway: true adds also what the list has already.
    package func add(_ new: NewEntry, to list: Int64, by person: String, anyway: Bool = false) throws -> AddedEntry {
        try store.write { try add(new, to: list, by: person, anyway: anyway, $0) }
    }

    /// As ``add(_:to:by:anyway:)``, within a transaction.
    func add(
        _ new: NewEntry, to list: Int64, by person: String, anyway: Bool, _ database: Database
    ) throws -> AddedEntry {
        try Self.check(new.quantity, new.unit)
        let (now, today) = (seconds, today.number)
        _ = try Self.list(database, list, of: person)
        let entries = try Self.items(
            database, "entry.list = \(list) AND isInShoppingList", today: today, limit: Self.mostEntries)
        guard entries.count < Self.mostEntries else {
            throw GroceryProblem.bad("a list has at most \(Self.mostEntries) entries")
        }
        let product = try Self.productID(database, new.product, by: person)
        if !anyway, let (entry, kind) = try self.duplicate(of: product, among: entries, database) {
            try Self.removeUnused(database, product: product)
            return .duplicate(entry, kind)
        }
        let last = try Int64.fetchOne(database, literal: "SELECT max(position) FROM grocery_entry WHERE list = \(list)")
        let (position, unit) = ((last ?? 0) + Self.gap, new.unit.rawValue)
        let kept = try Row.fetchOne(
            database,
            literal: """
                SELECT * FROM grocery_entry WHERE list = \(list) AND product = \(product) AND NOT isInShoppingList ORDER BY id
                """)
        let entry: Int64
        if let kept {
            entry = kept["id"]
            try Self.set(
                database, entry,
                """
                isInShoppingList = 1, isCompleted = 0, position = \(position), quantity = \(new.quantity), unit = \(unit),
                typed = \(new.typed)
                """, now)
            try Self.note(database, [(entry, EntryState(row: kept))], list, person)
        } else {
            try database.execute(
                literal: """
                    INSERT INTO grocery_entry (list, product, position, quantity, unit, isInShoppingList, isCompleted,
                        isFavorite, version, added, updated, by, typed) VALUES (\(list), \(product), \(position),
                        \(new.quantity), \(unit), 1, 0, 0, 1, \(now), \(now), \(person), \(new.typed))
                    """)
            entry = database.lastInsertedRowID
            try Self.note(database, [(entry, nil)], list, person)
        }
        return .added(try Self.items(database, "entry.id = \(entry)", today: today)[0])
    }

    private static func check(_ quantity: Int64, _ unit: PriceUnit) throws(GroceryProblem) {
        guard (1...ListNeed.largest).contains(quantity), unit != .hundredGrams else {
            throw .bad("a quantity is above 0 and at most 1000 pieces, kg or l")
        }
    }

    private func duplicate(
        of product: Int64, among entries: [GroceryItem], _ database: Database
    ) throws -> (GroceryItem, ProductNames.Duplicate)? {
        guard let new = try Self.products(database, "product.id = \(product)").first else { return nil }
        let found = entries.compactMap { entry -> (GroceryItem, ProductNames.Duplicate)? in
            if entry.product == product { return (entry, entry.gtin == nil ? .name : .gtin) }
            return ProductNames.duplicate(
                new.name, new.gtin.flatMap { GTIN($0) }, of: entry.name, entry.gtin.flatMap { GTIN($0) }, rules: rules
            ).map { (entry, $0) }
        }
        return found.first { $0.1 != .near } ?? found.first
    }

    private static func set(_ database: Database, _ entry: Int64, _ columns: SQL, _ now: Int64) throws {
        try database.execute(
            literal: "UPDATE grocery_entry SET \(columns), version = version + 1, updated = \(now) WHERE id = \(entry)")
    }

    package func change(_ entry: Int64, _ change: EntryChange, by person: String) throws -> GroceryItem {
        try store.write { try self.change(entry, change, by: person, $0) }
    }

    /// As ``change(_:_:by:)``, within a transaction.
    func change(_ entry: Int64, _ change: EntryChange, by person: String, _ database: Database) throws -> GroceryItem {
        if change.quantity != nil || change.unit != nil {
            try Self.check(change.quantity ?? 1000, change.unit ?? .piece)
        }
        let (now, today) = (seconds, today.number)
        let row = try Self.entry(database, entry, of: person)
        let (product, typed) = try Self.link(database, row, change, by: person)
        try Self.set(
            database, entry,
            """
            product = \(product), typed = \(typed),
            isInShoppingList = coalesce(\(change.isInShoppingList), isInShoppingList),
            isCompleted = coalesce(\(change.isCompleted), isCompleted),
            isFavorite = coalesce(\(change.isFavorite), isFavorite),
            quantity = coalesce(\(change.quantity), quantity), unit = coalesce(\(change.unit?.rawValue), unit)
            """, now)
        try Self.note(database, [(entry, EntryState(row: row))], row["list"], person)
        return try Self.items(database, "entry.id = \(entry)", today: today)[0]
    }

    /// The product of an entry after a change, and what was typed for it.
    private static func link(
        _ database: Database, _ row: Row, _ change: EntryChange, by person: String
    ) throws -> (product: Int64, typed: String?) {
        let (own, typed): (Int64, String?) = (row["product"], row["typed"])
        if let product = change.product, product != own {
            try require(database, "product", product)
            let isThere = try Bool.fetchOne(
                database,
                literal: """
                    SELECT EXISTS (SELECT 1 FROM grocery_entry WHERE list = \(row["list"] as Int64)
                        AND product = \(product) AND isInShoppingList AND id <> \(row["id"] as Int64))
                    """)
            guard isThere != true else { throw GroceryProblem.bad("the list has this product already") }
            let name = try String.fetchOne(database, literal: "SELECT name FROM grocery_product WHERE id = \(own)")
            return (product, typed ?? name)
        }
        if change.isLinked == false, let typed {
            return (try productID(database, NewProduct(name: typed), by: person), nil)
        }
        return (own, typed)
    }

    private static func entry(_ database: Database, _ entry: Int64, of person: String) throws -> Row {
        let row = try Row.fetchOne(
            database,
            literal: """
                SELECT entry.* FROM grocery_entry AS entry JOIN grocery_member ON grocery_member.list = entry.list
                WHERE entry.id = \(entry) AND person = \(person)
                """)
        guard let row else { throw GroceryProblem.notFound("entry \(entry)") }
        return row
    }

    /// Completes all entries, or removes the completed ones from the list.
    ///
    /// - Returns: how many entries changed.
    package func sweep(_ list: Int64, _ action: SweepAction, by person: String) throws -> Int {
        let (now, today) = (seconds, today)
        return try store.write { database in
            _ = try Self.list(database, list, of: person)
            let isCompleted = action == .removeCompleted
            let rows = try Row.fetchAll(
                database,
                literal: """
                    SELECT * FROM grocery_entry WHERE list = \(list) AND isInShoppingList AND isCompleted = \(isCompleted)
                    ORDER BY id
                    """)
            for row in rows {
                try Self.set(database, row["id"], isCompleted ? "isInShoppingList = 0" : "isCompleted = 1", now)
            }
            let batch = try Self.note(database, rows.map { ($0["id"], try EntryState(row: $0)) }, list, person)
            if action == .removeCompleted {
                try Self.noteBasket(database, rows.map { $0["id"] }, of: list, on: today, batch: batch)
            }
            return rows.count
        }
    }

    package enum SweepAction: String, Sendable, Codable, CaseIterable { case completeAll, removeCompleted }

    /// Moves an entry behind another one, or to the beginning.
    package func move(_ entry: Int64, after other: Int64?, by person: String) throws {
        let now = seconds
        try store.write { database in
            let row = try Self.entry(database, entry, of: person)
            let list: Int64 = row["list"]
            if let other {
                let second = try Self.entry(database, other, of: person)
                guard second["list"] == list, other != entry else {
                    throw GroceryProblem.bad("an entry moves behind another one of its list")
                }
            }
            func neighbours() throws -> (Int64, Int64?) {
                let before = try other.flatMap {
                    try Int64.fetchOne(database, literal: "SELECT position FROM grocery_entry WHERE id = \($0)")
                }
                let after = try Int64.fetchOne(
                    database,
                    literal: """
                        SELECT min(position) FROM grocery_entry WHERE list = \(list) AND id <> \(entry)
                            AND (position, id) > (\(before ?? Int64.min), \(other ?? Int64.min))
                        """)
                return (before ?? (after ?? Self.gap * 2) - Self.gap * 2, after)
            }
            var (low, high) = try neighbours()
            if let full = high, full - low < 2 {
                try Self.spread(database, list)
                (low, high) = try neighbours()
            }
            let position = high.map { low + ($0 - low) / 2 } ?? low + Self.gap
            try Self.set(database, entry, "position = \(position)", now)
            try Self.note(database, [(entry, EntryState(row: row))], list, person)
        }
    }

    /// Gives all entries of a list new positions in the same order.
    private static func spread(_ database: Database, _ list: Int64) throws {
        let ids = try Int64.fetchAll(
            database, literal: "SELECT id FROM grocery_entry WHERE list = \(list) ORDER BY position, id")
        for (index, id) in ids.enumerated() {
            let position = Int64(index + 1) * gap
            try database.execute(literal: "UPDATE grocery_entry SET position = \(position) WHERE id = \(id)")
        }
    }

    // MARK: Undo

    private static let mostChanges = 1000

    /// - Returns: the number of the change.
    @discardableResult
    private static func note(
        _ database: Database, _ changes: [(Int64, EntryState?)], _ list: Int64, _ person: String
    ) throws -> Int64 {
        let batch = try Int64.fetchOne(database, literal: "SELECT coalesce(max(id), 0) + 1 FROM grocery_change") ?? 1
        for (entry, before) in changes {
            let json = try before.map { try JSONCoding.encode($0) }
            try database.execute(
                literal: """
                    INSERT INTO grocery_change (batch, person, list, entry, before, version)
                    SELECT \(batch), \(person), \(list), id, \(json), version FROM grocery_entry WHERE id = \(entry)
                    """)
        }
        try database.execute(
            literal: """
                DELETE FROM grocery_change WHERE list = \(list) AND id <= (SELECT max(id) FROM grocery_change) - \(mostChanges)
                """)
        return batch
    }

    /// Takes the person's last change of a list back, with all entries that it changed.
    ///
    /// - Returns: how many entries changed; 0 if there is nothing to undo.
    /// - Throws: ``GroceryProblem/changed`` if somebody changed one of these entries since.
    package func undo(_ list: Int64, by person: String) throws -> Int {
        let now = seconds
        return try store.write { database in
            _ = try Self.list(database, list, of: person)
            let rows = try Row.fetchAll(
                database,
                literal: """
                    SELECT change.*, entry.version AS present FROM grocery_change AS change
                    JOIN grocery_entry AS entry ON entry.id = change.entry
                    WHERE change.list = \(list) AND person = \(person)
                        AND batch = (SELECT max(batch) FROM grocery_change WHERE list = \(list) AND person = \(person))
                    """)
            guard rows.allSatisfy({ $0["present"] as Int64 == $0["version"] as Int64 }) else {
                throw GroceryProblem.changed
            }
            if let batch = rows.first.map({ $0["batch"] as Int64 }) {
                try database.execute(literal: "DELETE FROM grocery_basket WHERE list = \(list) AND batch = \(batch)")
            }
            for row in rows {
                let before = try (row["before"] as Data?).map { try JSONCoding.decode(EntryState.self, from: $0) }
                if let before {
                    // The version goes back too, so that the change before this one can be undone next.
                    try database.execute(
                        literal: """
                            UPDATE grocery_entry SET position = \(before.position), quantity = \(before.quantity),
                                unit = \(before.unit), isInShoppingList = \(before.isInShoppingList),
                                isCompleted = \(before.isCompleted), isFavorite = \(before.isFavorite),
                                product = coalesce(\(before.product), product),
                                typed = iif(\(before.product) IS NULL, typed, \(before.typed)),
                                version = \(before.version), updated = \(now) WHERE id = \(row["entry"] as Int64)
                            """)
                } else {
                    try Self.set(database, row["entry"], "isInShoppingList = 0", now)
                }
                try database.execute(literal: "DELETE FROM grocery_change WHERE id = \(row["id"] as Int64)")
            }
            return rows.count
        }
    }
}
