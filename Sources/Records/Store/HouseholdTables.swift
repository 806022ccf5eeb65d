import Core
import Foundation
import GRDB

/// One table of people. Other tables name a person by the name that stands here; see ``PersonColumns``.
extension Migration {
    static let household = Migration("10 household") { database in
        try create(database)
        for (old, new) in try spellings(database) { try PersonColumns.rename(database, old, new) }
        try addMembers(database)
        try addLocks(database)
        try database.execute(
            sql: """
                DROP TABLE account_try; DROP TABLE account_session; DROP TABLE account;
                DROP TABLE diary_code; DROP TABLE profile;
                """)
    }

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE household (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;
                -- `key` is the name for comparison, `json` what warns the person. `ends` is set for guests. Times are
                -- seconds since 1970.
                CREATE TABLE member (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL UNIQUE,
                    role TEXT NOT NULL CHECK (role IN ('adult', 'child', 'guest')), colour INTEGER NOT NULL,
                    json BLOB NOT NULL, created INTEGER NOT NULL, ends INTEGER
                ) STRICT;
                -- What opens a member's private pages: a PIN, or what did so before there were PINs. A lock of kind 'key'
                -- is opened by the keys in diary_key. Parameters of scrypt are beside each hash.
                CREATE TABLE member_lock (
                    member INTEGER PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE,
                    kind TEXT NOT NULL CHECK (kind IN ('pin', 'password', 'key')),
                    salt BLOB, hash BLOB, cost INTEGER, blockSize INTEGER, lanes INTEGER,
                    removalAskedBy TEXT, removalOpens INTEGER
                ) STRICT;
                -- Wrong PINs of the last day. Device 0 is the daemon's own key.
                CREATE TABLE pin_try (
                    id INTEGER PRIMARY KEY, member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
                    device INTEGER NOT NULL, at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX pin_try_member ON pin_try (member, at);
                -- People of settings and of other databases that were taken over once, by key.
                CREATE TABLE member_import (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                -- A digest of the people whom all stored photos were judged for.
                CREATE TABLE judged (id INTEGER PRIMARY KEY CHECK (id = 1), people BLOB NOT NULL) STRICT;
                -- Who uses the device, and until when this person's private pages are open on it.
                ALTER TABLE device ADD COLUMN member INTEGER REFERENCES member (id) ON DELETE SET NULL;
                ALTER TABLE device ADD COLUMN openUntil INTEGER;
                """)
    }

    /// Columns that make somebody a member, the preferred spelling first.
    private static let owners = [
        ("profile", "name"), ("diary_person", "person"), ("account", "person"), ("grocery_list", "owner"),
        ("grocery_member", "person"), ("grocery_mark", "person"),
    ]

    /// One spelling for each person: `Ada` with allergens and `ada` with a password are one.
    private static func spellings(_ database: Database) throws -> [(old: String, new: String)] {
        var known: [String: String] = [:]
        var changes: [(String, String)] = []
        for (table, column) in owners {
            for name in try String.fetchAll(database, sql: "SELECT DISTINCT \(column) FROM \(table) ORDER BY 1") {
                let key = DisplayName.key(of: name)
                guard let first = known[key] else {
                    known[key] = name
                    continue
                }
                if !first.utf8.elementsEqual(name.utf8) { changes.append((name, first)) }
            }
        }
        return changes
    }

    private static func addMembers(_ database: Database) throws {
        let union = owners.map { "SELECT \($0.1) FROM \($0.0)" }.joined(separator: " UNION ")
        let now = Int64(Date().timeIntervalSince1970)
        for (index, name) in try String.fetchAll(database, sql: union + " ORDER BY 1").enumerated() {
            let stored = try Data.fetchOne(database, sql: "SELECT json FROM profile WHERE name = ?", arguments: [name])
            let json = try stored ?? JSONCoding.encode(AllergenProfile(name: name, allergens: [:]))
            try database.execute(
                sql: """
                    INSERT INTO member (name, key, role, colour, json, created) VALUES (?, ?, 'adult', ?, ?, ?)
                    """, arguments: [name, DisplayName.key(of: name), index % 4 + 1, json, now])
        }
    }

    /// A password opens once more, and so does a key, until a PIN is chosen.
    private static func addLocks(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO member_lock (member, kind, salt, hash, cost, blockSize, lanes)
                SELECT member.id, 'password', salt, hash, cost, blockSize, lanes
                FROM account JOIN member ON member.name = account.person;
                INSERT OR IGNORE INTO member_lock (member, kind)
                SELECT DISTINCT member.id, 'key' FROM diary_key JOIN member ON member.name = diary_key.person;
                """)
    }
}

/// The columns that name a person, besides the name in the table of members.
package enum PersonColumns {
    package static let all = [
        ("diary_person", "person"), ("diary_key", "person"), ("diary_reader", "person"), ("diary_reader", "reader"),
        ("diary_entry", "person"), ("diary_day", "person"), ("diary_weight", "person"), ("diary_count", "person"),
        ("diary_favourite", "person"), ("diary_closed", "person"), ("diary_photo", "person"),
        ("grocery_member", "person"),
        ("grocery_list", "owner"), ("grocery_mark", "person"), ("grocery_price", "contributor"),
        ("grocery_review", "contributor"), ("grocery_review", "decidedBy"),
        ("grocery_experience", "by"), ("grocery_upload", "person"), ("grocery_place", "by"), ("grocery_product", "by"),
        ("grocery_tag", "by"), ("grocery_entry", "by"), ("grocery_change", "person"), ("grocery_comment", "by"),
        ("review", "reviewer"), ("member_lock", "removalAskedBy"),
    ]

    /// Puts the new spelling or name into all columns. The keys of a diary are renamed with it.
    ///
    /// The transaction must not check foreign keys before its end, as in a migration, or defer them.
    package static func rename(_ database: Database, _ old: String, _ new: String) throws {
        // A migration renames before later ones have made their tables.
        for (table, column) in all + [("account", "person")] where try database.tableExists(table) {
            let name = SQL(sql: column)
            try database.execute(
                literal: "UPDATE OR IGNORE \(sql: table) SET \(name) = \(new) WHERE \(name) = \(old)")
            // What was refused is there under the new name already.
            try database.execute(literal: "DELETE FROM \(sql: table) WHERE \(name) = \(old) AND \(new) <> \(old)")
        }
        let key = DisplayName.key(of: new)
        try database.execute(literal: "UPDATE diary_person SET key = \(key) WHERE person = \(new)")
        try StoredEvent.rename(database, old, new)
    }

    /// Takes the name of somebody who leaves out of what stays: reviews, requests to remove a PIN, and events.
    ///
    /// A request that waits ends with whoever made it. A PIN whose removal took place stays removed.
    package static func forget(_ database: Database, _ name: String, now: Int64) throws {
        try database.execute(literal: "UPDATE review SET reviewer = '?' WHERE reviewer = \(name)")
        try database.execute(
            literal: """
                UPDATE member_lock SET removalAskedBy = CASE WHEN removalOpens <= \(now) THEN '?' END,
                    removalOpens = CASE WHEN removalOpens <= \(now) THEN removalOpens END
                WHERE removalAskedBy = \(name)
                """)
        try StoredEvent.rename(database, name, nil)
    }
}

/// Tables of paired devices, for the module `Household`.
extension Migration {
    static let devices = Migration(
        "6 devices",
        """
        -- The token itself is on the device only.
        CREATE TABLE device (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
            paired INTEGER NOT NULL, seen INTEGER
        ) STRICT;
        -- Codes that pair one device each.
        CREATE TABLE pairing (digest BLOB PRIMARY KEY, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """)

