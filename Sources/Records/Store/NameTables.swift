import Core
import Foundation
import GRDB

/// One spelling of each person in all tables, and the keys by which people are found.
extension Migration {
    static let names = Migration("8 names") { database in
        for (old, new) in try renamed(database) { try rename(database, old, new) }
        try database.execute(
            sql: """
                -- `key` is the name for comparison.
                ALTER TABLE profile ADD COLUMN key TEXT NOT NULL DEFAULT '';
                ALTER TABLE diary_person ADD COLUMN key TEXT NOT NULL DEFAULT '';
                """)
        for (table, column) in [("profile", "name"), ("diary_person", "person")] {
            for name in try String.fetchAll(database, sql: "SELECT \(column) FROM \(table)") {
                try database.execute(
                    sql: "UPDATE \(table) SET key = ? WHERE \(column) = ?",
                    arguments: [DisplayName.key(of: name), name])
            }
            try database.execute(sql: "CREATE UNIQUE INDEX \(table)_key ON \(table) (key)")
        }
        try setAccountKeys(database)
        // A right to read belongs to a diary that somebody opened, not to whoever opens one of that name next.
        try database.execute(sql: "DELETE FROM diary_reader WHERE reader NOT IN (SELECT person FROM diary_key)")
    }

    /// Columns that name a person. Those of `sources` are a person's own; the others refer to one.
    private static let sources = [
        ("profile", "name"), ("diary_person", "person"), ("account", "person"), ("grocery_member", "person"),
        ("grocery_list", "owner"), ("grocery_mark", "person"), ("grocery_price", "contributor"),
        ("grocery_review", "contributor"), ("grocery_experience", "by"), ("grocery_upload", "person"),
    ]
    private static let references = [
        ("diary_key", "person"), ("diary_code", "person"), ("diary_reader", "person"), ("diary_reader", "reader"),
        ("diary_entry", "person"), ("diary_day", "person"), ("diary_weight", "person"), ("diary_count", "person"),
        ("grocery_place", "by"), ("grocery_product", "by"), ("grocery_tag", "by"), ("grocery_entry", "by"),
        ("grocery_change", "person"), ("grocery_review", "decidedBy"), ("grocery_comment", "by"),
        ("review", "reviewer"),
    ]

    /// Names with a new spelling. Of several people whose names only look different, one keeps the name and each other
    /// gets a number: their diaries are never joined.
    private static func renamed(_ database: Database) throws -> [(old: String, new: String)] {
        var names: Set<Data> = []
        for (table, column) in sources {
            let found = try Data.fetchAll(
                database,
                sql: "SELECT DISTINCT CAST(\(column) AS BLOB) FROM \(table) WHERE \(column) IS NOT NULL")
            names.formUnion(found)
        }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }
        let groups = Dictionary(grouping: texts) { Data(DisplayName.key(of: $0).utf8) }
        var taken = Set(groups.keys)
        var result: [(String, String)] = []
        for group in groups.values {
            // Whose name is right already keeps it.
            let sorted = group.sorted { one, other in
                let (first, second) = (cleaned(one), cleaned(other))
                let isFirst = first.utf8.elementsEqual(one.utf8)
                guard isFirst == second.utf8.elementsEqual(other.utf8) else { return isFirst }
                return one.utf8.lexicographicallyPrecedes(other.utf8)
            }
            for (index, name) in sorted.enumerated() {
                var new = cleaned(name)
                var number = index + 1
                while index > 0, !taken.insert(Data(DisplayName.key(of: "\(new) (\(number))").utf8)).inserted {
                    number += 1
                }
                if index > 0 { new += " (\(number))" }
                if !new.utf8.elementsEqual(name.utf8) { result.append((name, new)) }
            }
        }
        return result
    }

    private static func cleaned(_ name: String) -> String { DisplayName.cleaned(name) ?? "?" }

    private static func rename(_ database: Database, _ old: String, _ new: String) throws {
        for (table, column) in sources + references {
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
        }
        let json = try Data.fetchOne(database, sql: "SELECT json FROM profile WHERE name = ?", arguments: [new])
        guard let json, var profile = try? JSONCoding.decode(AllergenProfile.self, from: json) else { return }
        profile.name = new
        try database.execute(
            sql: "UPDATE profile SET json = ? WHERE name = ?", arguments: [try JSONCoding.encode(profile), new])
    }

    /// The keys of accounts were folded words, without accents.
    private static func setAccountKeys(_ database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT name, person FROM account")
        let keys = rows.map { row -> (old: String, new: String) in (row["name"], DisplayName.key(of: row["person"])) }
        // In two steps: the new key of one may be the old key of another.
        for (old, _) in keys { try setAccountKey(database, old, "\u{1}" + old) }
        for (old, new) in keys { try setAccountKey(database, "\u{1}" + old, new) }
        try database.execute(sql: "DELETE FROM account_try")
    }

    private static func setAccountKey(_ database: Database, _ old: String, _ new: String) throws {
        for table in ["account", "account_session"] {
            try database.execute(sql: "UPDATE \(table) SET name = ? WHERE name = ?", arguments: [new, old])
        }
    }
}