    static let pairedDevices = Migration(
        "devices 2 who paired",
        """
        -- The device that made the code; NULL for the daemon's own key.
        ALTER TABLE device ADD COLUMN pairedBy INTEGER;
        ALTER TABLE pairing ADD COLUMN pairedBy INTEGER;
        """)
}

/// What members played. The module `Household` reads and writes it.
extension Migration {
    static let plays = Migration(
        "17 plays of members",
        """
        -- One task that a member plays: a figure, or a game of a difficulty. `state` is the game's, for going on.
        -- Times are seconds since 1970; `seconds` is time with pictures. `solved` is null while it is open.
        CREATE TABLE play (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
            game TEXT NOT NULL, pieceSet TEXT NOT NULL, puzzle TEXT, difficulty TEXT NOT NULL, state BLOB,
            placed INTEGER, needed INTEGER, hints INTEGER NOT NULL, misses INTEGER NOT NULL,
            seconds REAL NOT NULL, begun INTEGER NOT NULL, updated INTEGER NOT NULL, solved INTEGER,
            isLeft INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX play_member ON play (member, updated);
        -- Experience points, skills and the estimate of what a member can do, as JSON.
        CREATE TABLE play_progress (
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE, game TEXT NOT NULL,
            progress BLOB NOT NULL, skill BLOB NOT NULL, PRIMARY KEY (member, game)
        ) STRICT, WITHOUT ROWID;
        -- Seconds of play by day, which is days since 1970 in the house's time zone.
        CREATE TABLE play_day (
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE, day INTEGER NOT NULL,
            seconds REAL NOT NULL, PRIMARY KEY (member, day)
        ) STRICT, WITHOUT ROWID;
        -- Minutes a day that an adult allows.
        CREATE TABLE play_limit (
            member INTEGER PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE, minutes INTEGER NOT NULL
        ) STRICT;
        """)

    static let settersOfLimits = Migration(
        "26 who set a limit", "ALTER TABLE play_limit ADD COLUMN setBy INTEGER")
}
